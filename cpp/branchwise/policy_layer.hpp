#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "branchwise/state_table.hpp"

namespace branchwise {

/// The states that a plan comes to after some number of attempts.
struct PolicyLayer {
    explicit PolicyLayer(std::size_t width) : index(width) {}

    StateTable<0> index;                   // each with its number
    std::vector<double> scores{};          // by number, as all that follows
    std::vector<std::uint32_t> moves{};    // or `StateRules::no_move`, to stop
    std::vector<std::uint32_t> branches{}; // numbers one layer down, state by state

    [[nodiscard]] std::size_t size() const { return index.size(); }
    [[nodiscard]] std::size_t bytes() const {
        return index.bytes() + scores.capacity() * sizeof(double) +
               (moves.capacity() + branches.capacity()) * sizeof(std::uint32_t);
    }
};

} // namespace branchwise
