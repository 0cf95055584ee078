#include "branchwise/best_first.hpp"

#include <algorithm>
#include <cmath>

#include "branchwise/canonical_scores.hpp"

namespace branchwise {

namespace {

/// Somebody watches as long as this lasts.
class OnWatch {
  public:
    OnWatch(RunWatch*& place, RunWatch& watch) : place_(place) { place_ = &watch; }
    OnWatch(OnWatch const&) = delete;
    OnWatch& operator=(OnWatch const&) = delete;
    ~OnWatch() { place_ = nullptr; }

  private:
    RunWatch*& place_;
};

} // namespace

BestFirst::BestFirst(CanonicalGraph& graph, ThreadTeam& team, double tolerance)
    : graph_(graph), team_(team), tolerance_(tolerance),
      information_(graph.layout(),
                   [this] {
                       if (watch_ != nullptr && !watch_->look(progress_)) {
                           throw Stopped("the run must end");
                       }
                   }),
      residuals_(team.size(), Residual(graph.layout())), successors_(most_at_once) {}

bool BestFirst::close_gap(StateId root, double share, RunWatch& watch) {
    OnWatch const on_watch(watch_, watch);
    try {
        meet_new_states();
        note_progress(root, "searching");
        bound_state(root);
        note_progress(root, "searching");
        if (!std::exchange(is_pursued_, true)) {
            pursue(root);
        }
        note_progress(root, "searching");
        while (this->gap(root) > std::max(share * std::abs(upper(root)), tolerance_)) {
            walk_best_plan(root);
            keep_heaviest_tips();
            bool const is_done = work_out_tips(false);
            back_up_walked();
            note_progress(root, "searching");
            if (!is_done) {
                return false;
            }
        }
    } catch (Stopped const&) {
        return false;
    }
    return true;
}

bool BestFirst::follow_ties(StateId root, RunWatch& watch) {
    OnWatch const on_watch(watch_, watch);
    try {
        meet_new_states();
        do {
            walk_ties(root);
            note_progress(root, "settling ties");
            if (!work_out_tips(true)) {
                return false;
            }
            back_up_walked();
        } while (!tips_.empty());
    } catch (Stopped const&) {
        return false;
    }
    return true;
}

void BestFirst::note_progress(StateId root, char const* stage) {
    progress_ = {graph_.size(), lower(root), upper(root), stage};
}

void BestFirst::meet_new_states() {
    for (std::size_t i = lower_.size(); i < graph_.size(); ++i) {
        double const reward = graph_.reward(static_cast<StateId>(i));
        lower_.push_back(reward);
        upper_.push_back(std::max(reward, information_.trivial_bound()));
    }
    is_bounded_.resize(graph_.size());
    walked_.resize(graph_.size());
    reach_.resize(graph_.size());
    best_.resize(graph_.size());
}

void BestFirst::bound_state(StateId state) {
    std::size_t const at = index_of(state);
    if (is_bounded_[at] != 0) {
        return;
    }
    Residual& residual = residuals_[0];
    residual.load(graph_.key(state));
    residual.refresh();
    Bound const bound = information_.bound(residual);
    is_bounded_[at] = 1;
    lower_[at] = std::max(lower_[at], bound.lower);
    upper_[at] = std::max(lower_[at], std::min(upper_[at], bound.upper));
}

void BestFirst::back_up(StateId state) {
    double lower = graph_.reward(state);
    double upper = lower;
    graph_.for_each_option(state, [&](Option const& option) {
        lower = std::max(lower, option_score(graph_, option, lower_));
        upper = std::max(upper, option_score(graph_, option, upper_));
    });
    std::size_t const at = index_of(state);
    lower_[at] = std::max(lower_[at], lower);
    upper_[at] = std::max(lower_[at], std::min(upper_[at], upper));
}

bool BestFirst::is_evaluated(Option const& option) const {
    return std::all_of(option.children.begin(), option.children.end(),
                       [this](StateId child) { return is_bounded_[index_of(child)]; });
}

void BestFirst::evaluate(Option const& option) {
    std::for_each(option.children.begin(), option.children.end(),
                  [this](StateId child) { bound_state(child); });
}

// No option is better than its state was said to be. Once one is as good, the others
// can wait until it turns out to be worse.
void BestFirst::evaluate_until_one_is_as_good(StateId state) {
    bool is_found = false;
    graph_.for_each_option(state, [&](Option const& option) {
        if (!is_found) {
            evaluate(option);
            is_found =
                option_score(graph_, option, upper_) >= upper(state) - tolerance_;
        }
    });
    back_up(state);
}

void BestFirst::evaluate_all(StateId state) {
    graph_.for_each_option(state, [&](Option const& option) { evaluate(option); });
    back_up(state);
}

// By upper bound; of those that look the same, one with the better plan in hand.
std::uint32_t BestFirst::best_option(StateId state) {
    std::uint32_t number = 0;
    std::uint32_t best = CanonicalScores::stop;
    double best_upper = graph_.reward(state);
    double best_lower = best_upper;
    graph_.for_each_option(state, [&](Option const& option) {
        if (is_evaluated(option)) {
            double const upper = option_score(graph_, option, upper_);
            double const lower = option_score(graph_, option, lower_);
            if (upper > best_upper || (upper == best_upper && lower > best_lower)) {
                best = number;
                best_upper = upper;
                best_lower = lower;
            }
        }
        ++number;
    });
    return best;
}

std::uint32_t BestFirst::planned_option(StateId state) {
    meet_new_states();
    if (is_bounded_[index_of(state)] == 0) {
        expand(state);
        (void)pursued_option(state); // Nobody has looked yet what it is worth.
    }
    if (lower(state) - graph_.reward(state) <= tolerance_) {
        return CanonicalScores::stop;
    }
    expand(state);
    auto [choice, score] = safest_option(state);
    if (score < lower(state) - tolerance_) {
        if (auto const option = pursued_option(state)) {
            evaluate(*option);
        }
        choice = safest_option(state).first;
    }
    return choice;
}

// By lower bound.
std::pair<std::uint32_t, double> BestFirst::safest_option(StateId state) const {
    std::uint32_t number = 0;
    std::pair best{CanonicalScores::stop, graph_.reward(state)};
    graph_.for_each_option(state, [&](Option const& option) {
        double const lower = option_score(graph_, option, lower_);
        if (lower > best.second) {
            best = {number, lower};
        }
        ++number;
    });
    return best;
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
    std::size_t const at = index_of(state);
    lower_[at] = std::max(lower_[at], lower);
    upper_[at] = std::max(lower_[at], upper_[at]);
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
void BestFirst::pursue(StateId root) {
    order_.assign(1, root);
    ++num_walks_;
    for (std::size_t i = 0; i < order_.size() && i < most_pursued; ++i) {
        StateId const state = order_[i];
        if (gap(state) <= 0 || !watch_->goes_on(progress_)) {
            continue;
        }
        expand(state);
        if (auto const option = pursued_option(state)) {
            for (StateId const child : option->children) {
                if (walked_[index_of(child)] != num_walks_) {
                    walked_[index_of(child)] = num_walks_;
                    order_.push_back(child);
                }
            }
        }
    }
    sort_children_first();
    back_up_walked();
}

// Collect what can be reached from the root by following options, children first.
template <typename Follow>
void BestFirst::walk(StateId root, Follow follow) {
    order_.assign(1, root);
    tips_.clear();
    ++num_walks_;
    walked_[index_of(root)] = num_walks_;
    for (std::size_t i = 0; i < order_.size(); ++i) {
        follow(order_[i], [&](Option const& option) {
            for (StateId const child : option.children) {
                if (walked_[index_of(child)] != num_walks_) {
                    walked_[index_of(child)] = num_walks_;
                    order_.push_back(child);
                }
            }
        });
    }
    sort_children_first();
}

void BestFirst::sort_children_first() {
    std::sort(order_.begin(), order_.end(), [this](StateId a, StateId b) {
        return graph_.rank(a) != graph_.rank(b) ? graph_.rank(a) < graph_.rank(b)
                                                : a < b;
    });
}

void BestFirst::walk_best_plan(StateId root) {
    walk(root, [this](StateId state, auto take) {
        best_[index_of(state)] = CanonicalScores::stop;
        if (gap(state) <= 0) {
            return;
        }
        if (!graph_.is_expanded(state)) {
            tips_.push_back({state, 0});
            return;
        }
        evaluate_until_one_is_as_good(state);
        best_[index_of(state)] = best_option(state);
        std::uint32_t number = 0;
        graph_.for_each_option(state, [&](Option const& option) {
            if (number++ == best_[index_of(state)]) {
                take(option);
            }
        });
    });
    add_up_reach();
}

void BestFirst::add_up_reach() {
    for (StateId const state : order_) {
        reach_[index_of(state)] = 0;
    }
    reach_[index_of(order_.back())] = 1;
    for (std::size_t i = order_.size(); i-- > 0;) {
        StateId const state = order_[i];
        std::uint32_t number = 0;
        if (best_[index_of(state)] != CanonicalScores::stop) {
            graph_.for_each_option(state, [&](Option const& option) {
                if (number++ == best_[index_of(state)]) {
                    graph_.for_each_child(option, [&](StateId child, double odds) {
                        reach_[index_of(child)] += odds * reach_[index_of(state)];
                    });
                }
            });
        }
    }
    for (Tip& tip : tips_) {
        tip.weight = reach_[index_of(tip.state)] * gap(tip.state);
    }
}

// Where most of the gap comes from; more of them where the plan is large, as walking
// it takes its time.
void BestFirst::keep_heaviest_tips() {
    std::sort(tips_.begin(), tips_.end(), [](Tip const& a, Tip const& b) {
        return a.weight != b.weight ? a.weight > b.weight : a.state < b.state;
    });
    double total = 0;
    for (Tip const& tip : tips_) {
        total += tip.weight;
    }
    std::size_t const at_least = 1 + order_.size() / 16;
    double covered = 0;
    std::size_t count = 0;
    while (count < tips_.size() && (count < at_least || covered < total / 2)) {
        covered += tips_[count++].weight;
    }
    tips_.resize(count);
}

// Stopping beats acting when both are optimal.
bool BestFirst::is_end(StateId state) const {
    return upper(state) - graph_.reward(state) <= tolerance_;
}

void BestFirst::walk_ties(StateId root) {
    walk(root, [this](StateId state, auto take) {
        if (is_end(state)) {
            return;
        }
        if (!graph_.is_expanded(state)) {
            tips_.push_back({state, 0});
            return;
        }
        evaluate_all(state);
        graph_.for_each_option(state, [&](Option const& option) {
            if (lower(state) - option_score(graph_, option, upper_) <= tolerance_) {
                take(option);
            }
        });
    });
}

bool BestFirst::work_out_tips(bool follows_ties) {
    for (std::size_t first = 0; first < tips_.size(); first += most_at_once) {
        std::size_t const last = std::min(first + most_at_once, tips_.size());
        team_.share(last - first, [&](std::size_t task, std::size_t thread) {
            StateId const state = tips_[first + task].state;
            graph_.expand(state, residuals_[thread], successors_[task]);
        });
        for (std::size_t i = first; i < last; ++i) {
            StateId const state = tips_[i].state;
            graph_.keep(state, successors_[i - first], residuals_[0]);
            meet_new_states();
            if (!follows_ties) {
                evaluate_until_one_is_as_good(state);
            }
            progress_.num_states = graph_.size();
            if (!watch_->goes_on(progress_)) {
                return false;
            }
        }
    }
    return true;
}

void BestFirst::back_up_walked() {
    for (StateId const state : order_) {
        if (graph_.is_expanded(state)) {
            back_up(state);
        }
    }
}

std::size_t BestFirst::bytes() const {
    return information_.bytes() +
           lower_.capacity() * (3 * sizeof(double) + sizeof(std::uint32_t) + 2);
}

} // namespace branchwise
