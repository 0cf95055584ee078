#include "branchwise/best_first.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "branchwise/canonical_scores.hpp"

namespace branchwise {

std::uint32_t BestFirst::planned_option(Faced faced, RunWatch& watch) {
    OnWatch const on_watch(watch_, watch);
    Hurry const hurry(information_, information_.is_slow());
    make_room(0);
    meet_new_states();
    std::uint32_t result = CanonicalScores::stop;
    bool const is_worked_out = comes_to_end([&] {
        look();
        result = worked_out_option(faced);
    });
    if (!is_worked_out && graph_.is_expanded(faced.state)) {
        result = safest_option(faced).first;
    }
    return result;
}

std::uint32_t BestFirst::worked_out_option(Faced faced) {
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
            for (StateId const child : option->children) {
                (void)hope(child);
            }
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
        keep(state, successors_[0]);
    }
}

// A plan to begin with, before anybody looks at a diagram, which may take long.
void BestFirst::begin_plan(Faced root) {
    Hurry const hurry(information_, true);
    bound_state(root.state);
    is_bounded_[index_of(root.state)] = 0; // not for good
    note_progress(root, "searching");
    pursue(root, first_pursued);
    next_pursuit_ = 1;
    note_progress(root, "searching");
}

// Work out the plan in hand further: go for a rewarding set, and after every outcome
// for the one that looks best then. Whatever ends it, what was found out is passed up.
void BestFirst::pursue(Faced root, std::size_t most) {
    order_.clear();
    bool const is_followed = comes_to_end([&] { follow_pursuit(root, most); });
    sort_children_first();
    for (Faced const faced : order_) {
        for (std::uint32_t strikes = 0; strikes <= root.strikes; ++strikes) {
            if (graph_.is_expanded(faced.state)) {
                back_up({faced.state, strikes});
            }
        }
    }
    if (!is_followed) {
        throw Stopped("the run must end");
    }
}

// Go deep first where a reward is near, and not only where the plan is likely to come:
// of a plan that nowhere comes to a reward nothing is in hand.
void BestFirst::follow_pursuit(Faced root, std::size_t most) {
    std::priority_queue<Pursued> pending;
    ++num_walks_;
    walked_[spot(root)] = num_walks_;
    pending.push({1, 1, root});
    while (!pending.empty() && most > 0) {
        look();
        auto const [weight, reach, faced] = pending.top();
        pending.pop();
        order_.push_back(faced);
        if (gap(faced) <= tolerance_) {
            continue;
        }
        most -= graph_.is_expanded(faced.state) ? 0 : 1;
        expand(faced.state);
        if (auto const option = option_in_hand(faced)) {
            graph_.for_each_child(*option, [&](StateId child, double odds) {
                Faced const next{child, faced.strikes};
                if (walked_[spot(next)] != num_walks_) {
                    walked_[spot(next)] = num_walks_;
                    double const likely = reach * odds;
                    pending.push({std::sqrt(likely) * hope(child), likely, next});
                }
            });
        }
    }
}

// What a state looks to be worth to one who goes for a rewarding set, before anything
// is known of its children.
double BestFirst::hope(StateId state) {
    Residual& residual = residuals_[0];
    residual.load(graph_.key(state));
    residual.refresh();
    Pursuit const pursuit = information_.pursuit(residual);
    raise_lower(state, pursuit.worth);
    return pursuit.hope;
}

// What the plan does, or else what a pursuit would begin with.
std::optional<Option> BestFirst::option_in_hand(Faced faced) {
    auto const [choice, score] = safest_option(faced);
    std::optional<Option> result;
    if (choice == CanonicalScores::stop || score < lower(faced) - tolerance_) {
        result = pursued_option(faced.state);
    }
    if (!result && choice != CanonicalScores::stop) {
        std::uint32_t number = 0;
        graph_.for_each_option(faced.state, [&](Option const& option) {
            if (number++ == choice) {
                result = option;
            }
        });
    }
    return result;
}

} // namespace branchwise
