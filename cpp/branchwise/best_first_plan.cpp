#include "branchwise/best_first.hpp"

#include <algorithm>

#include "branchwise/canonical_scores.hpp"

namespace branchwise {

std::uint32_t BestFirst::planned_option(Faced faced) {
    meet_new_states();
    if (is_bounded_[index_of(faced.state)] == 0) {
        expand(faced.state);
        (void)pursued_option(faced.state); // Nobody has looked yet what it is worth.
    }
    if (lower(faced) - graph_.reward(faced.state) <= tolerance_) {
        return CanonicalScores::stop;
    }
    expand(faced.state);
    auto [choice, score] = safest_option(faced);
    if (score < lower(faced) - tolerance_) {
        if (auto const option = pursued_option(faced.state)) {
            evaluate(*option);
        }
        choice = safest_option(faced).first;
    }
    return choice;
}

// What a state was said to be worth without its children being known, going for one
// rewarding set is worth: any of its actions that can be taken is a beginning. One that
// is likely to fail is best, as the budget is then left for another set.
std::optional<Option> BestFirst::pursued_option(StateId state) {
    Residual& residual = residuals_[0];
    residual.load(graph_.key(state));
    residual.refresh();
    Pursuit const pursuit = information_.pursuit(residual);
    raise_lower(state, pursuit.worth);
    std::optional<Option> result;
    std::size_t place = pursuit.actions.size();
    graph_.for_each_option(state, [&](Option const& option) {
        auto const found = std::find(pursuit.actions.begin(), pursuit.actions.end(),
                                     option.action.action);
        auto const at = static_cast<std::size_t>(found - pursuit.actions.begin());
        if (at < place) {
            place = at;
            result = option;
        }
    });
    return result;
}

void BestFirst::raise_lower(StateId state, double lower) {
    for (std::uint32_t strikes = 0; strikes < worst_case_.num_layers(); ++strikes) {
        narrow({state, strikes}, lower, upper({state, strikes}));
    }
}

void BestFirst::expand(StateId state) {
    if (!graph_.is_expanded(state)) {
        graph_.expand(state, residuals_[0], successors_[0]);
        graph_.keep(state, successors_[0], residuals_[0]);
        meet_new_states();
    }
}

// A first plan: go for the strongest rewarding set, and after every outcome for the one
// that is strongest then.
void BestFirst::pursue(Faced root) {
    order_.assign(1, root);
    ++num_walks_;
    for (std::size_t i = 0; i < order_.size() && i < most_pursued; ++i) {
        Faced const faced = order_[i];
        if (gap(faced) <= 0 || !watch_->goes_on(progress_)) {
            continue;
        }
        expand(faced.state);
        if (auto const option = pursued_option(faced.state)) {
            for (StateId const child : option->children) {
                Faced const next{child, faced.strikes};
                if (walked_[spot(next)] != num_walks_) {
                    walked_[spot(next)] = num_walks_;
                    order_.push_back(next);
                }
            }
        }
    }
    sort_children_first();
    for (Faced const faced : order_) {
        for (std::uint32_t strikes = 0; strikes <= root.strikes; ++strikes) {
            if (graph_.is_expanded(faced.state)) {
                back_up({faced.state, strikes});
            }
        }
    }
}

} // namespace branchwise
