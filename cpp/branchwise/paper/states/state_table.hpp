#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "branchwise/paper/states/outcome_vector.hpp"
#include "branchwise/support/large_array.hpp"

namespace branchwise {

/// A set of states with some words of values for each: open addressing, all in one
/// array, so that a state costs its key and its values and one access to memory.
///
/// `Width` is the number of words of a key, or 0 where only the layout knows.
template <std::size_t Width, std::size_t NumValues = 1>
class StateTable {
  public:
    static constexpr std::size_t nowhere = ~std::size_t{0};

    explicit StateTable(std::size_t width) : width_(width) { clear(least_capacity); }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return words_.bytes(); }

    [[nodiscard]] bool is_taken(std::size_t slot) const {
        return words_[slot * stride()] != OutcomeVector::no_key;
    }
    [[nodiscard]] Word const* key(std::size_t slot) const {
        return &words_[slot * stride()];
    }
    [[nodiscard]] Word* values(std::size_t slot) {
        return &words_[slot * stride() + width()];
    }
    [[nodiscard]] Word const* values(std::size_t slot) const {
        return &words_[slot * stride() + width()];
    }

    /// Mixes all bits of a key; the high ones choose its place.
    [[nodiscard]] Word hash(Word const* key) const {
        Word mixed = 0;
        for (std::size_t i = 0; i < width(); ++i) {
            mixed = (mixed ^ key[i]) * 0x9E3779B97F4A7C15U;
            mixed ^= mixed >> 32U;
        }
        return mixed * 0xD6E8FEB86659FD93U;
    }

    /// The slot of a key; `nowhere` if it is not here.
    [[nodiscard]] std::size_t find(Word const* key, Word hash) const {
        std::size_t const slot = probe(key, hash);
        return is_taken(slot) ? slot : nowhere;
    }

    /// The slot of a key, and whether it is new: then its values are not set. May move
    /// every other one.
    std::pair<std::size_t, bool> insert(Word const* key, Word hash) {
        std::size_t slot = probe(key, hash);
        if (is_taken(slot)) {
            return {slot, false};
        }
        if (size_ >= room_) {
            grow();
            slot = probe(key, hash);
        }
        std::copy_n(key, width(), &words_[slot * stride()]);
        ++size_;
        return {slot, true};
    }

    /// Number keys, one after another: a new one gets the next number. There must be
    /// room for them. Calls `take` with the place of each key, its number, and 1 if it
    /// is new, else 0.
    template <typename Take>
    void number(Word const* keys, std::size_t count, Take take) {
        // For all the compiler knows, what is written could be these.
        View const view = this->view();
        Word* const all_words = words_.data();
        Word size = size_;
        std::array<Word, ahead> hashes{}; // of the keys to come
        auto const fetch = [&](std::size_t i) {
            Word const mixed = hash(keys + i * width());
            hashes[i % ahead] = mixed;
            __builtin_prefetch(view.words + (mixed >> view.shift) * stride());
        };
        for (std::size_t i = 0; i < std::min(ahead, count); ++i) {
            fetch(i);
        }
        for (std::size_t i = 0; i < count; ++i) {
            Word const* const key = keys + i * width();
            Word* const words =
                all_words + probe(view, key, hashes[i % ahead]) * stride();
            // Without a branch, as no processor can predict whether a key is new: only
            // an empty slot has the top bit. All bits where it is new, else none.
            Word const is_new = -(words[0] >> 63U);
            Word const number = (size & is_new) | (words[width()] & ~is_new);
            std::copy_n(key, width(), words);
            words[width()] = number;
            size -= is_new;
            take(i, number, is_new & 1U);
            if (i + ahead < count) {
                fetch(i + ahead);
            }
        }
        size_ = size;
    }

    /// Forget all, and have room for so many.
    void reset(std::size_t num_states) {
        size_ = 0;
        clear(std::max(least_capacity, std::bit_ceil(num_states / 5 * 8 + 8)));
    }

    /// How many states there may be before it must grow, and what that takes.
    [[nodiscard]] std::size_t room() const { return room_; }
    [[nodiscard]] std::size_t bytes_to_grow() const {
        return 2 * capacity_ * stride() * sizeof(Word);
    }

    /// Make room for twice as many.
    void grow() {
        LargeArray<Word> const old = std::exchange(words_, {});
        clear(2 * capacity_);
        for (std::size_t i = 0; i < old.size(); i += stride()) {
            if (old[i] != OutcomeVector::no_key) {
                std::size_t const slot = probe(&old[i], hash(&old[i]));
                std::copy_n(&old[i], stride(), &words_[slot * stride()]);
            }
        }
    }

  private:
    static constexpr std::size_t least_capacity = 16;
    static constexpr std::size_t ahead = 16; // keys whose places are fetched already

    /// What finds a key.
    struct View {
        Word const* words;
        std::size_t mask; // of the number of slots
        unsigned shift;
    };

    [[nodiscard]] constexpr std::size_t width() const {
        return Width == 0 ? width_ : Width;
    }
    [[nodiscard]] std::size_t stride() const { return width() + NumValues; }

    [[nodiscard]] View view() const { return {words_.data(), capacity_ - 1, shift_}; }
    [[nodiscard]] std::size_t probe(Word const* key, Word hash) const {
        return probe(view(), key, hash);
    }
    /// The slot where a key is, or could be.
    [[nodiscard, gnu::always_inline]] std::size_t
    probe(View const& view, Word const* key, Word hash) const {
        auto slot = static_cast<std::size_t>(hash >> view.shift);
        while (!is_free_for(key, view.words + slot * stride())) {
            slot = (slot + 1) & view.mask;
        }
        return slot;
    }
    /// Is a slot that of a key, or that of none?
    [[nodiscard]] bool is_free_for(Word const* key, Word const* there) const {
        if constexpr (Width == 1) {
            // Only what is no key has the top bit, so a difference without it is that
            // to another key. One comparison can be foreseen where two cannot.
            return static_cast<std::int64_t>(*key ^ *there) <= 0;
        } else {
            return there[0] == OutcomeVector::no_key ||
                   std::equal(key, key + width(), there);
        }
    }

    void clear(std::size_t capacity) {
        capacity_ = capacity;
        room_ = capacity / 8 * 5;
        shift_ = static_cast<unsigned>(64 - std::bit_width(capacity - 1));
        words_.clear();
        Word* const words = words_.extend(capacity * stride());
        std::fill_n(words, capacity * stride(), OutcomeVector::no_key);
    }

    std::size_t width_;
    std::size_t capacity_ = 0;
    std::size_t size_ = 0;
    std::size_t room_ = 0;
    unsigned shift_ = 0;
    LargeArray<Word> words_;
};

} // namespace branchwise
