#include "branchwise/canonical/key_store.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "branchwise/support/key_hash.hpp"

namespace branchwise {

namespace {

constexpr std::size_t first_word_slots = 64;

} // namespace

void KeyStore::make_room(std::size_t count) {
    if (!is_packed()) {
        plain_.make_room(count * num_words_);
        return;
    }
    std::vector<std::uint32_t> widths;
    for (Column& column : columns_) {
        make_room(column, count);
        auto const last = static_cast<std::uint32_t>(column.words.size() + count);
        widths.push_back(std::max(column.width, bytes_for(last)));
    }
    widen_rows(widths);
    rows_.make_room(count * row_bytes_ + PackedNumbers<std::uint32_t>::bytes_behind);
}

void KeyStore::add(Word const* key) {
    if (!is_packed()) {
        plain_.append({key, num_words_});
    } else {
        std::byte* to = rows_.extend(row_bytes_);
        for (Column& column : columns_) {
            to = write_packed(to, number_of(column, *key++), column.width);
        }
    }
    ++size_;
}

// Where words hardly repeat it would take more memory rather than less; then again once
// there are twice as many keys.
void KeyStore::pack_many() {
    if (bytes_to_pack() == 0) {
        return;
    }
    next_try_ *= 2;
    KeyStore packed(num_words_, next_try_, packing_);
    packed.columns_.resize(num_words_);
    std::vector<std::uint32_t> widths;
    std::size_t bytes = 0;
    for (std::size_t w = 0; w < num_words_; ++w) {
        Column& column = packed.columns_[w];
        for (std::size_t i = 0; i < size_; ++i) {
            make_room(column, 1);
            (void)number_of(column, plain_[i * num_words_ + w]);
        }
        widths.push_back(
            bytes_for(static_cast<std::uint32_t>(2 * column.words.size())));
        bytes += column.words.bytes() + column.slots.bytes() + widths[w] * size_;
    }
    bool const pays = 3 * bytes <= 2 * plain_.size() * sizeof(Word);
    if (packing_ == Packing::if_it_pays && !pays) {
        return;
    }
    packed.widen_rows(widths);
    packed.rows_.make_room(size_ * packed.row_bytes_ +
                           PackedNumbers<std::uint32_t>::bytes_behind);
    for (std::size_t i = 0; i < size_; ++i) {
        packed.add(plain(i));
    }
    std::swap(*this, packed);
}

void KeyStore::release_index() {
    for (Column& column : columns_) {
        column.slots.release();
    }
}

std::size_t KeyStore::bytes_to_pack() const {
    std::size_t const bytes = plain_.size() * sizeof(Word);
    bool const may_pay = num_words_ > 1 || packing_ == Packing::always;
    bool const is_due = !is_packed() && may_pay && bytes >= next_try_;
    return is_due ? bytes : 0;
}

std::size_t KeyStore::bytes() const {
    std::size_t total = plain_.bytes() + rows_.bytes();
    for (Column const& column : columns_) {
        total += column.words.bytes() + column.slots.bytes();
    }
    return total;
}

// What follows keeps every word of a place once.

std::size_t KeyStore::slot_of(Column const& column, Word word) {
    std::size_t const mask = column.slots.size() - 1;
    std::size_t slot = key_hash(&word, 1) & mask;
    while (column.slots[slot] != 0 && column.words[column.slots[slot] - 1] != word) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

std::uint32_t KeyStore::number_of(Column& column, Word word) {
    std::uint32_t& found = column.slots[slot_of(column, word)];
    if (found == 0) {
        column.words.push_back(word);
        found = static_cast<std::uint32_t>(column.words.size());
    }
    return found - 1;
}

void KeyStore::make_room(Column& column, std::size_t count) {
    column.words.make_room(count);
    std::size_t num_slots = std::max(first_word_slots, column.slots.size());
    while ((column.words.size() + count) * 4 > num_slots * 3) {
        num_slots *= 2;
    }
    if (num_slots > column.slots.size()) {
        index_words(column, num_slots);
    }
}

void KeyStore::index_words(Column& column, std::size_t num_slots) {
    column.slots.fill_up(num_slots, 0);
    std::fill(column.slots.begin(), column.slots.end(), 0);
    for (std::size_t i = 0; i < column.words.size(); ++i) {
        column.slots[slot_of(column, column.words[i])] =
            static_cast<std::uint32_t>(i + 1);
    }
}

// Rows only get longer, so that each can be written over from the last one on.
void KeyStore::widen_rows(std::vector<std::uint32_t> const& widths) {
    std::size_t row_bytes = 0;
    bool is_wider = false;
    for (std::size_t w = 0; w < columns_.size(); ++w) {
        row_bytes += widths[w];
        is_wider |= widths[w] != columns_[w].width || row_bytes_ == 0;
    }
    if (!is_wider) {
        return;
    }
    rows_.make_room(size_ * (row_bytes - row_bytes_) +
                    PackedNumbers<std::uint32_t>::bytes_behind);
    rows_.extend(size_ * (row_bytes - row_bytes_));
    std::vector<std::uint32_t> numbers(columns_.size());
    for (std::size_t i = size_; i-- > 0;) {
        for (std::size_t w = 0; w < columns_.size(); ++w) {
            numbers[w] = number_in(columns_[w], i);
        }
        std::byte* to = rows_.data() + i * row_bytes;
        for (std::size_t w = 0; w < columns_.size(); ++w) {
            to = write_packed(to, numbers[w], widths[w]);
        }
    }
    std::size_t first_byte = 0;
    for (std::size_t w = 0; w < columns_.size(); ++w) {
        columns_[w].width = widths[w];
        columns_[w].first_byte = std::exchange(first_byte, first_byte + widths[w]);
    }
    row_bytes_ = row_bytes;
}

} // namespace branchwise
