#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/support/key_hash.hpp"
#include "branchwise/support/large_array.hpp"
#include "branchwise/support/packed_numbers.hpp"

namespace branchwise {

/// Room for one key; none has to be allocated for a key of few words.
class KeyBuffer {
  public:
    [[nodiscard]] Word* make_room(std::size_t num_words) {
        if (num_words <= few_.size()) {
            return few_.data();
        }
        many_.resize(num_words);
        return many_.data();
    }

  private:
    std::array<Word, 8> few_;
    std::vector<Word> many_;
};

/// When keys are packed that take many bytes.
enum class Packing : std::uint8_t {
    if_it_pays, // when a third is to be gained by it
    always,
};

/// The keys of states by number, each of the same number of words. Any thread may read
/// while one adds keys for which there is room.
///
/// Millions of keys have far fewer different words at each place. So they can be
/// *packed*: every word is kept once, and a key is the numbers of its words.
class KeyStore {
  public:
    /// Keys that take fewer bytes are not packed.
    static constexpr std::size_t many_bytes = std::size_t{1} << 26U;

    explicit KeyStore(std::size_t num_words, std::size_t many = many_bytes,
                      Packing packing = Packing::if_it_pays)
        : num_words_(num_words), next_try_(many), packing_(packing) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] bool is_packed() const { return !columns_.empty(); }

    /// Have room for so many more, so that adding them moves nothing and cannot fail.
    void make_room(std::size_t count);
    void add(Word const* key);
    /// Pack the keys there are, and all that come, if they are many and a third is to
    /// be gained by it, or else if they are always to be packed. Throws
    /// `std::bad_alloc` and leaves all as it is where there is no memory.
    void pack_many();
    /// Release what only adding keys needs, and comes again with room for more.
    void release_index();
    /// How much memory that takes at once: 0 if there is nothing to do.
    [[nodiscard]] std::size_t bytes_to_pack() const;

    /// Where it is, if it is not packed; else the buffer, into which it is written.
    [[nodiscard]] Word const* read(std::size_t i, KeyBuffer& buffer) const {
        if (!is_packed()) {
            return plain(i);
        }
        Word* const to = buffer.make_room(num_words_);
        unpack(i, to);
        return to;
    }
    /// Only while keys are not packed.
    [[nodiscard]] Word const* plain(std::size_t i) const {
        assert(!is_packed());
        return plain_.data() + i * num_words_;
    }
    void unpack(std::size_t i, Word* to) const {
        for (Column const& column : columns_) {
            *to++ = column.words[number_in(column, i)];
        }
    }
    [[nodiscard]] bool is_same(Word const* key, std::size_t i) const {
        if (!is_packed()) {
            return is_same_key(key, plain(i), num_words_);
        }
        Word difference = 0;
        for (Column const& column : columns_) {
            difference |= *key++ ^ column.words[number_in(column, i)];
        }
        return difference == 0;
    }

    /// Have a key brought from memory in time: first this, for many keys, and then
    /// that.
    void fetch(std::size_t i) const {
        if (is_packed()) {
            __builtin_prefetch(rows_.data() + i * row_bytes_);
        } else {
            __builtin_prefetch(plain_.data() + i * num_words_);
        }
    }
    void fetch_words(std::size_t i) const {
        for (Column const& column : columns_) {
            __builtin_prefetch(column.words.data() + number_in(column, i));
        }
    }

  private:
    /// The words at one place of the keys.
    struct Column {
        LargeArray<Word> words{};
        // Open addressing: the number of a word plus one; 0: free.
        LargeArray<std::uint32_t> slots{};
        std::size_t first_byte = 0; // of its numbers in a row
        std::uint32_t width = 1;    // of its numbers, in bytes
    };

    [[nodiscard]] std::uint32_t number_in(Column const& column, std::size_t i) const {
        return PackedNumbers<std::uint32_t>(
            rows_.data() + i * row_bytes_ + column.first_byte, 1, column.width)[0];
    }
    [[nodiscard]] static std::size_t slot_of(Column const& column, Word word);
    [[nodiscard]] static std::uint32_t number_of(Column& column, Word word);
    static void make_room(Column& column, std::size_t count);
    static void index_words(Column& column, std::size_t num_slots);
    void widen_rows(std::vector<std::uint32_t> const& widths);

    std::size_t num_words_;
    std::size_t size_ = 0;
    LargeArray<Word> plain_;
    std::vector<Column> columns_; // by place; none while keys are not packed
    LargeArray<std::byte> rows_;
    std::size_t row_bytes_ = 0;
    std::size_t next_try_; // of bytes that are not packed
    Packing packing_;
};

} // namespace branchwise
