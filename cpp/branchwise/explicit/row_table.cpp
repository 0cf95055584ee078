#include "branchwise/explicit/row_table.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "branchwise/support/key_hash.hpp"

namespace branchwise {

namespace {

std::uint64_t hash_of(std::int64_t const* row, std::size_t width) {
    // The bits of a number are its own, whatever its sign.
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < width; ++i) {
        std::array<Word, 2> const words{result, static_cast<Word>(row[i])};
        result = key_hash(words.data(), words.size());
    }
    return result;
}

} // namespace

std::size_t RowTable::place(std::int64_t const* row) const {
    std::size_t const mask = places_.size() - 1;
    std::size_t place = hash_of(row, width_) & mask;
    while (places_[place] != none &&
           !std::equal(row, row + width_, rows_.data() + places_[place] * width_)) {
        place = (place + 1) & mask;
    }
    return place;
}

void RowTable::place_all(std::size_t num_places) {
    places_.assign(num_places, none);
    for (std::size_t i = 0; i < size_; ++i) {
        places_[place(rows_.data() + i * width_)] = static_cast<std::uint32_t>(i);
    }
}

void RowTable::number(std::span<std::int64_t const> rows,
                      std::span<std::int32_t> numbers) {
    assert(rows.size() == numbers.size() * width_);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        std::int64_t const* const row = rows.data() + i * width_;
        std::size_t at = place(row);
        if (places_[at] == none) {
            if (2 * (size_ + 1) > places_.size()) {
                place_all(2 * places_.size());
                at = place(row);
            }
            places_[at] = static_cast<std::uint32_t>(size_++);
            rows_.insert(rows_.end(), row, row + width_);
        }
        numbers[i] = static_cast<std::int32_t>(places_[at]);
    }
}

std::optional<std::size_t> RowTable::find(std::int64_t const* row) const {
    std::uint32_t const found = places_[place(row)];
    return found == none ? std::nullopt : std::optional<std::size_t>(found);
}

void RowTable::shorten(std::size_t size) {
    if (size < size_) {
        size_ = size;
        rows_.resize(size * width_);
        place_all(places_.size());
    }
}

} // namespace branchwise
