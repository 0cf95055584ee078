#include "branchwise/search/rounding.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace branchwise {

namespace {

// What probabilities by Bayes' rule add to that, of an action and of a reward: each
// assignment has a prior and a likelihood for every action that was taken, and all of
// them are added up to be shares of the whole.
double steps_of_knowledge(Instance const& instance, std::uint64_t num_actions) {
    double most = 0;
    for (std::size_t g = 0; g < instance.groups.size(); ++g) {
        auto const num_signals = std::count_if(
            instance.counters.begin(), instance.counters.end(),
            [g](InstanceCounter const& counter) { return counter.group == g; });
        double const chance =
            2 * (static_cast<double>(num_actions) +
                 2 * static_cast<double>(num_signals) +
                 static_cast<double>(instance.groups[g].weights.size())) +
            10;
        most = std::max(most, 3 * chance);
    }
    return most;
}

} // namespace

double rounding_of_scores(Instance const& instance, std::uint64_t num_actions,
                          double largest) {
    constexpr double unit = std::numeric_limits<double>::epsilon() / 2;
    std::size_t most_outcomes = 0;
    for (InstanceAction const& action : instance.actions) {
        most_outcomes = std::max<std::size_t>(most_outcomes, action.num_outcomes);
    }
    std::size_t const num_terms = instance.is_sum ? instance.rewards.size() : 1;
    // Of one action: the values of rewards, each rounded and added up; probabilities
    // and products; their sum; and the charge.
    double const steps = static_cast<double>(num_terms + most_outcomes + 12) +
                         steps_of_knowledge(instance, num_actions);
    return 2 * unit * steps * largest * (static_cast<double>(num_actions) + 1);
}

} // namespace branchwise
