#pragma once

#include <cstdint>

#include "branchwise/problem/instance.hpp"

namespace branchwise {

/// How far the score of a state, worked out from its children in floats, may be off: of
/// any state that so many actions can follow, where no reward is larger than `largest`,
/// or where rewards add up, all of them together. The proof is in
/// docs/explanation/exact-answers.md.
[[nodiscard]] double rounding_of_scores(Instance const& instance,
                                        std::uint64_t num_actions, double largest);

/// Options that are optimal in exact arithmetic have scores that differ from the best
/// one by twice the rounding at most; such are *contenders*. A search must follow what
/// is twice as far off, so that all contenders were followed although its bounds are
/// rounded, too.
inline constexpr double widths_of_rounding = 4;

/// How far bounds by perfect information may be off, as a share of the largest reward.
inline constexpr double margin_of_bounds = 1e-9;

} // namespace branchwise
