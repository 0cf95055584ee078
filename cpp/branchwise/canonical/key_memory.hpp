#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "branchwise/support/bits.hpp"

namespace branchwise {

/// Remembers for many keys what they became when their states were made simple. Half of
/// the children of states have been met before, and need not be made simple again.
///
/// A new key takes the place of an older one, so that memory stays bounded.
class KeyMemory {
  public:
    explicit KeyMemory(std::size_t num_words) : num_words_(num_words) {}

    /// Have the place of a key brought into the cache, for a `find` soon.
    void prefetch(Word const* key) const;
    /// What this key became; nullptr if that is not remembered.
    [[nodiscard]] Word const* find(Word const* key) const;
    void remember(Word const* key, Word const* simple);

  private:
    static constexpr std::size_t least_entries = std::size_t{1} << 9U;
    static constexpr std::size_t most_bytes = std::size_t{1} << 24U;

    // An entry is a hash, which is 0 if there is none, and the two keys.
    [[nodiscard]] std::size_t entry_words() const { return 1 + 2 * num_words_; }
    [[nodiscard]] std::size_t entry_of(std::uint64_t hash) const {
        return (hash & (num_entries_ - 1)) * entry_words();
    }
    [[nodiscard]] std::size_t entries_to_grow() const {
        return num_entries_ == 0 ? least_entries : num_entries_ * 8;
    }
    [[nodiscard]] bool can_grow() const {
        return entries_to_grow() * entry_words() * sizeof(Word) <= most_bytes;
    }
    void grow();

    std::size_t num_words_;
    std::size_t num_entries_ = 0;
    std::size_t num_remembered_ = 0; // since it has grown
    std::vector<Word> words_;
};

} // namespace branchwise
