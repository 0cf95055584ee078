#include "branchwise/search/best_first.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <new>
#include <optional>
#include <queue>
#include <unordered_set>
#include <utility>
#include <vector>

#include "branchwise/canonical/canonical_scores.hpp"

namespace branchwise {

namespace {

// What a plan takes for every spot: a score, a choice, an upper bound, and a bit; and
// what the search can release for that.
constexpr std::size_t bytes_of_plan =
    2 * sizeof(double) + sizeof(std::uint32_t) + sizeof(std::uint8_t);
constexpr std::size_t bytes_to_give_back = sizeof(double) + 2 * sizeof(std::uint32_t);

// What a search takes for every spot, all in all.
constexpr std::size_t bytes_of_search =
    2 * sizeof(double) + sizeof(std::uint8_t) + bytes_to_give_back;

// What working the plan out takes besides, and the caller with the answer.
constexpr std::size_t bytes_of_answer = std::size_t{8} << 20U;

// What plans are looked for with, one after another; with the quick ones before the
// start is bounded by a diagram, with the first ones before the search begins.
constexpr RestrictedPlan::Focus focuses[] = {{1, 16}, {1, 10}, {2, 6},
                                             {2, 4},  {3, 4},  {4, 4}};
constexpr std::size_t num_quick_focuses = 2;
constexpr std::size_t num_first_focuses = 3;

// How often each of these plans is improved where it leads: the first time brings most.
constexpr std::size_t most_improved = 4;

} // namespace

BestFirst::BestFirst(CanonicalGraph& graph, ThreadTeam& team,
                     WorstCase const& worst_case)
    : graph_(graph), team_(team), worst_case_(worst_case),
      tolerance_(worst_case.tolerance()),
      information_(graph.layout(), worst_case.threat(),
                   [this] {
                       if (watch_ != nullptr && !watch_->look(progress_)) {
                           throw Stopped("the run must end");
                       }
                   }),
      bounds_(graph, worst_case_), restricted_(graph.layout()),
      residuals_(Residual::several(graph.layout(), team.size())),
      successors_(most_at_once) {}

bool BestFirst::close_gap(Faced root, double share, RunWatch& watch) {
    OnWatch const on_watch(watch_, watch);
    begin(root, "searching");
    if (root.state != root_) {
        root_ = root.state;
        next_focus_ = 0;
        num_improved_ = 0;
        next_pursuit_ = 0;
    }
    bool is_closed = false;
    return comes_to_end([&] {
               if (next_pursuit_ == 0) {
                   begin_plan(root);
               }
               auto const most = std::max(first_restricted, 4 * graph_.num_expanded());
               // The first diagram may take longer than there is time for.
               (void)has_better_plan(root, most, num_quick_focuses);
               bound_state(root.state);
               note_progress(root, "searching");
               if (gap(root) > (std::isinf(share) ? tolerance_ : wanted(root, share))) {
                   (void)has_better_plan(root, most, num_first_focuses);
               }
               is_closed = search(root, share, "searching");
           }) &&
           is_closed;
}

// The diagram may take longer than there is time for.
void BestFirst::bound_root(Faced root, RunWatch& watch) {
    OnWatch const on_watch(watch_, watch);
    make_room(0);
    meet_new_states();
    note_progress(root, "searching");
    (void)comes_to_end([&] {
        if (!bounds_.is_bounded(root.state)) {
            bound_roughly(root.state);
            bound_state(root.state);
        }
    });
}

void BestFirst::learn(std::span<double const> uppers, double slack,
                      std::span<Faced const> children_first) {
    make_room(0);
    meet_new_states();
    for (std::size_t i = 0; i < uppers.size(); ++i) {
        auto const state = static_cast<StateId>(i);
        bounds_.narrow(state, lower({state, 0}), uppers[i] + slack);
    }
    for (Faced const faced : children_first) {
        bounds_.back_up(faced);
    }
}

bool BestFirst::search(Faced root, double share, char const* stage) {
    while (gap(root) > wanted(root, share)) {
        if (graph_.num_expanded() >= next_pursuit_) {
            work_on_plan(root);
            next_pursuit_ = 2 * graph_.num_expanded();
        }
        bool const is_done = search_once(root);
        note_progress(root, stage);
        if (!is_done) {
            return false;
        }
    }
    return true;
}

double BestFirst::wanted(Faced root, double share) const {
    return std::max(share * std::abs(upper(root)), tolerance_);
}

// Whatever ends it, what was found out is passed up.
bool BestFirst::search_once(Faced root) {
    bool is_done = false;
    bool const is_walked = comes_to_end([&] {
        walk_best_plan(root);
        if (tips_.empty()) {
            evaluate_walked();
        }
        keep_heaviest_tips();
        is_done = work_out_tips(false);
    });
    if (!is_walked) {
        sort_children_first();
    }
    back_up_walked();
    return is_done;
}

// The best plan ends nowhere that is open, and yet there is a gap: it comes from
// options that were not evaluated, because another one was as good within a tie. Once
// all are, either the bounds of the plan meet, or another plan looks best, and that one
// has tips.
void BestFirst::evaluate_walked() {
    for (Faced const faced : order_) {
        if (graph_.is_expanded(faced.state)) {
            evaluate_all(faced);
        }
    }
}

void BestFirst::look() {
    if (!watch_->look(progress_)) {
        throw Stopped("the run must end");
    }
}

bool BestFirst::follow_ties(Faced root, RunWatch& watch) {
    OnWatch const on_watch(watch_, watch);
    begin(root, "settling ties");
    return comes_to_end([&] {
        do {
            do {
                walk_ties(root);
                note_progress(root, "settling ties");
            } while (!close_walked_gaps());
            if (!work_out_tips(true)) {
                throw Stopped("the run must end");
            }
            back_up_walked();
        } while (!tips_.empty());
    });
}

// The adversary does not come everywhere, so that bounds may be wide where the plan
// still needs to know what to do. To close the gap there is less work than to follow
// all that may be optimal. True if there was nothing to do.
bool BestFirst::close_walked_gaps() {
    std::vector<Faced> open;
    std::copy_if(order_.rbegin(), order_.rend(), std::back_inserter(open),
                 [this](Faced faced) { return gap(faced) > tolerance_; });
    for (Faced const faced : open) {
        if (!search(faced, 0, "settling ties")) {
            throw Stopped("the run must end");
        }
    }
    return open.empty();
}

// Collect what can be reached from the root by following options, children first.
template <typename Follow>
void BestFirst::walk(Faced root, Follow follow) {
    order_.assign(1, root);
    tips_.clear();
    ++num_walks_;
    walked_[spot(root)] = num_walks_;
    for (std::size_t i = 0; i < order_.size(); ++i) {
        look();
        follow(order_[i], [&](Faced child) {
            if (walked_[spot(child)] != num_walks_) {
                walked_[spot(child)] = num_walks_;
                order_.push_back(child);
            }
        });
    }
    sort_children_first();
}

void BestFirst::sort_children_first() {
    std::sort(order_.begin(), order_.end(), [this](Faced a, Faced b) {
        std::uint64_t const rank = graph_.rank(a.state);
        std::uint64_t const other = graph_.rank(b.state);
        return rank != other ? rank < other : spot(a) < spot(b);
    });
}

void BestFirst::walk_best_plan(Faced root) {
    walk(root, [this](Faced faced, auto meet) {
        best_[spot(faced)] = CanonicalScores::stop;
        if (gap(faced) <= 0) {
            return;
        }
        if (!graph_.is_expanded(faced.state)) {
            tips_.push_back({faced, 0});
            return;
        }
        evaluate_until_one_is_as_good(faced);
        best_[spot(faced)] = bounds_.best_option(faced);
        std::uint32_t number = 0;
        graph_.for_each_option(faced.state, [&](Option const& option) {
            if (number++ == best_[spot(faced)]) {
                worst_case_.for_each_child(option, faced.deviations, bounds_.lowers(),
                                           [&](Faced child, double probability) {
                                               if (probability > 0) {
                                                   meet(child);
                                               }
                                           });
            }
        });
    });
    add_up_reach();
}

void BestFirst::add_up_reach() {
    for (Faced const faced : order_) {
        reach_[spot(faced)] = 0;
    }
    reach_[spot(order_.back())] = 1;
    for (std::size_t i = order_.size(); i-- > 0;) {
        Faced const faced = order_[i];
        std::uint32_t number = 0;
        if (best_[spot(faced)] != CanonicalScores::stop) {
            graph_.for_each_option(faced.state, [&](Option const& option) {
                if (number++ == best_[spot(faced)]) {
                    worst_case_.for_each_child(
                        option, faced.deviations, bounds_.lowers(),
                        [&](Faced child, double probability) {
                            reach_[spot(child)] += probability * reach_[spot(faced)];
                        });
                }
            });
        }
    }
    for (Tip& tip : tips_) {
        tip.weight = reach_[spot(tip.faced)] * gap(tip.faced);
    }
}

// Where most of the gap comes from; more of them where the plan is large, as walking
// it takes its time.
void BestFirst::keep_heaviest_tips() {
    std::sort(tips_.begin(), tips_.end(), [this](Tip const& a, Tip const& b) {
        return a.weight != b.weight ? a.weight > b.weight
                                    : spot(a.faced) < spot(b.faced);
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

// Stopping beats acting when both are optimal, which no float decides exactly.
bool BestFirst::is_end(Faced faced) const {
    if (is_exact_) {
        return false;
    }
    return upper(faced) - graph_.reward(faced.state) <= tolerance_;
}

void BestFirst::walk_ties(Faced root) {
    walk(root, [this](Faced faced, auto meet) {
        if (is_end(faced)) {
            return;
        }
        if (!graph_.is_expanded(faced.state)) {
            tips_.push_back({faced, 0});
            return;
        }
        evaluate_all(faced);
        graph_.for_each_option(faced.state, [&](Option const& option) {
            if (lower(faced) - bounds_.upper_of(option, faced) <= tolerance_) {
                take_possible_answers(option, faced, meet);
            }
        });
    });
}

// Where bounds do not decide whether the adversary deviates, both answers are followed.
template <typename Meet>
void BestFirst::take_possible_answers(Option const& option, Faced faced,
                                      Meet meet) const {
    auto const deviations = faced.deviations;
    bool const can_deviate = worst_case_.can_deviate(option, deviations);
    auto const nominal = [&](std::span<double const> bounds) {
        return worst_case_.nominal(option, deviations, bounds);
    };
    auto const deviated = [&](std::span<double const> bounds) {
        return worst_case_.deviated(option, deviations, bounds);
    };
    if (!can_deviate ||
        nominal(bounds_.lowers()) - deviated(bounds_.uppers()) <= tolerance_) {
        for (StateId const child : option.children) {
            meet(Faced{child, deviations});
        }
    }
    if (can_deviate &&
        nominal(bounds_.uppers()) - deviated(bounds_.lowers()) > tolerance_) {
        for (StateId const child : option.children) {
            meet(Faced{child, worst_case_.after_deviation(deviations)});
        }
    }
}

bool BestFirst::work_out_tips(bool follows_ties) {
    for (std::span<Tip const> rest(tips_); !rest.empty();) {
        std::size_t const size = std::min(pace_.begin(), rest.size());
        if (!work_out(rest.first(size), follows_ties)) {
            return false;
        }
        rest = rest.subspan(size);
    }
    return true;
}

bool BestFirst::work_out(std::span<Tip const> tips, bool follows_ties) {
    team_.share(tips.size(), [&](std::size_t task, std::size_t thread) {
        StateId const state = tips[task].faced.state;
        if (!graph_.is_expanded(state)) {
            graph_.expand({&state, 1}, residuals_[thread], successors_[task]);
        }
    });
    pace_.end();
    for (std::size_t i = 0; i < tips.size(); ++i) {
        Faced const faced = tips[i].faced;
        // The same state may be a tip with other deviations left.
        if (!graph_.is_expanded(faced.state)) {
            keep(faced.state, successors_[i]);
        }
        if (!follows_ties) {
            evaluate_until_one_is_as_good(faced);
        }
        progress_.num_states = graph_.size();
        if (!watch_->look(progress_)) {
            return false;
        }
    }
    return true;
}

void BestFirst::back_up_walked() {
    for (Faced const faced : order_) {
        if (graph_.is_expanded(faced.state)) {
            bounds_.back_up(faced);
        }
    }
}

std::uint32_t BestFirst::planned_option(Faced faced, Care care, RunWatch& watch) {
    OnWatch const on_watch(watch_, watch);
    Hurry const hurry(information_, information_.is_slow());
    make_room(0);
    meet_new_states();
    std::uint32_t result = CanonicalScores::stop;
    bool const is_worked_out = comes_to_end([&] {
        look();
        result = worked_out_option(faced, care);
    });
    if (!is_worked_out && graph_.is_expanded(faced.state)) {
        result = bounds_.safest_option(faced).first;
    }
    return result;
}

std::uint32_t BestFirst::worked_out_option(Faced faced, Care care) {
    if (care == Care::improved && !bounds_.is_bounded(faced.state)) {
        expand(faced.state);
        (void)pursued_option(faced.state); // to learn what it is worth
    }
    if (lower(faced) - graph_.reward(faced.state) <= tolerance_) {
        return CanonicalScores::stop;
    }
    expand(faced.state);
    auto [choice, score] = bounds_.safest_option(faced);
    if (score < lower(faced) - tolerance_) {
        if (auto const option = pursued_option(faced.state)) {
            for (StateId const child : option->children) {
                (void)hope(child);
            }
        }
        choice = bounds_.safest_option(faced).first;
    }
    return choice;
}

// What a state was said to be worth without its children being known, going for one
// rewarding set is worth: any of its actions that can be taken is a beginning. One that
// is likely to fail is best, as the budget is then left for another set.
std::optional<Option> BestFirst::pursued_option(StateId state) {
    Residual& residual = residuals_[0];
    residual.refresh(graph_.key(state, buffer_));
    Pursuit const pursuit = information_.pursuit(residual);
    bounds_.raise_lower(state, pursuit.worth);
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

void BestFirst::expand(StateId state) {
    if (!graph_.is_expanded(state)) {
        graph_.expand({&state, 1}, residuals_[0], successors_[0]);
        keep(state, successors_[0]);
    }
}

// A plan to begin with, before the first diagram, which may take long.
void BestFirst::begin_plan(Faced root) {
    bound_roughly(root.state);
    Hurry const hurry(information_, true);
    note_progress(root, "searching");
    pursue(root, first_pursued);
    next_pursuit_ = 1;
    note_progress(root, "searching");
}

// Where few actions at each state are still too many, go for rewarding sets.
void BestFirst::work_on_plan(Faced root) {
    if (!has_better_plan(root, most_restricted * graph_.num_expanded(),
                         std::size(focuses))) {
        std::size_t const most = std::max(least_pursued, graph_.num_expanded() / 8);
        pursue(root, std::min(most, most_pursued));
    }
}

// Look for a better plan with ever more actions at each state, and less set aside, as
// long as that takes few states. Returns whether there was one to look for.
bool BestFirst::has_better_plan(Faced root, std::size_t most_states,
                                std::size_t last_focus) {
    bool is_found = false;
    // It goes by probabilities that are the same wherever an action is taken, and by
    // rewards that conditions decide.
    bool const fits =
        !graph_.instance().has_hidden() && !graph_.instance().pays_on_the_way();
    while (fits && next_focus_ < last_focus &&
           restricted_.work_out(
               graph_.key(root.state, buffer_), focuses[next_focus_], most_states,
               [this] { look(); })) {
        follow_actions(root, [&](StateId state) -> std::optional<std::uint32_t> {
            auto const action = restricted_.action(graph_.key(state, buffer_));
            return action ? std::optional(action->action) : std::nullopt;
        });
        note_progress(root, "searching");
        is_found = true;
        if (!improves_restricted()) {
            ++next_focus_;
            num_improved_ = 0;
        }
    }
    return is_found;
}

// Have the plan that was just followed improved next, if that may help.
bool BestFirst::improves_restricted() {
    if (num_improved_ == most_improved) {
        return false;
    }
    ++num_improved_;
    std::vector<KeyBuffer> buffers(order_.size());
    std::vector<Word const*> plan;
    for (std::size_t i = 0; i < order_.size(); ++i) {
        plan.push_back(graph_.key(order_[i].state, buffers[i]));
    }
    return restricted_.widen(plan);
}

// Take a plan over that says what to do at a state, and pass up what it is worth.
template <typename ActionAt>
void BestFirst::follow_actions(Faced root, ActionAt action_at) {
    walk(root, [&](Faced faced, auto meet) {
        std::optional<std::uint32_t> const action = action_at(faced.state);
        if (!action) {
            return;
        }
        expand(faced.state);
        graph_.for_each_option(faced.state, [&](Option const& option) {
            if (option.action.action == *action) {
                std::for_each(
                    option.children.begin(), option.children.end(),
                    [&](StateId child) { meet(Faced{child, faced.deviations}); });
            }
        });
    });
    back_up_all(root);
}

// What was walked, with every number of deviations that may be left.
void BestFirst::back_up_all(Faced root) {
    for (Faced const faced : order_) {
        for (std::uint32_t deviations = 0; deviations <= root.deviations;
             ++deviations) {
            if (graph_.is_expanded(faced.state)) {
                bounds_.back_up({faced.state, deviations});
            }
        }
    }
}

// What was expanded without searching leads to states that have no bounds yet.
bool BestFirst::has_bounds_below(StateId state) const {
    bool result = graph_.is_expanded(state) && spot({state, 0}) < bounds_.num_spots();
    if (result) {
        graph_.for_each_option(state, [&](Option const& option) {
            for (StateId const child : option.children) {
                result &= spot({child, 0}) < bounds_.num_spots();
            }
        });
    }
    return result;
}

PlanSteps BestFirst::steps_in_hand(Faced root) const {
    PlanSteps steps;
    if (spot(root) >= bounds_.num_spots()) {
        return steps; // It was never searched from there.
    }
    std::vector<StateId> pending{root.state};
    std::unordered_set<StateId> is_met{root.state};
    KeyBuffer buffer;
    while (!pending.empty()) {
        Faced const faced{pending.back(), root.deviations};
        pending.pop_back();
        Word const* const key = graph_.key(faced.state, buffer);
        steps.keys.insert(steps.keys.end(), key, key + graph_.layout().key_words());
        steps.actions.push_back(PlanSteps::open);
        steps.lowers.push_back(lower(faced));
        if (!has_bounds_below(faced.state)) {
            continue;
        }
        std::uint32_t const choice = bounds_.safest_option(faced).first;
        std::uint32_t number = 0;
        graph_.for_each_option(faced.state, [&](Option const& option) {
            if (number++ == choice) {
                steps.actions.back() = option.action.action;
                std::copy_if(option.children.begin(), option.children.end(),
                             std::back_inserter(pending), [&](StateId child) {
                                 return is_met.insert(child).second;
                             });
            }
        });
    }
    return steps;
}

// The same key is the same future, whichever search came there: so bounds hold here,
// too.
void BestFirst::take_over(Faced root, PlanSteps const& steps, RunWatch& watch) {
    OnWatch const on_watch(watch_, watch);
    begin(root, "searching");
    std::size_t const num_words = graph_.layout().key_words();
    std::map<std::vector<Word>, std::size_t> places;
    for (std::size_t i = 0; i < steps.actions.size(); ++i) {
        auto const first =
            steps.keys.begin() + static_cast<std::ptrdiff_t>(i * num_words);
        places.emplace(
            std::vector(first, first + static_cast<std::ptrdiff_t>(num_words)), i);
    }
    bool const is_followed = comes_to_end([&] {
        follow_actions(root, [&](StateId state) -> std::optional<std::uint32_t> {
            Word const* const key = graph_.key(state, buffer_);
            auto const place = places.find({key, key + num_words});
            if (place == places.end()) {
                return std::nullopt;
            }
            bounds_.raise_lower(state, steps.lowers[place->second]);
            std::uint32_t const action = steps.actions[place->second];
            return action == PlanSteps::open ? std::nullopt : std::optional(action);
        });
    });
    if (!is_followed) {
        sort_children_first();
        back_up_all(root);
    }
    note_progress(root, "searching");
}

// Work out the plan in hand further: go for a rewarding set, and after every outcome
// for the one that looks best then. Whatever ends it, what was found out is passed up.
void BestFirst::pursue(Faced root, std::size_t most) {
    order_.clear();
    bool const is_followed = comes_to_end([&] { follow_pursuit(root, most); });
    sort_children_first();
    back_up_all(root);
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
            graph_.for_each_child(*option, [&](StateId child, double probability) {
                Faced const next{child, faced.deviations};
                if (walked_[spot(next)] != num_walks_) {
                    walked_[spot(next)] = num_walks_;
                    double const likely = reach * probability;
                    pending.push({std::sqrt(likely) * hope(child), likely, next});
                }
            });
        }
    }
}

// What going for one rewarding set looks to be worth at a state, before anything is
// known of its children.
double BestFirst::hope(StateId state) {
    Residual& residual = residuals_[0];
    residual.refresh(graph_.key(state, buffer_));
    Pursuit const pursuit = information_.pursuit(residual);
    bounds_.raise_lower(state, pursuit.worth);
    return pursuit.hope;
}

// What the plan does, or else what a pursuit would begin with.
std::optional<Option> BestFirst::option_in_hand(Faced faced) {
    auto const [choice, score] = bounds_.safest_option(faced);
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

// Not for good.
void BestFirst::bound_roughly(StateId state) {
    Hurry const hurry(information_, true);
    bound_state(state);
    bounds_.set_bounded(state, false);
}

// However many deviations are left, the same sets are there.
void BestFirst::bound_state(StateId state) {
    if (bounds_.is_bounded(state)) {
        return;
    }
    Residual& residual = residuals_[0];
    residual.refresh(graph_.key(state, buffer_));
    Bound const bound = information_.bound(residual);
    bounds_.set_bounded(state, true);
    bounds_.narrow(state, bound.lower, bound.upper);
}

void BestFirst::evaluate(Option const& option) {
    std::for_each(option.children.begin(), option.children.end(),
                  [this](StateId child) { bound_state(child); });
}

// No option is better than its state was said to be. Once one is as good, the others
// can wait until it turns out to be worse.
void BestFirst::evaluate_until_one_is_as_good(Faced faced) {
    bool is_found = false;
    graph_.for_each_option(faced.state, [&](Option const& option) {
        if (!is_found) {
            evaluate(option);
            is_found = bounds_.upper_of(option, faced) >= upper(faced) - tolerance_;
        }
    });
    bounds_.back_up(faced);
}

void BestFirst::evaluate_all(Faced faced) {
    graph_.for_each_option(faced.state,
                           [&](Option const& option) { evaluate(option); });
    bounds_.back_up(faced);
}

// Have room for so many more states. What has no room throws before anything has
// changed.
void BestFirst::make_room(std::size_t num_states) {
    std::size_t const size = graph_.size() + num_states;
    std::size_t const num_spots = size * worst_case_.num_layers();
    std::size_t const to_finish = num_spots * bytes_of_plan + bytes_of_answer;
    if (is_searching_ && reserve_.bytes() < to_finish) {
        reserve_.resize(to_finish + to_finish / 4);
    }
    bounds_.make_room(num_states);
    if (!is_light_) {
        walked_.make_room(num_spots - walked_.size());
        reach_.make_room(num_spots - reach_.size());
        best_.make_room(num_spots - best_.size());
    }
}

void BestFirst::keep(StateId state, Successors const& successors) {
    Successors::Part const& part = successors.parts[0];
    std::size_t const num_spots = part.num_children * worst_case_.num_layers();
    std::size_t const bytes = num_spots * bytes_of_search;
    if (!watch_->has_room(graph_.bytes_to_keep(part) + bytes)) {
        throw Stopped("the run must end");
    }
    make_room(part.num_children);
    graph_.keep(state, successors, part, residuals_[0]);
    meet_new_states();
}

// There is room for them.
void BestFirst::meet_new_states() {
    bounds_.meet_new_states(information_.trivial_bound());
    if (!is_light_) {
        walked_.fill_up(worst_case_.num_spots(), 0);
        reach_.fill_up(worst_case_.num_spots(), 0);
        best_.fill_up(worst_case_.num_spots(), 0);
    }
}

void BestFirst::rest(bool is_short) {
    is_searching_ = false;
    reserve_.release();
    if (is_short) {
        lighten();
    }
}

// From here on there is nothing but the plan in hand.
void BestFirst::lighten() {
    is_searching_ = false;
    is_light_ = true;
    reserve_.release();
    walked_.release();
    reach_.release();
    best_.release();
    information_.forget();
}

void BestFirst::begin(Faced root, char const* stage) {
    is_searching_ = true;
    is_light_ = false;
    std::size_t const num_new = worst_case_.num_spots() - bounds_.num_spots();
    if (!watch_->has_room(num_new * bytes_of_search)) {
        throw std::bad_alloc();
    }
    make_room(0);
    meet_new_states();
    note_progress(root, stage);
}

bool BestFirst::comes_to_end(std::function<void()> const& work) {
    try {
        work();
        return true;
    } catch (Stopped const&) {
        return false;
    } catch (std::bad_alloc const&) {
        watch_->end(Ending::memory);
        lighten();
        return false;
    }
}

void BestFirst::note_progress(Faced root, char const* stage) {
    std::size_t const more = bytes_of_plan - bytes_to_give_back;
    progress_ = {graph_.size(), lower(root), upper(root), stage,
                 worst_case_.num_spots() * more + bytes_of_answer};
}

std::size_t BestFirst::bytes() const {
    return information_.bytes() + bounds_.bytes() + walked_.bytes() + reach_.bytes() +
           best_.bytes();
}

} // namespace branchwise
