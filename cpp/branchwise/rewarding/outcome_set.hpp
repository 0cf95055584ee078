#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <functional>
#include <vector>

#include "branchwise/support/bits.hpp"

namespace branchwise {

/// Outcomes, one bit each. Sets compare like the numbers that their bits spell.
class OutcomeSet {
  public:
    explicit OutcomeSet(std::size_t num_outcomes) : words_((num_outcomes + 63) / 64) {}

    void add(std::size_t outcome) { set_bit(words_.data(), outcome); }
    void remove(std::size_t outcome) {
        words_[outcome / 64] &= ~(Word{1} << (outcome % 64));
    }
    [[nodiscard]] bool has(std::size_t outcome) const {
        return has_bit(words_.data(), outcome);
    }
    [[nodiscard]] bool is_empty() const {
        return std::ranges::all_of(words_, [](Word word) { return word == 0; });
    }
    [[nodiscard]] std::size_t size() const {
        std::size_t total = 0;
        for (Word const word : words_) {
            total += count_bits(word);
        }
        return total;
    }
    /// The outcome with the least number; there must be one.
    [[nodiscard]] std::size_t first() const {
        std::size_t w = 0;
        while (words_[w] == 0) {
            ++w;
        }
        return w * 64 + static_cast<std::size_t>(std::countr_zero(words_[w]));
    }
    [[nodiscard]] bool is_within(OutcomeSet const& other) const {
        return std::ranges::equal(words_, other.words_,
                                  [](Word a, Word b) { return (a & ~b) == 0; });
    }
    [[nodiscard]] bool meets(OutcomeSet const& other) const {
        return !std::ranges::equal(words_, other.words_,
                                   [](Word a, Word b) { return (a & b) == 0; });
    }
    template <typename Visit>
    void for_each(Visit visit) const {
        for_each_bit(words_, visit);
    }

    OutcomeSet& operator|=(OutcomeSet const& other) {
        std::ranges::transform(words_, other.words_, words_.begin(), std::bit_or<>{});
        return *this;
    }
    OutcomeSet& operator&=(OutcomeSet const& other) {
        std::ranges::transform(words_, other.words_, words_.begin(), std::bit_and<>{});
        return *this;
    }
    OutcomeSet& operator-=(OutcomeSet const& other) {
        std::ranges::transform(words_, other.words_, words_.begin(),
                               [](Word a, Word b) { return a & ~b; });
        return *this;
    }
    [[nodiscard]] friend OutcomeSet operator|(OutcomeSet a, OutcomeSet const& b) {
        return a |= b;
    }
    [[nodiscard]] friend OutcomeSet operator&(OutcomeSet a, OutcomeSet const& b) {
        return a &= b;
    }
    [[nodiscard]] bool operator==(OutcomeSet const&) const = default;
    [[nodiscard]] std::strong_ordering operator<=>(OutcomeSet const& other) const {
        return std::lexicographical_compare_three_way(
            words_.rbegin(), words_.rend(), other.words_.rbegin(), other.words_.rend());
    }

  private:
    std::vector<Word> words_;
};

} // namespace branchwise
