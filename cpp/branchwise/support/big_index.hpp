#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace branchwise {

/// A whole number from zero up, of as many 32-bit words as it needs.
///
/// An index over n elements has a factor for every one of them, so it outgrows any
/// fixed width: 32 actions with four values each already fill 64 bits.
class BigIndex {
  public:
    using Word = std::uint32_t;

    /// Zero.
    BigIndex() = default;

    explicit BigIndex(Word value);

    /// The number whose words these are, least significant first.
    explicit BigIndex(std::span<Word const> words);

    /// The words, least significant first; none are on top that are zero, so zero
    /// itself has no words at all.
    [[nodiscard]] std::span<Word const> words() const { return words_; }

    /// Become `factor` times this number, plus `addend`.
    void multiply_add(Word factor, Word addend);

    /// Become this number divided by `divisor`, and return the remainder.
    Word divide(Word divisor);

    [[nodiscard]] bool operator==(BigIndex const&) const = default;

  private:
    void drop_leading_zeros();

    std::vector<Word> words_;
};

} // namespace branchwise
