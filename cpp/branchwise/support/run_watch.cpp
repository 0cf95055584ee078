#include "branchwise/support/run_watch.hpp"

#include "branchwise/support/machine.hpp"

namespace branchwise {

namespace {

constexpr std::chrono::milliseconds between_reports{50};
// In which a run takes a megabyte or two; asking takes some ten microseconds.
constexpr std::chrono::milliseconds between_looks_at_memory{4};

} // namespace

char const* RunStopped::what() const noexcept {
    switch (ending_) {
    case Ending::time:
        return "time";
    case Ending::memory:
        return "memory";
    default:
        return "asked";
    }
}

RunWatch::RunWatch(RunLimits limits, Listener listener)
    : limits_(limits), listener_(std::move(listener)) {}

Look RunWatch::look_at(RunProgress progress) {
    return [this, progress] {
        if (!goes_on(progress)) {
            throw RunStopped(ending_);
        }
    };
}

double RunWatch::seconds() const {
    return seconds_until(Clock::now());
}

double RunWatch::seconds_until(Clock::time_point now) const {
    return std::chrono::duration<double>(now - start_).count();
}

bool RunWatch::allows(std::size_t num_states) {
    if (ending_ == Ending::done && limits_.states && num_states > *limits_.states) {
        ending_ = Ending::states;
    }
    return ending_ == Ending::done;
}

bool RunWatch::look(RunProgress const& progress) {
    if (!allows(progress.num_states)) {
        return false;
    }
    auto const now = Clock::now(); // Once, as some systems take their time for it.
    if (limits_.seconds && seconds_until(now) >= *limits_.seconds) {
        ending_ = Ending::time;
    } else if (is_full(now, progress.bytes_to_finish)) {
        ending_ = Ending::memory;
    } else if (listener_ && now >= next_report_) {
        next_report_ = now + between_reports;
        if (!listener_(progress)) {
            ending_ = Ending::asked;
        }
    }
    return ending_ == Ending::done;
}

bool RunWatch::is_full(Clock::time_point now, std::size_t bytes_to_finish) {
    if (!limits_.bytes || now < next_look_at_memory_) {
        return false;
    }
    next_look_at_memory_ = now + between_looks_at_memory;
    return resident_bytes() + bytes_to_finish >= *limits_.bytes;
}

bool RunWatch::has_room(std::size_t bytes) {
    // Small pieces are left to the next look: asking takes longer than they do.
    constexpr std::size_t small = 1U << 20U;
    if (bytes >= small &&
        resident_bytes() + bytes >= limits_.bytes.value_or(machine_bytes())) {
        end(Ending::memory);
    }
    return ending_ == Ending::done;
}

} // namespace branchwise
