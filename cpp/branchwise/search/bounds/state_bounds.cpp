#include "branchwise/search/bounds/state_bounds.hpp"

#include <algorithm>

#include "branchwise/canonical/canonical_scores.hpp"

namespace branchwise {

void StateBounds::narrow(StateId state, double lower, double upper) {
    auto const num_layers = static_cast<std::uint32_t>(worst_case_.num_layers());
    for (std::uint32_t deviations = 0; deviations < num_layers; ++deviations) {
        narrow({state, deviations}, lower - margin_, upper + margin_);
    }
}

void StateBounds::raise_lower(StateId state, double lower) {
    auto const num_layers = static_cast<std::uint32_t>(worst_case_.num_layers());
    for (std::uint32_t deviations = 0; deviations < num_layers; ++deviations) {
        narrow({state, deviations}, lower - margin_, upper({state, deviations}));
    }
}

// The lower bound is that of a plan in hand, so it wins where rounding lets the bounds
// cross.
void StateBounds::narrow(Faced faced, double lower, double upper) {
    std::size_t const at = spot(faced);
    lower_[at] = std::max(lower_[at], lower);
    upper_[at] = std::max(lower_[at], std::min(upper_[at], upper));
}

// With more deviations an adversary can do all that can be done with fewer.
void StateBounds::back_up(Faced faced) {
    double lower = graph_.reward(faced.state);
    double upper = lower;
    graph_.for_each_option(faced.state, [&](Option const& option) {
        lower = std::max(lower, lower_of(option, faced));
        upper = std::max(upper, upper_of(option, faced));
    });
    std::size_t const at = spot(faced);
    if (faced.deviations > 0) {
        upper = std::min(upper, upper_[at - 1]);
    }
    if (faced.deviations + 1 < worst_case_.num_layers()) {
        lower = std::max(lower, lower_[at + 1]);
    }
    narrow(faced, lower, upper);
}

bool StateBounds::is_evaluated(Option const& option) const {
    return std::all_of(option.children.begin(), option.children.end(),
                       [this](StateId child) { return is_bounded_[index_of(child)]; });
}

// By upper bound; of those that look the same, one with the better plan in hand.
std::uint32_t StateBounds::best_option(Faced faced) const {
    std::uint32_t number = 0;
    std::uint32_t best = CanonicalScores::stop;
    double best_upper = graph_.reward(faced.state);
    double best_lower = best_upper;
    graph_.for_each_option(faced.state, [&](Option const& option) {
        if (is_evaluated(option)) {
            double const upper = upper_of(option, faced);
            double const lower = lower_of(option, faced);
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

// By lower bound: what the plan in hand does.
std::pair<std::uint32_t, double> StateBounds::safest_option(Faced faced) const {
    std::uint32_t number = 0;
    std::pair best{CanonicalScores::stop, graph_.reward(faced.state)};
    graph_.for_each_option(faced.state, [&](Option const& option) {
        double const lower = lower_of(option, faced);
        if (lower > best.second) {
            best = {number, lower};
        }
        ++number;
    });
    return best;
}

void StateBounds::make_room(std::size_t num_states) {
    std::size_t const size = graph_.size() + num_states;
    std::size_t const num_spots = size * worst_case_.num_layers();
    lower_.make_room(num_spots - lower_.size());
    upper_.make_room(num_spots - upper_.size());
    is_bounded_.make_room(size - is_bounded_.size());
}

void StateBounds::meet_new_states(double most) {
    for (std::size_t i = is_bounded_.size(); i < graph_.size(); ++i) {
        double const reward = graph_.reward(static_cast<StateId>(i));
        lower_.fill_up((i + 1) * worst_case_.num_layers(), reward);
        upper_.fill_up((i + 1) * worst_case_.num_layers(), std::max(reward, most));
    }
    is_bounded_.fill_up(graph_.size(), 0);
}

} // namespace branchwise
