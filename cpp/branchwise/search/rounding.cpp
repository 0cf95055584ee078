#include "branchwise/search/rounding.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace branchwise {

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
    double const steps = static_cast<double>(num_terms + most_outcomes + 12);
    return 2 * unit * steps * largest * (static_cast<double>(num_actions) + 1);
}

} // namespace branchwise
