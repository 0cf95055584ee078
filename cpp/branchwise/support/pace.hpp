#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace branchwise {

/// How many tasks to share out before the watch is looked at again: as many as can be
/// done in a moment. What the tasks come to must not depend on it.
class Pace {
  public:
    explicit Pace(std::size_t most) : most_(most), size_(std::min(most, first)) {}

    /// How many to do next. The clock is running.
    [[nodiscard]] std::size_t begin() {
        start_ = Clock::now();
        return size_;
    }
    /// They are done.
    void end() {
        auto const took = Clock::now() - start_;
        if (took > moment) {
            size_ = std::max<std::size_t>(1, size_ / 2);
        } else if (took < moment / 4) {
            size_ = std::min(most_, size_ * 2);
        }
    }

  private:
    using Clock = std::chrono::steady_clock;

    static constexpr std::size_t first = 32;
    static constexpr std::chrono::milliseconds moment{20};

    std::size_t most_;
    std::size_t size_;
    Clock::time_point start_{};
};

} // namespace branchwise
