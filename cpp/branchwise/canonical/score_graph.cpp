#include "branchwise/canonical/score_graph.hpp"

#include <cstddef>
#include <limits>
#include <utility>

namespace branchwise {

namespace {

/// Appends states one by one.
class Writer {
  public:
    Writer(CanonicalGraph const& graph, std::span<StateId const> states)
        : graph_(graph), numbers_(graph.size()) {
        for (std::size_t i = 0; i < states.size(); ++i) {
            numbers_[index_of(states[i])] = static_cast<std::uint32_t>(i);
        }
    }

    void add(StateId state) {
        bool const may_stop = graph_.may_stop(state);
        bool const may_end = may_stop || graph_.instance().finish->may_get_stuck;
        result_.rewards.push_back(may_end ? graph_.reward(state)
                                          : -std::numeric_limits<double>::infinity());
        result_.may_stop.push_back(may_stop ? 1 : 0);
        result_.first_options.push_back(result_.actions.size());
        graph_.for_each_option(state, [&](Option const& option) { add(option); });
    }

    ScoreGraph finished() {
        result_.first_options.push_back(result_.actions.size());
        result_.first_branches.push_back(result_.children.size());
        return std::move(result_);
    }

  private:
    void add(Option const& option) {
        auto const& action = graph_.layout().instance().actions[option.action.action];
        Variant const& variant = action.variants[option.action.variant];
        result_.actions.push_back(option.action.action);
        result_.variants.push_back(option.action.variant);
        result_.charges.push_back(variant.charge);
        result_.first_branches.push_back(result_.children.size());
        graph_.for_each_branch(option, [&](std::size_t outcome, std::size_t child,
                                           double probability) {
            result_.outcomes.push_back(static_cast<std::uint32_t>(outcome));
            result_.children.push_back(numbers_[index_of(option.children[child])]);
            result_.probabilities.push_back(probability);
            result_.charges.back() += probability * action.charge_of(outcome);
            result_.gains.push_back(
                option.gains == nullptr ? 0 : graph_.gain_value(option.gains[child]));
        });
    }

    CanonicalGraph const& graph_;
    std::vector<std::uint32_t> numbers_; // by number in the graph
    ScoreGraph result_;
};

} // namespace

ScoreGraph score_graph_of(CanonicalGraph const& graph,
                          std::span<StateId const> states) {
    Writer writer(graph, states);
    for (StateId const state : states) {
        writer.add(state);
    }
    return writer.finished();
}

} // namespace branchwise
