#pragma once

#include <bit>
#include <cstddef>
#include <vector>

#include "branchwise/outcome_vector.hpp"

namespace branchwise {

// Sets of small numbers, one bit each, in a row of words.

[[nodiscard]] inline bool has_bit(Word const* words, std::size_t number) {
    return (words[number / 64] >> (number % 64) & 1U) != 0;
}

inline void set_bit(Word* words, std::size_t number) {
    words[number / 64] |= Word{1} << (number % 64);
}

/// Visit the numbers in a set of one word, the lowest first.
template <typename Visit>
void for_each_bit(Word word, Visit visit) {
    for (; word != 0; word &= word - 1) {
        visit(static_cast<std::size_t>(std::countr_zero(word)));
    }
}

/// Visit the numbers in a set, the lowest first.
template <typename Visit>
void for_each_bit(std::vector<Word> const& words, Visit visit) {
    for (std::size_t w = 0; w < words.size(); ++w) {
        for_each_bit(words[w], [&](std::size_t bit) { visit(w * 64 + bit); });
    }
}

} // namespace branchwise
