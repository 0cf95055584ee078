#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace branchwise {

using Word = std::uint64_t;

/// Without special instructions, which not every machine has, this beats a call.
[[nodiscard]] inline Word count_bits(Word word) {
    word -= word >> 1U & 0x5555555555555555U;
    word = (word & 0x3333333333333333U) + (word >> 2U & 0x3333333333333333U);
    word = (word + (word >> 4U)) & 0x0F0F0F0F0F0F0F0FU;
    return word * 0x0101010101010101U >> 56U;
}

// Sets of small numbers, one bit each, in a row of words.

[[nodiscard]] inline bool has_bit(Word const* words, std::size_t number) {
    return (words[number / 64] >> (number % 64) & 1U) != 0;
}

inline void set_bit(Word* words, std::size_t number) {
    words[number / 64] |= Word{1} << (number % 64);
}

/// Do two sets of the same size have anything in common?
[[nodiscard]] inline bool overlap(std::vector<Word> const& one,
                                  std::vector<Word> const& other) {
    Word common = 0;
    for (std::size_t w = 0; w < one.size(); ++w) {
        common |= one[w] & other[w];
    }
    return common != 0;
}

/// Add to a set what another one of the same size has; did it have less before?
inline bool unite(std::vector<Word>& one, std::vector<Word> const& other) {
    Word added = 0;
    for (std::size_t w = 0; w < one.size(); ++w) {
        added |= other[w] & ~one[w];
        one[w] |= other[w];
    }
    return added != 0;
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

/// Visit the numbers in two sets of the same size, the lowest first.
template <typename Visit>
void for_each_bit(std::vector<Word> const& one, std::vector<Word> const& other,
                  Visit visit) {
    for (std::size_t w = 0; w < one.size(); ++w) {
        for_each_bit(one[w] & other[w], [&](std::size_t bit) { visit(w * 64 + bit); });
    }
}

} // namespace branchwise
