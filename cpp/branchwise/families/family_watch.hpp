#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

namespace branchwise {

/// A stop was requested, or the time is up.
class Stopped : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The families need more nodes, or have more elements, than they may.
class TooLarge : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The work would take more steps than it may.
class TooManySteps : public TooLarge {
  public:
    using TooLarge::TooLarge;
};

/// Looks up from long work every few thousand steps: go on, or stop?
///
/// A request to stop, or a time limit, ends one operation and is then spent.
class FamilyWatch {
  public:
    using Hook = std::function<void()>;

    /// Let the running operation, or else the next one, throw `Stopped`. This is the
    /// one function that any thread may call at any time.
    void stop() noexcept { stop_requested_.store(true); }

    /// Throw `Stopped` when this much time has passed from now on, in whatever
    /// operation that may be; without a value, never.
    void set_time_limit(std::optional<double> seconds);
    [[nodiscard]] std::optional<double> time_limit_seconds() const {
        return time_limit_seconds_;
    }

    /// Throw `TooManySteps` when about so many more have been made.
    void allow(std::uint64_t num_steps) { most_steps_ = num_steps_ + num_steps; }

    /// Call this at most 20 times a second; what it throws ends the operation.
    void set_hook(Hook hook) { hook_ = std::move(hook); }

    /// One step of work.
    void step() {
        if (++num_steps_ % steps_between_looks == 0) {
            look();
        }
    }

    /// Ask now: throws `Stopped`, or what the hook throws.
    void look();

  private:
    using Clock = std::chrono::steady_clock;

    static constexpr std::uint64_t steps_between_looks = 4096;

    std::atomic<bool> stop_requested_ = false;
    std::uint64_t num_steps_ = 0;
    std::uint64_t most_steps_ = UINT64_MAX;
    std::optional<double> time_limit_seconds_;
    Clock::time_point deadline_{};
    Clock::time_point next_call_ = Clock::now();
    Hook hook_;
};

} // namespace branchwise
