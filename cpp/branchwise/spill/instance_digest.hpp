#pragma once

#include <cstdint>

#include "branchwise/problem/instance.hpp"

namespace branchwise {

/// A number that two instances share only if all is the same in them: what can happen,
/// how likely it is, and what it is worth.
[[nodiscard]] std::uint64_t digest_of(Instance const& instance);

} // namespace branchwise
