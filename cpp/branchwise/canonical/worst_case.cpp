#include "branchwise/canonical/worst_case.hpp"

#include <algorithm>

namespace branchwise {

double WorstCase::nominal(Option const& option, std::uint32_t deviations,
                          std::span<double const> scores) const {
    Variant const& taken = variant(option);
    double expected = 0;
    graph_.for_each_branch(
        option, [&](std::size_t outcome, std::size_t child, double probability) {
            expected += probability * worth(option, outcome, child, deviations, scores);
        });
    return expected - taken.charge;
}

// The adversary sees the scores of the children, with one deviation less, and shifts
// probability to the lowest.
double WorstCase::deviated(Option const& option, std::uint32_t deviations,
                           std::span<double const> scores,
                           ProbabilityBuffer* probabilities) const {
    std::size_t const size = option.children.size();
    std::uint32_t const left = after_deviation(deviations);
    ProbabilityBuffer values(size);
    ProbabilityBuffer own(size);
    double* const chosen =
        probabilities == nullptr ? own.data() : probabilities->data();
    for (std::size_t i = 0, child = 0; child < size; ++i) {
        if (variant(option).can_happen(i)) {
            values.data()[child] = worth(option, i, child, left, scores);
            ++child;
        }
    }
    worst_probabilities(variant(option), values.view(), tolerance_, chosen);
    double expected = 0;
    for (std::size_t child = 0; child < size; ++child) {
        expected += chosen[child] * values.view()[child];
    }
    return expected - variant(option).charge;
}

double WorstCase::score(Option const& option, std::uint32_t deviations,
                        std::span<double const> scores) const {
    double const undisturbed = nominal(option, deviations, scores);
    if (!can_deviate(option, deviations)) {
        return undisturbed;
    }
    return std::min(undisturbed, deviated(option, deviations, scores));
}

} // namespace branchwise
