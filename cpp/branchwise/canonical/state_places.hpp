#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "branchwise/support/growing_array.hpp"

namespace branchwise {

/// Where what is known of each state begins, in five bytes; none until it is expanded.
///
/// That is the one number of a state that changes, perhaps while another thread reads a
/// copy. The high byte is written last and read first: whoever sees it new sees the
/// whole place, and whoever sees it old sees none.
class StatePlaces {
  public:
    static constexpr std::uint64_t none = UINT64_MAX;
    /// What is beyond cannot be told.
    static constexpr std::uint64_t most = (std::uint64_t{0xFF} << 32U) - 1;

    [[nodiscard]] std::size_t size() const { return low_.size(); }
    [[nodiscard]] std::size_t bytes() const { return low_.bytes() + high_.bytes(); }

    [[nodiscard]] std::uint64_t operator[](std::size_t i) const {
        auto& high = const_cast<std::uint8_t&>(high_[i]);
        std::uint64_t const upper =
            std::atomic_ref(high).load(std::memory_order_acquire);
        if (upper == no_high) {
            return none;
        }
        auto& low = const_cast<std::uint32_t&>(low_[i]);
        return upper << 32U | std::atomic_ref(low).load(std::memory_order_relaxed);
    }

    /// Have room for so many more states, so that adding them cannot fail.
    void make_room(std::size_t count) {
        low_.make_room(count);
        high_.make_room(count);
    }
    /// Add a state without a place.
    void add() {
        low_.push_back(0);
        high_.push_back(no_high);
    }
    /// Once, for a state that has none.
    void set(std::size_t i, std::uint64_t place) {
        std::atomic_ref(low_[i]).store(static_cast<std::uint32_t>(place),
                                       std::memory_order_relaxed);
        std::atomic_ref(high_[i]).store(static_cast<std::uint8_t>(place >> 32U),
                                        std::memory_order_release);
    }

  private:
    static constexpr std::uint8_t no_high = 0xFF;

    GrowingArray<std::uint32_t> low_;
    GrowingArray<std::uint8_t> high_;
};

} // namespace branchwise
