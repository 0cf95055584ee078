#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/problem/instance.hpp"
#include "branchwise/problem/knowledge.hpp"

namespace branchwise {

/// A state that holds more than outcomes, as whole numbers: how often each outcome has
/// come up; what is spent of each finite resource; and where every counter stands,
/// among them how often each signal about hidden facts was met.
using WideRow = std::span<std::int64_t const>;

/// What may be done at such a state, what may come of it, and what stopping is worth.
/// One object serves many states, one after another.
class WideRules {
  public:
    explicit WideRules(Instance const& instance);
    WideRules(WideRules const&) = delete;
    WideRules& operator=(WideRules const&) = delete;

    [[nodiscard]] Instance const& instance() const { return instance_; }
    [[nodiscard]] std::size_t width() const { return width_; }
    /// The state in which nothing has happened.
    [[nodiscard]] std::vector<std::int64_t> start() const;
    [[nodiscard]] WideRow spent(WideRow row) const {
        return row.subspan(num_outcomes_, instance_.budget.size());
    }

    /// Go over to a state; what follows is about this one.
    void load(WideRow row);
    /// The reward for stopping here; minus infinity where no plan may end.
    [[nodiscard]] double reward();
    /// May one stop here although something can be done?
    [[nodiscard]] bool may_stop() const;
    /// Can an action be taken here?
    [[nodiscard]] bool is_available(std::size_t action) const;
    /// Which variant of an action counts here.
    [[nodiscard]] std::size_t variant(std::size_t action) const;
    /// How likely an outcome is, by what is known of hidden facts.
    [[nodiscard]] double probability(std::size_t action, std::size_t variant,
                                     std::size_t outcome);
    /// Write where an outcome leads to.
    void follow(std::size_t action, std::size_t variant, std::size_t outcome,
                std::span<std::int64_t> child) const;

  private:
    [[nodiscard]] bool holds(ConditionId id) const { return holds_[index_of(id)] != 0; }
    [[nodiscard]] bool holds_now(Condition const& condition) const;
    [[nodiscard]] WideRow counters() const {
        return row_.subspan(num_outcomes_ + instance_.budget.size());
    }
    [[nodiscard]] double paid_on_the_way() const;
    [[nodiscard]] double expected_sum();
    [[nodiscard]] double expected_best();

    Instance const& instance_;
    std::size_t num_outcomes_;
    std::size_t width_;
    WideRow row_;
    std::vector<std::uint32_t> owners_; // by outcome: its action
    std::vector<std::uint8_t> holds_;   // by condition
    Knowledge knowledge_;
};

} // namespace branchwise
