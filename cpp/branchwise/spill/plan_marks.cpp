#include "branchwise/spill/plan_marks.hpp"

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <utility>

#include "branchwise/canonical/scoring.hpp"

namespace branchwise {

namespace {

template <typename T>
void append(std::vector<std::byte>& to, T const& value) {
    auto const bytes = std::as_bytes(std::span(&value, 1));
    to.insert(to.end(), bytes.begin(), bytes.end());
}

} // namespace

/// Goes through the own states of a part, each after those that lead to it.
class PlanMarks::Sweep {
  public:
    Sweep(PlanMarks& marks, std::size_t part)
        : marks_(marks), self_{marks.folder_.owner(), static_cast<std::uint32_t>(part)},
          values_(marks.folder_, part, marks.layout_, marks.tolerance_,
                  marks.measurement_, false, 0),
          is_met_(values_.states().size()) {
        read_own(part);
    }

    void meet(StateId state, Tagged tagged) {
        is_met_[index_of(state)] = true;
        if (tagged.is_kept) {
            kept_.try_emplace(index_of(state), tagged.tag);
        }
    }

    void run() {
        auto const own = values_.states().own();
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (is_met_[index_of(own[i])]) {
                ++marks_.num_counted_;
                follow(own[i], choices_[i]);
            }
        }
        note_sent();
    }

    [[nodiscard]] std::vector<std::byte> records() { return std::move(records_); }

  private:
    void read_own(std::size_t part) {
        std::string const measure = marks_.measurement_.name();
        SectionReader file =
            marks_.folder_.open(marks_.folder_.values_file(part, measure));
        auto const scores = file.read_all<double>(SectionTag::scores);
        choices_ = file.read_all<std::uint32_t>(SectionTag::choices);
        auto const own = values_.states().own();
        if (file.read_value<std::uint64_t>(SectionTag::part) !=
                values_.file().stamp() ||
            scores.size() != own.size() || choices_.size() != own.size()) {
            throw file.damaged();
        }
        for (std::size_t i = 0; i < own.size(); ++i) {
            values_.scores()[index_of(own[i])] = scores[i];
        }
    }

    // As `count_reduced` does: whatever comes up to the best is part of some optimal
    // plan, also where stopping is as good.
    void follow(StateId state, std::uint32_t choice) {
        PartStates const& states = values_.states();
        WorstCase const& worst_case = values_.worst_case();
        std::span<double const> const scores(values_.scores().begin(),
                                             values_.scores().end());
        double const best = scores[index_of(state)];
        bool const is_kept = kept_.contains(index_of(state));
        if (is_kept) {
            append(records_,
                   PlanRecord{kept_.at(index_of(state)), best, choice,
                              static_cast<std::uint32_t>(states.num_options(state))});
        }
        std::uint32_t number = 0;
        states.for_each_option(state, [&](Option const& option) {
            if (is_kept) {
                record(option, scores);
            }
            if (is_kept && number == 0 && best == out_of_the_question) {
                follow_the_stuck(option, scores);
            }
            bool const is_tied =
                best - worst_case.score(option, 0, scores) <= worst_case.tolerance();
            bool const is_chosen = number++ == choice;
            for (StateId const child : option.children) {
                if (is_tied || is_chosen) {
                    bool const is_wanted = marks_.keeps_ties_ || is_chosen;
                    meet(child, {tag_of(self_, child), is_kept && is_wanted});
                }
            }
        });
    }

    /// Where whatever is done may get stuck: one way how.
    void follow_the_stuck(Option const& option, std::span<double const> scores) {
        auto const stuck = std::find_if(
            option.children.begin(), option.children.end(), [&](StateId child) {
                return scores[index_of(child)] == out_of_the_question;
            });
        if (stuck != option.children.end()) {
            meet(*stuck, {tag_of(self_, *stuck), true});
        }
    }

    void record(Option const& option, std::span<double const> scores) {
        append(records_, static_cast<std::uint64_t>(option.children.size()));
        for (StateId const child : option.children) {
            append(records_, PlanChild{tag_of(self_, child), scores[index_of(child)]});
        }
    }

    void note_sent() {
        marks_.directory_ = values_.directory();
        marks_.sent_.clear();
        auto const& sent = values_.sent();
        for (std::size_t i = 0; i < sent.size(); ++i) {
            std::size_t const state = index_of(sent[i]);
            if (is_met_[state]) {
                auto const kept = kept_.find(state);
                bool const is_kept = kept != kept_.end();
                marks_.sent_.push_back({i, is_kept ? kept->second : 0, is_kept});
            }
        }
    }

    PlanMarks& marks_;
    SenderId self_;
    PartValues values_;
    std::vector<bool> is_met_;                            // by state
    std::unordered_map<std::size_t, std::uint64_t> kept_; // tags by state
    LargeArray<std::uint32_t> choices_;
    std::vector<std::byte> records_;
};

std::uint64_t PlanMarks::tag_of(SenderId part, StateId state) {
    constexpr std::uint32_t part_bits = 24;
    assert(part.part >> part_bits == 0 && part.owner <= UINT8_MAX);
    std::uint64_t const place = std::uint64_t{part.owner} << part_bits | part.part;
    return place << 32U | index_of(state);
}

void PlanMarks::add(SenderId sender, std::span<PlanMark const> marks) {
    if (!marks.empty()) {
        pending_[sender.number()].marks.assign(marks.begin(), marks.end());
    }
}

std::vector<std::byte> PlanMarks::follow(std::size_t part) {
    SectionReader file = folder_.open(folder_.states_file(part));
    auto arrived = arriving(file);
    if (part == 0 && std::exchange(marks_root_, false)) {
        SenderId const first{folder_.owner(), 0};
        arrived.push_back({StateId{0}, {tag_of(first, StateId{0}), true}});
    }
    directory_.clear();
    sent_.clear();
    if (arrived.empty()) {
        return {};
    }
    Sweep sweep(*this, part);
    for (auto const& [state, tagged] : arrived) {
        sweep.meet(state, tagged);
    }
    sweep.run();
    SenderId const self{folder_.owner(), static_cast<std::uint32_t>(part)};
    add(self, marks_in(folder_.buckets()));
    return sweep.records();
}

// The keys of a sender arrive in their order, part after part.
std::vector<std::pair<StateId, PlanMarks::Tagged>>
PlanMarks::arriving(SectionReader& file) {
    std::vector<std::pair<StateId, Tagged>> result;
    for (std::uint64_t const sender : file.numbers(SectionTag::arrivals)) {
        Pending& pending = pending_[sender];
        std::uint64_t const first = pending.num_before;
        pending.num_before += file.count(SectionTag::arrivals, sender, sizeof(StateId));
        auto const is_here = [&] {
            return pending.next < pending.marks.size() &&
                   pending.marks[pending.next].index < pending.num_before;
        };
        if (!is_here()) {
            continue;
        }
        auto const states = file.read_all<StateId>(SectionTag::arrivals, sender);
        for (; is_here(); ++pending.next) {
            PlanMark const& mark = pending.marks[pending.next];
            result.push_back(
                {states[mark.index - first], {mark.tag, mark.is_kept != 0}});
        }
    }
    return result;
}

std::vector<PlanMark> PlanMarks::marks_in(BucketRange buckets) const {
    std::vector<PlanMark> result;
    auto next = sent_.begin();
    std::uint64_t end = 0;     // of the segment, among all that was sent
    std::uint64_t skipped = 0; // in other buckets
    for (KeySegment const& segment : directory_) {
        end += segment.count;
        bool const is_inside = buckets.has(segment.bucket);
        for (; next != sent_.end() && next->index < end; ++next) {
            if (is_inside) {
                result.push_back({next->index - skipped, next->tag, next->is_kept});
            }
        }
        skipped += is_inside ? 0 : segment.count;
    }
    return result;
}

} // namespace branchwise
