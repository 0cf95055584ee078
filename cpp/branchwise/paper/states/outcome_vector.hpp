#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/problem/instance.hpp"
#include "branchwise/support/bits.hpp"

namespace branchwise {

/// The packed outcome vector of a state. The root's is zero throughout.
using Key = std::span<Word const>;

/// A number in one word of a key; a field without bits is always 0.
struct BitField {
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    Word most = 0; // the largest number it holds

    [[nodiscard]] Word read(Key key) const { return key[word] >> shift & most; }
    [[nodiscard]] Word mask() const { return most << shift; }
    [[nodiscard]] Word times(Word number) const { return number << shift; }
};

/// How the outcome counts of a state, and what it has spent, are laid out in words.
///
/// First one bit per outcome, "it has happened", so that conditions and rewarding sets
/// are masks; then, for actions taken more than once, how often it has happened again;
/// then what is spent of each finite resource, unless it follows from the number of
/// attempts. A
/// field never crosses into the next word and holds the largest number there can be,
/// so nothing wraps.
class OutcomeVector {
  public:
    /// No key has this first word: it marks a place without one.
    static constexpr Word no_key = ~Word{0};

    explicit OutcomeVector(Instance const& instance);

    [[nodiscard]] std::size_t num_words() const { return num_words_; }
    [[nodiscard]] BitField happened(OutcomeId outcome) const {
        return happened_[index_of(outcome)];
    }
    [[nodiscard]] BitField again(OutcomeId outcome) const {
        return again_[index_of(outcome)];
    }
    /// One per finite resource; none where every attempt costs the same.
    [[nodiscard]] std::span<BitField const> spent_fields() const { return spent_; }
    /// Does every attempt cost the same, and is every action taken once?
    [[nodiscard]] bool has_even_prices() const { return has_even_prices_; }
    /// What is spent of a finite resource.
    [[nodiscard]] Word spent(Key key, std::size_t resource) const {
        return has_even_prices_ ? num_happened(key) * prices_[resource]
                                : spent_[resource].read(key);
    }

    /// Where the words of `happened` bits are; the last may hold other fields too.
    [[nodiscard]] std::span<Word const> happened_masks() const { return masks_; }
    /// The outcome of a `happened` bit.
    [[nodiscard]] static OutcomeId outcome_at(std::size_t word, std::size_t bit) {
        // All words but the first hold 64 outcomes, and the first holds 63.
        std::size_t const index = word * 64 + bit;
        return static_cast<OutcomeId>(word == 0 ? index : index - 1);
    }

    [[nodiscard]] Word count(Key key, OutcomeId outcome) const;
    [[nodiscard]] Word num_attempts(Key key, InstanceAction const& action) const;
    [[nodiscard]] Word num_attempts(Key key) const;

  private:
    BitField place(Word most);
    [[nodiscard]] Word num_happened(Key key) const {
        Word total = 0;
        for (std::size_t word = 0; word < masks_.size(); ++word) {
            total += count_bits(key[word] & masks_[word]);
        }
        return total;
    }

    std::size_t num_words_ = 1;
    std::uint32_t num_bits_ = 0; // taken in the last word
    std::vector<BitField> happened_;
    std::vector<BitField> again_;
    std::vector<BitField> spent_;
    std::vector<Word> masks_;
    bool has_even_prices_ = false;
    std::vector<Word> prices_; // of every attempt, where they are even
};

} // namespace branchwise
