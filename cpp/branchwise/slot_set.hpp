#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace branchwise {

/// Some slots of a table, one bit each, numbered through once all are there.
class SlotSet {
  public:
    explicit SlotSet(std::size_t num_slots) : bits_((num_slots + 63) / 64) {}

    /// Add a slot; is it new?
    bool insert(std::size_t slot) {
        std::uint64_t const bit = std::uint64_t{1} << slot % 64;
        bool const is_new = (bits_[slot / 64] & bit) == 0;
        bits_[slot / 64] |= bit;
        size_ += is_new ? 1 : 0;
        return is_new;
    }

    /// Count, so that `number` can tell; nothing may be added afterwards.
    void seal() {
        before_.clear();
        before_.reserve(bits_.size());
        std::size_t total = 0;
        for (std::uint64_t const word : bits_) {
            before_.push_back(total);
            total += static_cast<std::size_t>(std::popcount(word));
        }
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
        return before_[slot / 64] +
               static_cast<std::size_t>(std::popcount(bits_[slot / 64] & below));
    }

    /// Call `visit` with every slot, the lowest first.
    template <typename Visit>
    void for_each(Visit visit) const {
        for (std::size_t i = 0; i < bits_.size(); ++i) {
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
