#include "branchwise/search/plans/contenders.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "branchwise/canonical/canonical_scores.hpp"
#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/search/rounding.hpp"

namespace branchwise {

namespace {

/// Appends states one by one, each after its children.
class ContenderWriter {
  public:
    explicit ContenderWriter(CanonicalGraph const& graph)
        : graph_(graph), residual_(graph.layout()) {}

    void add(StateId state, std::span<Option const> options) {
        places_.emplace(index_of(state),
                        static_cast<std::uint32_t>(result_.states.size()));
        result_.states.push_back(static_cast<std::uint32_t>(state));
        result_.may_stop.push_back(graph_.may_end(state) ? 1 : 0);
        if (graph_.instance().has_hidden()) {
            add_counts(graph_.key(state, buffer_));
        }
        result_.first_held.push_back(result_.held.size());
        add_held(state);
        result_.first_options.push_back(result_.actions.size());
        std::for_each(options.begin(), options.end(),
                      [this](Option const& option) { add(option); });
    }

    Contenders finished() {
        result_.first_held.push_back(result_.held.size());
        result_.first_options.push_back(result_.actions.size());
        result_.first_branches.push_back(result_.children.size());
        result_.first_gained.push_back(result_.gained.size());
        return std::move(result_);
    }

  private:
    void add_counts(Word const* key) {
        for (std::size_t i = 0; i < graph_.instance().counters.size(); ++i) {
            result_.counts.push_back(
                static_cast<std::int64_t>(graph_.layout().counter_field(i).read(key)));
        }
    }

    // Of a level that is held any reward will do that depends on nothing hidden: they
    // are all worth the same.
    void add_held(StateId state) {
        Word const* const key = graph_.key(state, buffer_);
        auto const now = residual_.rewards_at(key);
        result_.held.insert(result_.held.end(), now.begin(), now.end());
        residual_.load(key);
        ResidualLayout const& layout = graph_.layout();
        std::size_t const num_rewards = layout.instance().rewards.size();
        for (std::uint32_t i = 0; i < num_rewards; ++i) {
            if (layout.secured_field(i).read(key) != 0) {
                result_.held.push_back(i);
            }
        }
        if (layout.instance().is_sum || residual_.held_level() == 0) {
            return;
        }
        for (std::uint32_t i = 0; i < num_rewards; ++i) {
            if (layout.level_of(i) == residual_.held_level() &&
                layout.instance().rewards[i].group == no_group) {
                result_.held.push_back(i);
                return;
            }
        }
    }

    void add(Option const& option) {
        result_.actions.push_back(option.action.action);
        result_.variants.push_back(option.action.variant);
        result_.first_branches.push_back(result_.children.size());
        graph_.for_each_branch(option, [&](std::size_t outcome, std::size_t child,
                                           double) {
            result_.outcomes.push_back(static_cast<std::uint32_t>(outcome));
            result_.children.push_back(places_.at(index_of(option.children[child])));
            result_.first_gained.push_back(result_.gained.size());
            if (option.gains != nullptr) {
                auto const rewards = graph_.gained(option.gains[child]);
                result_.gained.insert(result_.gained.end(), rewards.begin(),
                                      rewards.end());
            }
        });
    }

    CanonicalGraph const& graph_;
    Residual residual_;
    KeyBuffer buffer_; // of a key while it is looked at
    std::unordered_map<std::size_t, std::uint32_t> places_; // by number in the graph
    Contenders result_;
};

/// Looks for contenders in what a run has scored.
class ContenderSearch {
  public:
    ContenderSearch(CanonicalEngine const& engine, double width)
        : engine_(engine), graph_(engine.graph()), scores_(*engine.scores()),
          tolerance_(scores_.worst_case.tolerance()), width_(width),
          is_met_(graph_.size()) {}

    [[nodiscard]] Contenders found() {
        meet(engine_.root());
        for (std::size_t i = 0; i < states_.size(); ++i) {
            for (Option const& option : options(states_[i])) {
                std::for_each(option.children.begin(), option.children.end(),
                              [this](StateId child) { meet(child); });
            }
        }
        std::sort(states_.begin(), states_.end(), [this](StateId a, StateId b) {
            auto const rank = graph_.rank(a);
            auto const other = graph_.rank(b);
            return rank != other ? rank < other : a < b;
        });
        ContenderWriter writer(graph_);
        for (StateId const state : states_) {
            writer.add(state, options(state));
        }
        return writer.finished();
    }

  private:
    void meet(StateId state) {
        if (!is_met_[index_of(state)]) {
            is_met_[index_of(state)] = true;
            states_.push_back(state);
        }
    }

    // In exact arithmetic it is to be seen whether stopping is as good.
    [[nodiscard]] std::vector<Option> options(StateId state) const {
        std::vector<Option> result;
        double const best = scores_.score({state, 0});
        bool const is_end =
            graph_.may_end(state) && best - graph_.reward(state) <= tolerance_;
        if (!engine_.is_exact() && (is_end || !graph_.is_expanded(state))) {
            return result;
        }
        assert(graph_.is_expanded(state));
        graph_.for_each_option(state, [&](Option const& option) {
            if (!scores_.knows(option)) {
                return;
            }
            double const score = scores_.worst_case.score(option, 0, scores_.scores);
            if (std::isinf(score)) {
                return; // It may get stuck where that must not happen.
            }
            bool const is_worked_out =
                std::all_of(option.children.begin(), option.children.end(),
                            [this](StateId child) { return scores_.has({child, 0}); });
            if (best - score <= width_ && is_worked_out) {
                result.push_back(option);
            }
            assert(best - score > width_ || is_worked_out || !engine_.is_exact());
        });
        return result;
    }

    CanonicalEngine const& engine_;
    CanonicalGraph const& graph_;
    CanonicalScores const& scores_;
    double tolerance_;
    double width_;             // how far below the best a contender may be
    std::vector<bool> is_met_; // by state
    std::vector<StateId> states_;
};

} // namespace

Contenders contenders_of(CanonicalEngine const& engine) {
    double const tolerance = engine.scores()->worst_case.tolerance();
    double const narrower = tolerance * 2 / widths_of_rounding;
    return ContenderSearch(engine, engine.is_exact() ? narrower : tolerance).found();
}

Contenders all_options_of(CanonicalEngine const& engine) {
    return ContenderSearch(engine, std::numeric_limits<double>::infinity()).found();
}

Contenders contenders_of(CanonicalEngine const& engine, Plan const& plan) {
    ContenderWriter writer(engine.graph());
    for (Faced const faced : plan.children_first()) {
        auto const taken = plan.option(faced);
        writer.add(faced.state,
                   taken ? std::span(&*taken, 1) : std::span<Option const>());
    }
    return writer.finished();
}

} // namespace branchwise
