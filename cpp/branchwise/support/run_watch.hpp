#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

namespace branchwise {

/// How a run came to its end.
enum class Ending : std::uint8_t { done, asked, time, memory, states };

/// Thrown out of a run that had to end before there was anything to show.
class RunStopped : public std::exception {
  public:
    explicit RunStopped(Ending ending) : ending_(ending) {}

    [[nodiscard]] Ending ending() const { return ending_; }
    /// One word: `time`, `memory` or `asked`.
    [[nodiscard]] char const* what() const noexcept override;

  private:
    Ending ending_;
};

/// What a run may use; without a value, as much as there is.
struct RunLimits {
    std::optional<double> seconds{};
    std::optional<std::size_t> bytes{};    // resident memory of the whole process
    std::optional<std::uint64_t> states{}; // the same on every machine, unlike time
};

/// How far a run has come, for reports of progress.
struct RunProgress {
    std::uint64_t num_states = 0;
    double lower_bound = 0;
    double upper_bound = 0; // below `lower_bound` while there is none
    char const* stage = "";
    std::size_t bytes_to_finish = 0; // what handing over the plan will take
};

/// Called for every small step of long work that comes to nothing if it is broken off:
/// throws if it is to be.
using Look = std::function<void()>;

/// Looks up from a long run every few steps: go on, or stop?
///
/// One thread asks; the run ends in order, with what it has by then.
class RunWatch {
  public:
    /// Called with how far the run has come, a few times a second; false ends it.
    using Listener = std::function<bool(RunProgress const&)>;

    explicit RunWatch(RunLimits limits, Listener listener = {});

    /// One small step of work; false once the run must end. Cheap: most only count.
    [[nodiscard]] bool goes_on(RunProgress const& progress) {
        return ++num_steps_ % steps_between_looks == 0 ? look(progress)
                                                       : ending_ == Ending::done;
    }

    /// Look now; false once the run must end. Most of the time only the clock is read.
    bool look(RunProgress const& progress);
    /// Have that done by whatever only looks: throws `RunStopped`.
    [[nodiscard]] Look look_at(RunProgress progress);
    /// May there be so many states, as far as is known without looking at the clock?
    bool allows(std::size_t num_states);

    /// May the run take so much more memory at once? If not, it must end.
    [[nodiscard]] bool has_room(std::size_t bytes);
    /// The run must end for a reason that it has found itself; the first one counts.
    void end(Ending ending) { ending_ = ending_ == Ending::done ? ending : ending_; }

    /// Why the run must end; `done` while nothing is in its way.
    [[nodiscard]] Ending ending() const { return ending_; }
    [[nodiscard]] double seconds() const;

  private:
    using Clock = std::chrono::steady_clock;

    static constexpr std::uint64_t steps_between_looks = 64;

    [[nodiscard]] double seconds_until(Clock::time_point now) const;
    [[nodiscard]] bool is_full(Clock::time_point now, std::size_t bytes_to_finish);

    RunLimits limits_;
    Listener listener_;
    Ending ending_ = Ending::done;
    std::uint64_t num_steps_ = 0;
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_report_ = start_;
    Clock::time_point next_look_at_memory_ = start_;
};

} // namespace branchwise
