#pragma once

#include <cstddef>

namespace branchwise {

// What the system says of this machine and of this process; each system is asked in
// another way, and nowhere else.

/// How much memory this machine has; as much as can be where the system does not say.
/// Systems promise more than they have, and what takes them at their word is ended
/// without a word.
[[nodiscard]] std::size_t machine_bytes();

/// How much memory this process holds; 0 where the system does not say. There a memory
/// limit applies to what the engines count themselves.
[[nodiscard]] std::size_t resident_bytes();

/// The number of this process; a copy that was forked has another one.
[[nodiscard]] long process_number();

} // namespace branchwise
