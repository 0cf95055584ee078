#pragma once

#include <cstdint>
#include <vector>

#include "branchwise/support/bits.hpp"

namespace branchwise {

/// What a plan does, state by state: little enough to be kept where all else has to go.
struct PlanSteps {
    /// Of a state from which on it was not worked out.
    static constexpr std::uint32_t open = UINT32_MAX;

    std::vector<Word> keys{};             // of the states, in a row
    std::vector<std::uint32_t> actions{}; // by state
    std::vector<double> lowers{};         // by state: what it is worth, at least
};

} // namespace branchwise
