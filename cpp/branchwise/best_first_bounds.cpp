#include "branchwise/best_first.hpp"

#include <algorithm>

#include "branchwise/canonical_scores.hpp"

namespace branchwise {

// However many strikes are left, the same sets are there.
void BestFirst::bound_state(StateId state) {
    if (is_bounded_[index_of(state)] != 0) {
        return;
    }
    Residual& residual = residuals_[0];
    residual.load(graph_.key(state));
    residual.refresh();
    Bound const bound = information_.bound(residual);
    is_bounded_[index_of(state)] = 1;
    for (std::uint32_t strikes = 0; strikes < worst_case_.num_layers(); ++strikes) {
        narrow({state, strikes}, bound.lower, bound.upper);
    }
}

void BestFirst::narrow(Faced faced, double lower, double upper) {
    std::size_t const at = spot(faced);
    lower_[at] = std::max(lower_[at], lower);
    upper_[at] = std::max(lower_[at], std::min(upper_[at], upper));
}

// With more strikes an adversary can do all that can be done with fewer.
void BestFirst::back_up(Faced faced) {
    double lower = graph_.reward(faced.state);
    double upper = lower;
    graph_.for_each_option(faced.state, [&](Option const& option) {
        lower = std::max(lower, lower_of(option, faced));
        upper = std::max(upper, upper_of(option, faced));
    });
    std::size_t const at = spot(faced);
    if (faced.strikes > 0) {
        upper = std::min(upper, upper_[at - 1]);
    }
    if (faced.strikes + 1 < worst_case_.num_layers()) {
        lower = std::max(lower, lower_[at + 1]);
    }
    narrow(faced, lower, upper);
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
void BestFirst::evaluate_until_one_is_as_good(Faced faced) {
    bool is_found = false;
    graph_.for_each_option(faced.state, [&](Option const& option) {
        if (!is_found) {
            evaluate(option);
            is_found = upper_of(option, faced) >= upper(faced) - tolerance_;
        }
    });
    back_up(faced);
}

void BestFirst::evaluate_all(Faced faced) {
    graph_.for_each_option(faced.state,
                           [&](Option const& option) { evaluate(option); });
    back_up(faced);
}

// By upper bound; of those that look the same, one with the better plan in hand.
std::uint32_t BestFirst::best_option(Faced faced) {
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

// By lower bound.
std::pair<std::uint32_t, double> BestFirst::safest_option(Faced faced) const {
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

} // namespace branchwise
