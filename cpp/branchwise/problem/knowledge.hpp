#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/problem/instance.hpp"

namespace branchwise {

/// What is known of hidden facts at a state, worked out from how often each signal was
/// met: by Bayes' rule, the order does not matter.
class Knowledge {
  public:
    explicit Knowledge(Instance const& instance);

    /// Go over to a state, where counters stand so.
    void start_over(std::span<std::int64_t const> counts) {
        counts_ = counts;
        is_known_.assign(is_known_.size(), 0);
    }
    /// How likely each way is that the facts of a group may be.
    [[nodiscard]] std::span<double const> weights(std::size_t group);
    /// How likely something is that is so with these probabilities, assignment by
    /// assignment.
    [[nodiscard]] double chance(std::size_t group, std::span<double const> given);

  private:
    void work_out(std::size_t group);

    Instance const& instance_;
    std::span<std::int64_t const> counts_;
    std::vector<std::vector<std::size_t>> signals_; // by group: its counters
    std::vector<std::vector<double>> weights_;      // by group
    std::vector<std::uint8_t> is_known_;            // by group
};

} // namespace branchwise
