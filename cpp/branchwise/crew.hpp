#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "branchwise/expansion.hpp"
#include "branchwise/run_watch.hpp"
#include "branchwise/thread_team.hpp"

namespace branchwise {

/// Throw `RunStopped` if the run must end.
inline void check(RunWatch& watch, std::size_t num_states, char const* stage) {
    if (!watch.look({num_states, 0, 0, stage})) {
        throw RunStopped(watch.ending());
    }
}

/// Some threads that go through layers together, each with an expansion of its own.
template <std::size_t Width>
class Crew {
  public:
    Crew(StateRules const& rules, RewardingFilter const* filter, RunWatch& watch,
         std::size_t num_threads)
        : watch_(watch), team_(num_threads),
          expansions_(num_threads, Expansion<Width>(rules, filter)) {}

    [[nodiscard]] std::size_t size() const { return expansions_.size(); }
    [[nodiscard]] RunWatch& watch() { return watch_; }
    [[nodiscard]] Expansion<Width>& expansion(std::size_t thread) {
        return expansions_[thread];
    }

    /// Call `go` with ranges of slots that make up all of them, and with the thread. At
    /// times all stop and `look` is called. What `go` does must not depend on the
    /// order.
    template <typename Go, typename Look>
    void share(std::size_t num_slots, Go go, Look look) {
        for (std::size_t start = 0; start < num_slots; start += between_looks) {
            std::size_t const end = std::min(start + between_looks, num_slots);
            std::size_t const num_tasks = (end - start + range - 1) / range;
            team_.share(num_tasks, [&](std::size_t task, std::size_t thread) {
                std::size_t const first = start + task * range;
                go(first, std::min(first + range, end), thread);
            });
            look();
        }
    }

  private:
    static constexpr std::size_t range = 512; // a multiple of the bits in a word
    static constexpr std::size_t between_looks = range * 512;

    RunWatch& watch_;
    ThreadTeam team_;
    std::vector<Expansion<Width>> expansions_;
};

} // namespace branchwise
