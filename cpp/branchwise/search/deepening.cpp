#include "branchwise/search/deepening.hpp"

#include <algorithm>
#include <utility>

#include "branchwise/support/bits.hpp"

namespace branchwise {

namespace {

// Of a tie: what an option may seem better by because of rounding, and what a value may
// therefore be off by at every action.
constexpr double share_of_tie = 1.0 / 1024;

// States of the plan in hand that are worked out where a run is broken off: a second.
constexpr std::size_t most_followed = 100'000;

[[nodiscard]] bool is_free(Variant const& variant) {
    return std::all_of(variant.price.begin(), variant.price.end(),
                       [](std::int64_t price) { return price == 0; });
}

// What every attempt that costs anything costs at least, by resource.
[[nodiscard]] std::vector<std::int64_t> least_price(Instance const& instance) {
    std::vector<std::int64_t> result;
    for (InstanceAction const& action : instance.actions) {
        Variant const& variant = action.variants[0];
        if (action.attempts == 0 || is_free(variant)) {
            continue;
        }
        if (result.empty()) {
            result = variant.price;
        }
        for (std::size_t r = 0; r < result.size(); ++r) {
            result[r] = std::min(result[r], variant.price[r]);
        }
    }
    return result;
}

[[nodiscard]] bool is_nothing(std::span<std::int64_t const> step) {
    return std::all_of(step.begin(), step.end(),
                       [](std::int64_t price) { return price == 0; });
}

[[nodiscard]] double most_reward(Instance const& instance) {
    double most = 0;
    for (InstanceReward const& reward : instance.rewards) {
        most = instance.is_sum ? most + reward.value : std::max(most, reward.value);
    }
    return most;
}

} // namespace

bool Deepening::fits(ResidualLayout const& layout) {
    Instance const& instance = layout.instance();
    bool const is_charged = std::any_of(
        instance.actions.begin(), instance.actions.end(),
        [](InstanceAction const& action) { return action.variants[0].charge != 0; });
    bool const has_penalty =
        std::any_of(instance.rewards.begin(), instance.rewards.end(),
                    [](InstanceReward const& reward) { return reward.value < 0; });
    bool const is_wide = instance.has_outcome_costs() || instance.has_hidden() ||
                         instance.pays_on_the_way();
    return !layout.has_negation() && layout.repeatable().empty() &&
           layout.conditioned().empty() && !is_charged && !has_penalty && !is_wide &&
           !is_nothing(least_price(instance));
}

Deepening::Deepening(CanonicalGraph& graph, double tolerance)
    : graph_(graph), worst_case_(graph, 0, tolerance), slack_(share_of_tie * tolerance),
      most_(most_reward(graph.instance())), residual_(graph.layout()),
      step_(least_price(graph.instance())),
      is_lost_(graph.instance().num_outcomes(), 1),
      plan_words_((graph.instance().actions.size() + 63) / 64) {
    ResidualLayout const& layout = graph.layout();
    for (InstanceAction const& action : graph.instance().actions) {
        auto const number =
            static_cast<std::size_t>(&action - graph.instance().actions.data());
        for (NodeId const literal : layout.literals(number)) {
            std::uint32_t const outcome = layout.node(literal).outcome;
            for (std::size_t i = 0; i < action.num_outcomes; ++i) {
                std::size_t const own = index_of(action.first_outcome) + i;
                if (outcome == ResidualNode::no_outcome || outcome == own) {
                    is_lost_[own] = 0;
                }
            }
        }
    }
    successors_.aside = step_.data();
}

bool Deepening::solve(StateId root, RunWatch& watch) {
    meet_new_states();
    bool const was_begun = depth_ > 0 && frames_[0].state == root;
    return was_begun ? go_on(watch) : solve(root, {}, watch);
}

bool Deepening::solve(StateId state, Undone undone, RunWatch& watch) {
    depth_ = 0;
    push(state, undone);
    return go_on(watch);
}

bool Deepening::go_on(RunWatch& watch) {
    while (depth_ > 0) {
        if (!watch.goes_on({graph_.size(), 0, -1, "deepening"}) ||
            !watch.allows(graph_.size())) {
            return false;
        }
        step(watch);
    }
    return true;
}

void Deepening::push(StateId state, Undone undone) {
    if (depth_ == frames_.size()) {
        frames_.emplace_back();
    }
    Frame& frame = frames_[depth_++];
    frame.state = state;
    frame.undone = undone;
    frame.is_bounded = false;
}

// On a stack of its own, as plans may be longer than the call stack is deep. A state
// waits until it is solved with less left; then for the option that looks best, again
// and again, until that is worked out or no better than one that is.
void Deepening::step(RunWatch& watch) {
    Frame& frame = frames_[depth_ - 1];
    if (is_solved(frame.state)) {
        --depth_;
        return;
    }
    if (!frame.is_bounded) {
        if (!is_expanded(frame.state, watch)) {
            return;
        }
        StateId const less = lessened_[index_of(frame.state)];
        if (less != frame.state && !is_solved(less)) {
            push(less, {});
            return;
        }
        bound_children(frame);
    }
    Choice const choice = best_choice(frame);
    double& upper = upper_[index_of(frame.state)];
    upper = std::min(upper, std::max(frame.best, choice.upper));
    if (std::min(upper, choice.upper) <= frame.best + slack_) {
        settle(frame.state, frame.best, frame.plan, frame.source);
        --depth_;
        return;
    }
    std::size_t const child = unsolved_child(choice.option);
    if (child == choice.option.children.size()) {
        take_plan(frame, choice);
        return;
    }
    push(choice.option.children[child],
         frame.undone_children[choice.first_child + child]);
}

// Nothing that is worked out yet, but for the plan with less left.
void Deepening::bound_children(Frame& frame) {
    StateId const less = lessened_[index_of(frame.state)];
    frame.is_bounded = true;
    frame.best = graph_.reward(frame.state);
    frame.plan.assign(plan_words_, 0);
    frame.source = no_state;
    if (less != frame.state && is_solved(less) && upper(less) > frame.best) {
        frame.best = upper(less);
        frame.plan.assign(plan_of(less).begin(), plan_of(less).end());
        frame.source = less;
    }
    frame.undone_children.clear();
    list_undone_options(frame.undone);
    graph_.for_each_option(frame.state, [&](Option const& option) {
        auto const undone = undone_children(option);
        std::size_t child = 0;
        for_each_possible(option, [&](std::size_t outcome) {
            Undone before = frame.undone;
            before.state = undone.empty() ? no_state : undone[child];
            Undone const now = lost(frame.state, option, outcome);
            frame.undone_children.push_back(
                narrowed(option.children[child], before, now));
            ++child;
        });
    });
}

// The state with this attempt undone, if it is nothing but a loss: as it was, but with
// what is left now, or a little more.
Deepening::Undone Deepening::lost(StateId state, Option const& option,
                                  std::size_t outcome) const {
    StateId const less = lessened_[index_of(state)];
    InstanceAction const& action = graph_.instance().actions[option.action.action];
    if (less == state || is_free(action.variants[0]) ||
        is_lost_[index_of(action.first_outcome) + outcome] == 0) {
        return {};
    }
    return {less, option.action.action, action.variants[0].price == step_};
}

template <typename Visit>
void Deepening::for_each_possible(Option const& option, Visit visit) const {
    InstanceAction const& action = graph_.instance().actions[option.action.action];
    for (std::size_t outcome = 0; outcome < action.num_outcomes; ++outcome) {
        if (action.variants[0].can_happen(outcome)) {
            visit(outcome);
        }
    }
}

// Where it is not known, the list is empty.
void Deepening::list_undone_options(Undone undone) {
    undone_options_.clear();
    next_undone_ = 0;
    if (undone.state != no_state && graph_.is_expanded(undone.state)) {
        graph_.for_each_option(undone.state, [this](Option const& option) {
            undone_options_.push_back(option);
        });
    }
}

// What the same action leads to there; options are in the same order.
PackedNumbers<StateId> Deepening::undone_children(Option const& option) {
    while (next_undone_ < undone_options_.size() &&
           undone_options_[next_undone_].action.action < option.action.action) {
        ++next_undone_;
    }
    if (next_undone_ == undone_options_.size() ||
        undone_options_[next_undone_].action.action != option.action.action) {
        return {};
    }
    return undone_options_[next_undone_].children;
}

// Bound a state by two in which something is undone, and return the one that is best to
// go on with.
Deepening::Undone Deepening::narrowed(StateId state, Undone first, Undone second) {
    Undone result;
    for (Undone const undone : {first, second}) {
        if (undone.state == no_state) {
            continue;
        }
        narrow(state, undone);
        if (undone.state != state && graph_.is_expanded(undone.state) &&
            (result.state == no_state || upper(undone.state) < upper(result.state))) {
            result = undone;
        }
    }
    return result;
}

// A plan that never takes what has failed is as good here.
void Deepening::narrow(StateId state, Undone undone) {
    if (is_solved(state)) {
        return;
    }
    double& upper = upper_[index_of(state)];
    upper = std::min(upper, upper_[index_of(undone.state)]);
    if (undone.is_even && is_solved(undone.state) &&
        !has_bit(plan_of(undone.state).data(), undone.failed)) {
        settle(state, upper_[index_of(undone.state)], plan_of(undone.state),
               undone.state);
    }
}

Deepening::Choice Deepening::best_choice(Frame const& frame) const {
    Choice best;
    best.upper = frame.best;
    std::size_t first_child = 0;
    graph_.for_each_option(frame.state, [&](Option const& option) {
        if (double const upper = upper_of(option); upper > best.upper) {
            best = {option, first_child, upper};
        }
        first_child += option.children.size();
    });
    return best;
}

// The likeliest; past the last one if all are solved.
std::size_t Deepening::unsolved_child(Option const& option) const {
    std::size_t result = option.children.size();
    std::size_t number = 0;
    double likeliest = 0;
    graph_.for_each_child(option, [&](StateId child, double probability) {
        if (!is_solved(child) && probability > likeliest) {
            result = number;
            likeliest = probability;
        }
        ++number;
    });
    return result;
}

void Deepening::take_plan(Frame& frame, Choice const& choice) {
    frame.best = choice.upper;
    frame.source = no_state;
    frame.plan.assign(plan_words_, 0);
    set_bit(frame.plan.data(), choice.option.action.action);
    for (StateId const child : choice.option.children) {
        for (std::size_t w = 0; w < plan_words_; ++w) {
            frame.plan[w] |= plan_of(child)[w];
        }
    }
}

void Deepening::settle(StateId state, double value, std::span<Word const> plan,
                       StateId source) {
    sources_[index_of(state)] = source;
    upper_[index_of(state)] = value;
    is_solved_[index_of(state)] = 1;
    std::copy(plan.begin(), plan.end(),
              plans_.begin() +
                  static_cast<std::ptrdiff_t>(index_of(state) * plan_words_));
}

// Ties.

bool Deepening::follow_ties(StateId root, RunWatch& watch) {
    order_.clear();
    met_.clear();
    is_met_.assign(graph_.size(), false);
    meet(root, {});
    for (std::size_t i = 0; i < order_.size(); ++i) {
        if (!settle_ties(i, watch)) {
            return false;
        }
    }
    sort_children_first();
    return true;
}

void Deepening::sort_children_first() {
    std::sort(order_.begin(), order_.end(), [this](Faced a, Faced b) {
        std::uint64_t const rank = graph_.rank(a.state);
        std::uint64_t const other = graph_.rank(b.state);
        return rank != other ? rank < other : a.state < b.state;
    });
}

void Deepening::meet(StateId state, Undone undone) {
    is_met_.resize(graph_.size());
    if (!is_met_[index_of(state)]) {
        is_met_[index_of(state)] = true;
        order_.push_back({state, 0});
        met_.push_back(undone);
    }
}

// Work out every option that may be as good as the best, until it turns out not to be.
// Stopping beats acting when both are optimal.
bool Deepening::settle_ties(std::size_t at, RunWatch& watch) {
    Frame frame;
    frame.state = order_[at].state;
    frame.undone = met_[at];
    if (upper(frame.state) - graph_.reward(frame.state) <= worst_case_.tolerance()) {
        return true;
    }
    if (!is_expanded(frame.state, watch) ||
        !solve(lessened_[index_of(frame.state)], {}, watch)) {
        return false;
    }
    bound_children(frame);
    for (auto next = unsolved_tie(frame); next.first != no_state;
         next = unsolved_tie(frame)) {
        if (!solve(next.first, next.second, watch)) {
            return false;
        }
    }
    std::size_t child = 0;
    graph_.for_each_option(frame.state, [&](Option const& option) {
        bool const is_best = is_tied(frame.state, option);
        for (StateId const next : option.children) {
            if (is_best) {
                meet(next, frame.undone_children[child]);
            }
            ++child;
        }
    });
    return true;
}

bool Deepening::is_tied(StateId state, Option const& option) const {
    return upper(state) - upper_of(option) <= worst_case_.tolerance();
}

std::pair<StateId, Deepening::Undone>
Deepening::unsolved_tie(Frame const& frame) const {
    std::pair<StateId, Undone> result{no_state, {}};
    std::size_t first_child = 0;
    graph_.for_each_option(frame.state, [&](Option const& option) {
        std::size_t const child = unsolved_child(option);
        if (result.first == no_state && child < option.children.size() &&
            is_tied(frame.state, option)) {
            result = {option.children[child],
                      frame.undone_children[first_child + child]};
        }
        first_child += option.children.size();
    });
    return result;
}

// The plan in hand.

// It was found for another state, so that what it comes to here is worked out: pairs of
// a state and the one that says what is done there. Both have the same outcomes.
void Deepening::follow_plan(StateId root) {
    order_.clear();
    is_met_.assign(graph_.size(), false);
    std::vector<std::pair<StateId, StateId>> pending{{root, planned_at(root)}};
    for (std::size_t count = 0; !pending.empty() && count < most_followed; ++count) {
        auto const [state, planned] = pending.back();
        pending.pop_back();
        is_met_.resize(graph_.size());
        auto const option = planned_option(planned);
        if (option && !is_met_[index_of(state)]) {
            is_met_[index_of(state)] = true;
            order_.push_back({state, 0});
            follow_option(state, *option, pending);
        }
    }
    sort_children_first();
}

// The state with so much less left that the plan in hand was found there.
StateId Deepening::planned_at(StateId root) const {
    StateId state = root;
    for (std::size_t at = 0; !is_solved(state); ++at) {
        StateId const less = lessened_[index_of(state)];
        bool const is_waiting = at < depth_ && frames_[at].state == state;
        bool const has_own =
            is_waiting && frames_[at].is_bounded && frames_[at].source == no_state;
        if (has_own || less == no_state || less == state) {
            break;
        }
        state = less;
    }
    return state;
}

// What is done there; nothing where it is best to stop, as far as is known.
std::optional<Option> Deepening::planned_option(StateId planned) const {
    while (sources_[index_of(planned)] != no_state) {
        planned = sources_[index_of(planned)];
    }
    std::optional<Option> result;
    if (graph_.is_expanded(planned)) {
        double best = graph_.reward(planned);
        graph_.for_each_option(planned, [&](Option const& option) {
            bool const is_known = unsolved_child(option) == option.children.size();
            if (is_known && upper_of(option) > best) {
                best = upper_of(option);
                result = option;
            }
        });
    }
    return result;
}

void Deepening::follow_option(StateId state, Option const& planned,
                              std::vector<std::pair<StateId, StateId>>& pending) {
    std::uint32_t const action = planned.action.action;
    // Where links are may change when there are more of them.
    std::vector<StateId> const planned_children(planned.children.begin(),
                                                planned.children.end());
    if (!graph_.is_expanded(state)) {
        graph_.expand({&state, 1}, residual_, successors_);
        keep(state);
    }
    graph_.for_each_option(state, [&](Option const& option) {
        if (option.action.action == action) {
            for (std::size_t i = 0; i < planned_children.size(); ++i) {
                pending.emplace_back(option.children[i], planned_children[i]);
            }
        }
    });
}

double Deepening::upper_of(Option const& option) const {
    return worst_case_.score(option, 0, upper_);
}

// Where a state leads to, and the same state with a step less left, are worked out
// together. False if there is no room for them.
bool Deepening::is_expanded(StateId state, RunWatch& watch) {
    if (lessened_[index_of(state)] != no_state) {
        return true;
    }
    graph_.expand({&state, 1}, residual_, successors_);
    Successors::Part const& part = successors_.parts[0];
    if (!watch.has_room(graph_.bytes_to_keep(part))) {
        return false;
    }
    keep(state);
    return true;
}

// What was derived last.
void Deepening::keep(StateId state) {
    Successors::Part const& part = successors_.parts[0];
    make_room(part.num_children + 1);
    if (!graph_.is_expanded(state)) {
        graph_.keep(state, successors_, part, residual_);
    }
    std::size_t const last = part.first_child + part.num_children;
    Word const* const key = &successors_.keys[last * graph_.layout().key_words()];
    bool const has_less = has_step(state);
    lessened_[index_of(state)] = has_less ? graph_.enter(key, residual_) : state;
    meet_new_states();
}

bool Deepening::has_step(StateId state) const {
    KeyBuffer buffer;
    for (std::size_t r = 0; r < step_.size(); ++r) {
        KeyField const left = graph_.layout().left_field(r);
        if (static_cast<std::int64_t>(left.read(graph_.key(state, buffer))) <
            step_[r]) {
            return false;
        }
    }
    return true;
}

// Have room for so many more states than the graph has. What has no room throws before
// anything has changed.
void Deepening::make_room(std::size_t num_states) {
    std::size_t const num_new = graph_.size() + num_states - upper_.size();
    upper_.make_room(num_new);
    is_solved_.make_room(num_new);
    lessened_.make_room(num_new);
    sources_.make_room(num_new);
    plans_.make_room(num_new * plan_words_);
}

// Where nothing is open any more there is nothing to solve.
void Deepening::meet_new_states() {
    for (std::size_t i = upper_.size(); i < graph_.size(); ++i) {
        auto const state = static_cast<StateId>(i);
        bool const is_end = graph_.rank(state) == 0;
        upper_.push_back(is_end ? graph_.reward(state) : most_);
        is_solved_.push_back(is_end ? 1 : 0);
        lessened_.push_back(no_state);
        sources_.push_back(no_state);
    }
    plans_.fill_up(graph_.size() * plan_words_, 0);
}

std::size_t Deepening::bytes() const {
    return upper_.bytes() + is_solved_.bytes() + lessened_.bytes() + plans_.bytes() +
           sources_.bytes();
}

} // namespace branchwise
