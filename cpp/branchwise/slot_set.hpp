#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "branchwise/outcome_vector.hpp"

namespace branchwise {

/// Some slots of a table, one bit each, numbered through once all are there.
class SlotSet {
  public:
    explicit SlotSet(std::size_t num_slots) : bits_((num_slots + 63) / 64) {}

    /// Add a slot, maybe while others do.
    void insert(std::size_t slot) {
        std::uint64_t const bit = std::uint64_t{1} << slot % 64;
        std::atomic_ref<std::uint64_t> const word(bits_[slot / 64]);
        if ((word.load(std::memory_order_relaxed) & bit) == 0) {
            word.fetch_or(bit, std::memory_order_relaxed);
        }
    }

    /// Count, so that `size` and `number` can tell; nothing may be added afterwards.
    void seal() {
        before_.clear();
        before_.reserve(bits_.size());
        std::size_t total = 0;
        for (std::uint64_t const word : bits_) {
            before_.push_back(total);
            total += count_bits(word);
        }
        size_ = total;
    }

    [[nodiscard]] bool contains(std::size_t slot) const {
        return (bits_[slot / 64] >> slot % 64 & 1U) != 0;
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const {
        return bits_.capacity() * sizeof(std::uint64_t) +
               before_.capacity() * sizeof(std::size_t);
    }

    /// How many slots of the set come before this one.
    [[nodiscard]] std::size_t number(std::size_t slot) const {
        std::uint64_t const below = (std::uint64_t{1} << slot % 64) - 1;
        return before_[slot / 64] + count_bits(bits_[slot / 64] & below);
    }

    /// Call `visit` with every slot of a range, the lowest first. A range begins with
    /// a multiple of 64, and ends with one or behind the last slot.
    template <typename Visit>
    void for_each(std::size_t first, std::size_t last, Visit visit) const {
        for (std::size_t i = first / 64; i < (last + 63) / 64; ++i) {
            for (std::uint64_t rest = bits_[i]; rest != 0; rest &= rest - 1) {
                visit(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
            }
        }
    }

  private:
    std::vector<std::uint64_t> bits_;
    std::vector<std::size_t> before_;
    std::size_t size_ = 0;
};

} // namespace branchwise
