#include "branchwise/spill/part_scoring.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "branchwise/canonical/scoring.hpp"

namespace branchwise {

namespace {

/// Call `visit` with the type that computes a measurement.
template <typename Visit>
decltype(auto) with_measurement(Measurement measurement, Visit visit) {
    if (measurement.objective == Objective::fewest_nodes && !measurement.is_wide) {
        return visit(FewestSmallNodes<std::uint64_t>{});
    }
    return with_objective(measurement.objective, visit);
}

/// The own states of a part, children first.
class OwnOrder {
  public:
    explicit OwnOrder(PartStates const& states) : own_(states.own()) {
        for (auto layer = states.layers().rbegin(); layer != states.layers().rend();
             ++layer) {
            ends_.push_back((ends_.empty() ? 0 : ends_.back()) + layer->count);
        }
    }

    [[nodiscard]] std::size_t size() const { return own_.size(); }
    [[nodiscard]] Faced operator[](std::size_t i) const {
        return {own_[own_.size() - 1 - i], 0};
    }
    /// Where the layer ends that begins there or before.
    [[nodiscard]] std::size_t end_of_layer(std::size_t first) const {
        return *std::upper_bound(ends_.begin(), ends_.end(), first);
    }

  private:
    std::span<StateId const> own_;
    std::vector<std::size_t> ends_;
};

template <typename Measure>
class PartScoring {
  public:
    using Value = typename Measure::Value;

    PartScoring(SpillFolder& folder, std::size_t part, ResidualLayout const& layout,
                double tolerance, Measurement measurement)
        : folder_(folder), part_(part), measurement_(measurement),
          values_(folder, part, layout, tolerance, measurement, true, sizeof(Value)),
          result_(values_.worst_case()) {}

    [[nodiscard]] PartScored run(ThreadTeam& team, RunWatch& watch) {
        PartStates const& states = values_.states();
        result_.scores.assign(values_.scores().begin(), values_.scores().end());
        values_.scores().release();
        result_.choices.resize(states.size());
        Scoring<Measure> scoring(result_, false, team.size());
        set_known(scoring.measures());
        OwnOrder const order(states);
        RunProgress const progress{states.own().size(), 0, -1, "exploring"};
        bool const is_done = scoring.score_all(
            order, [&](std::size_t first) { return order.end_of_layer(first); }, team,
            [&] { return watch.look(progress); });
        if (!is_done) {
            return PartScored::broken_off;
        }
        if (has_too_many(scoring.measures())) {
            return PartScored::too_many;
        }
        write(scoring.measures());
        return PartScored::done;
    }

  private:
    void set_known(std::span<Value> measures) const {
        std::byte const* next = values_.measures().data();
        for (StateId const state : values_.sent()) {
            std::memcpy(&measures[index_of(state)], next, sizeof(Value));
            next += sizeof(Value);
        }
    }

    [[nodiscard]] bool has_too_many(std::span<Value const> measures) const {
        if constexpr (requires { Measure::too_many; }) {
            return std::find(measures.begin(), measures.end(), Measure::too_many) !=
                   measures.end();
        }
        return false;
    }

    void write(std::span<Value const> measures) {
        SectionWriter to(folder_.values_file(part_, measurement_.name()),
                         folder_.digest());
        std::uint64_t const stamp = values_.file().stamp();
        to.write_section(SectionTag::part, 0, std::span(&stamp, 1));
        auto const own = values_.states().own();
        write_by_state(SectionTag::scores, 0, own, std::span(result_.scores), to);
        std::vector<std::uint32_t> choices;
        for (StateId const state : own) {
            choices.push_back(result_.choices[index_of(state)]);
        }
        to.write_section(SectionTag::choices, 0,
                         std::span<std::uint32_t const>(choices));
        for (std::uint64_t const sender :
             values_.file().numbers(SectionTag::arrivals)) {
            auto const arrivals =
                values_.file().read_all<StateId>(SectionTag::arrivals, sender);
            std::span const states(arrivals.begin(), arrivals.end());
            write_by_state(SectionTag::answers, sender, states,
                           std::span(result_.scores), to);
            write_by_state(SectionTag::measures, sender, states, measures, to);
        }
        to.finish();
    }

    template <typename T, std::size_t extent>
    static void write_by_state(SectionTag tag, std::uint64_t number,
                               std::span<StateId const> states,
                               std::span<T, extent> by_state, SectionWriter& to) {
        constexpr std::size_t at_a_time = std::size_t{1} << 14U;
        std::vector<std::remove_const_t<T>> piece;
        to.begin(tag, number);
        for (std::size_t i = 0; i < states.size(); ++i) {
            piece.push_back(by_state[index_of(states[i])]);
            if (piece.size() == at_a_time || i + 1 == states.size()) {
                to.write(std::as_bytes(std::span(piece)));
                piece.clear();
            }
        }
    }

    SpillFolder& folder_;
    std::size_t part_;
    Measurement measurement_;
    PartValues values_;
    CanonicalScores result_;
};

} // namespace

PartScored score_part(SpillFolder& folder, std::size_t part,
                      ResidualLayout const& layout, double tolerance,
                      Measurement measurement, ThreadTeam& team, RunWatch& watch) {
    return with_measurement(measurement, [&](auto measure) {
        return PartScoring<decltype(measure)>(folder, part, layout, tolerance,
                                              measurement)
            .run(team, watch);
    });
}

std::size_t bytes_of_measure(Measurement measurement) {
    return with_measurement(measurement, [](auto measure) {
        return sizeof(typename decltype(measure)::Value);
    });
}

// By falling rank and rising bucket, as keys were sent and as parts are numbered.
bool write_answers(SpillFolder& folder, SenderId sender, Measurement measurement,
                   std::filesystem::path const& to) {
    std::vector<std::size_t> const parts = folder.parts_with_keys_of(sender);
    SectionWriter file(to, folder.digest());
    BucketRange const buckets = folder.buckets();
    file.write_section(SectionTag::origin, 0, std::span(&buckets, 1));
    for (SectionTag const tag : {SectionTag::answers, SectionTag::measures}) {
        file.begin(tag, sender.number());
        for (std::size_t const part : parts) {
            SectionReader values =
                folder.open(folder.values_file(part, measurement.name()));
            auto const bytes = values.read_all<std::byte>(tag, sender.number());
            file.write(std::span(bytes.begin(), bytes.end()));
        }
    }
    file.finish();
    return !parts.empty();
}

} // namespace branchwise
