#pragma once

#include <cstddef>
#include <cstdint>

#include "branchwise/support/bits.hpp"

namespace branchwise {

/// Multiply and fold, word by word: cheap, and every bit of the key counts.
[[nodiscard]] inline std::uint64_t key_hash(Word const* key, std::size_t num_words) {
    std::uint64_t result = 0x9E3779B97F4A7C15U;
    for (std::size_t i = 0; i < num_words; ++i) {
        result = (result ^ key[i]) * 0xD6E8FEB86659FD93U;
        result ^= result >> 32U;
    }
    return result * 0xD6E8FEB86659FD93U ^ result >> 29U;
}

/// Keys are so short that comparing them takes less time than calling a function does.
[[nodiscard]] inline bool is_same_key(Word const* one, Word const* other,
                                      std::size_t num_words) {
    Word difference = 0;
    for (std::size_t i = 0; i < num_words; ++i) {
        difference |= one[i] ^ other[i];
    }
    return difference == 0;
}

} // namespace branchwise
