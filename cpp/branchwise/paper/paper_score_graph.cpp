#include "branchwise/paper/paper_score_graph.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "branchwise/paper/crew.hpp"
#include "branchwise/paper/full_graph.hpp"
#include "branchwise/paper/states/state_rules.hpp"

namespace branchwise {

namespace {

using Number = std::uint32_t;

/// Append an option.
void add_option(ScoreGraph& result, StateRules const& rules, Move const& move,
                Code const* children, std::size_t first_child) {
    auto const first_outcome =
        index_of(rules.instance().actions[move.action].first_outcome);
    result.actions.push_back(move.action);
    result.charges.push_back(move.charge);
    result.first_branches.push_back(result.children.size());
    for (std::size_t i = 0; i < move.num_chances; ++i) {
        auto const outcome = index_of(rules.chances(move)[i]) - first_outcome;
        result.outcomes.push_back(static_cast<Number>(outcome));
        result.children.push_back(static_cast<Number>(first_child + children[i]));
        result.probabilities.push_back(rules.probabilities(move)[i]);
        result.gains.push_back(0);
    }
}

/// Append the states of a layer, whose children are numbered from `first_child` on.
void add_layer(ScoreGraph& result, StateRules const& rules, LayerPart const& states,
               std::size_t first_child) {
    for (std::size_t state = 0; state < states.size(); ++state) {
        result.rewards.push_back(states.scores[state]); // not scored yet: the reward
        result.may_stop.push_back(1);
        result.first_options.push_back(result.actions.size());
        Code const* code = states.begin(state);
        while (code != states.end(state)) {
            Move const& move = rules.move(OptionHead::move(*code));
            add_option(result, rules, move, code + 1, first_child);
            code += 1 + move.num_chances;
        }
    }
}

} // namespace

ScoreGraph paper_score_graph(Instance const& instance,
                             std::optional<RewardingSets> const& sets,
                             RunWatch& watch) {
    StateRules rules(instance);
    std::optional<RewardingFilter> filter;
    if (sets) {
        filter.emplace(rules, *sets);
    }
    Crew crew(watch, 1); // so that every layer is in one part
    FullGraph graph(rules, crew);
    graph.generate(filter ? &*filter : nullptr);
    ScoreGraph result;
    std::size_t first_child = 0;
    for (Layer const& layer : graph.layers()) {
        first_child += layer.size();
        add_layer(result, rules, layer.part(0), first_child);
    }
    result.first_options.push_back(result.actions.size());
    result.first_branches.push_back(result.children.size());
    return result;
}

} // namespace branchwise
