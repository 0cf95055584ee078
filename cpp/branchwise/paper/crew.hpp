#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include "branchwise/paper/layer.hpp"
#include "branchwise/support/run_watch.hpp"
#include "branchwise/support/thread_team.hpp"

namespace branchwise {

/// Throw `RunStopped` if the run must end.
inline void check(RunWatch& watch, std::size_t num_states, char const* stage) {
    if (!watch.look({num_states, 0, 0, stage})) {
        throw RunStopped(watch.ending());
    }
}

/// Some threads that go through layers together.
class Crew {
  public:
    /// Layers of fewer than `least_shared` states are left to one thread.
    Crew(RunWatch& watch, std::size_t num_threads, std::size_t least_shared = 30'000)
        : watch_(watch), team_(std::min(num_threads, most_threads)),
          least_shared_(least_shared) {}

    [[nodiscard]] std::size_t size() const { return team_.size(); }
    [[nodiscard]] RunWatch& watch() { return watch_; }
    /// The states below so many are in two to the power of this many parts.
    [[nodiscard]] unsigned part_bits(std::size_t num_states) const {
        return is_worth_sharing(num_states) ? most_part_bits() : 0;
    }
    [[nodiscard]] unsigned most_part_bits() const {
        return static_cast<unsigned>(std::bit_width(size() - 1));
    }
    /// Are so many states worth waking up the others for?
    [[nodiscard]] bool is_worth_sharing(std::size_t num_states) const {
        return size() > 1 && num_states >= least_shared_;
    }

    /// Call `go` with every number below `num_tasks` and with the thread that does it.
    /// What it does must not depend on the order.
    template <typename Go>
    void share(std::size_t num_tasks, bool is_shared, Go go) {
        if (!is_shared) {
            for (std::size_t task = 0; task < num_tasks; ++task) {
                go(task, std::size_t{0});
            }
            return;
        }
        team_.share_singly(num_tasks, go);
    }

    /// Call `go` with ranges of states that make up all of a layer: the part, the first
    /// and the last, and the thread. In between the watch is looked at.
    template <typename Go>
    void share(Layer const& layer, char const* stage, std::size_t num_done, Go go) {
        bool const is_shared = is_worth_sharing(layer.size());
        std::size_t const step = is_shared ? range * size() * at_once : range * at_once;
        for (std::size_t i = 0; i < layer.num_parts(); ++i) {
            std::size_t const size = layer.part(i).size();
            for (std::size_t start = 0; start < size; start += step) {
                std::size_t const end = std::min(start + step, size);
                std::size_t const num_tasks = (end - start + range - 1) / range;
                share(num_tasks, is_shared, [&](std::size_t task, std::size_t thread) {
                    std::size_t const first = start + task * range;
                    go(i, first, std::min(first + range, end), thread);
                });
                check(watch_, num_done, stage);
            }
        }
    }

  private:
    static constexpr std::size_t most_threads = 64;
    static constexpr std::size_t range = 8192;
    static constexpr std::size_t at_once = 16;

    RunWatch& watch_;
    ThreadTeam team_;
    std::size_t least_shared_;
};

} // namespace branchwise
