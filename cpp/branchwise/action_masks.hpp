#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace branchwise {

/// Sets of actions, a bit for each, in no more memory than so many actions take.
class ActionMasks {
  public:
    explicit ActionMasks(std::size_t num_actions) : is_wide_(num_actions > half) {}

    void resize(std::size_t size) {
        low_.resize(size);
        high_.resize(is_wide_ ? size : 0);
    }
    void set(std::size_t i, std::uint64_t mask) {
        low_[i] = static_cast<std::uint32_t>(mask);
        if (is_wide_) {
            high_[i] = static_cast<std::uint32_t>(mask >> half);
        }
    }
    [[nodiscard]] std::uint64_t operator[](std::size_t i) const {
        return is_wide_ ? std::uint64_t{high_[i]} << half | low_[i] : low_[i];
    }
    [[nodiscard]] std::size_t bytes() const {
        return (low_.capacity() + high_.capacity()) * sizeof(std::uint32_t);
    }

  private:
    static constexpr std::size_t half = 32;

    bool is_wide_;
    std::vector<std::uint32_t> low_;
    std::vector<std::uint32_t> high_; // of actions 32 and up
};

} // namespace branchwise
