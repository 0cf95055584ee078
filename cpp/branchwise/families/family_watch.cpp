#include "branchwise/families/family_watch.hpp"

#include <algorithm>

namespace branchwise {

namespace {

constexpr std::chrono::milliseconds between_calls{50};

// More would overflow the clock.
constexpr double longest_seconds = 1e9;

} // namespace

void FamilyWatch::set_time_limit(std::optional<double> seconds) {
    time_limit_seconds_ = seconds;
    std::chrono::duration<double> const limit(
        std::min(seconds.value_or(longest_seconds), longest_seconds));
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
}

void FamilyWatch::look() {
    if (stop_requested_.exchange(false)) {
        throw Stopped("stopped on request");
    }
    if (num_steps_ >= most_steps_) {
        throw TooManySteps("it takes too many steps");
    }
    auto const now = Clock::now();
    if (time_limit_seconds_ && now >= deadline_) {
        time_limit_seconds_.reset();
        throw Stopped("stopped by the time limit");
    }
    if (hook_ && now >= next_call_) {
        next_call_ = now + between_calls;
        hook_();
    }
}

} // namespace branchwise
