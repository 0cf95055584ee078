#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/support/big_index.hpp"

namespace branchwise {

/// Numbers every state from zero up, as in the appendix "State indexing".
///
/// A state is one rank per element: the place of its value among the values the
/// element may take, counted from zero. The index reads the ranks as digits of a
/// number whose base changes from digit to digit; the first digit counts least.
class StateIndex {
  public:
    using Rank = std::uint32_t;

    /// `sizes` has how many values each element may take: at least one.
    explicit StateIndex(std::vector<Rank> sizes);

    [[nodiscard]] std::span<Rank const> sizes() const { return sizes_; }

    /// How many states there are: the product of the sizes.
    [[nodiscard]] BigIndex num_states() const;

    /// The index of `state`, which has one rank per element, each below its size.
    [[nodiscard]] BigIndex index(std::span<Rank const> state) const;

    /// The state whose index this is; `index` must be below `num_states`.
    [[nodiscard]] std::vector<Rank> state(BigIndex index) const;

  private:
    std::vector<Rank> sizes_;
};

} // namespace branchwise
