#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "branchwise/rewarding/condition_terms.hpp"

namespace branchwise {

/// A rewarding set with the reason for each of its outcomes.
struct Derivation {
    std::uint32_t goal;                 // what it reaches
    Term const* final;                  // the way for the goal to hold
    std::vector<std::uint32_t> reasons; // how its outcomes happen; ascending
    OutcomeSet needs;                   // its outcomes
};

/// The search backwards from goals: every way in which they can be reached.
///
/// A goal needs some outcomes; each of these has ways to happen, which need further
/// outcomes; and so on until nothing more is needed.
class BackwardSearch {
  public:
    /// Attempts are the most of each action.
    BackwardSearch(Instance const& instance, std::vector<std::int64_t> const& attempts,
                   ConditionTerms& terms);

    /// Add every way to reach a goal, not only the minimal ones.
    void reach(std::uint32_t goal, ConditionId when, std::vector<Derivation>& found);

    // Past these, comparing sets with each other would take longer than going without.
    static constexpr std::size_t most_sets = 5'000;
    static constexpr std::size_t most_steps = 200'000;

  private:
    using Prices = std::vector<std::int64_t>;

    /// A way for an outcome to happen.
    struct Way {
        std::uint32_t reason;
        OutcomeSet needs;
        OutcomeSet avoids;
        OutcomeSet rivals; // what its needs leave no attempt for
        Prices const* price;
    };
    /// A step of a set in the making, and the number of the one before it.
    struct Link {
        std::size_t outcome;
        Way const* way;
        std::size_t before;
    };
    /// A set in the making: some outcomes still lack their reason.
    struct Partial {
        OutcomeSet needs;
        OutcomeSet open;
        Prices left;
        std::size_t last; // one more than the number of its last link; 0 if none
    };
    /// An outcome, and what must have happened before it.
    struct Wait {
        std::size_t outcome;
        OutcomeSet before;
    };
    struct Repeated {
        OutcomeSet outcomes;
        std::int64_t attempts;
    };

    void add_ways(InstanceAction const& action);
    void add_ways(InstanceAction const& action, Variant const& variant,
                  Terms const& terms);
    [[nodiscard]] OutcomeSet rivals_of(OutcomeSet const& needs) const;
    [[nodiscard]] bool has_attempts(OutcomeSet const& needs) const;
    void grow(Partial const& partial, std::vector<Partial>& grown);
    [[nodiscard]] std::vector<Wait> waits(Partial const& partial) const;
    [[nodiscard]] bool has_order(Partial const& partial, Term const& final) const;
    [[nodiscard]] std::vector<std::uint32_t> reasons(Partial const& partial) const;

    Instance const& instance_;
    ConditionTerms& terms_;
    std::vector<std::vector<Way>> ways_; // by outcome
    std::vector<OutcomeSet> rivals_;     // by outcome
    std::vector<Repeated> repeated_;     // actions that are taken several times
    std::vector<Link> links_;
    std::uint32_t num_ways_ = 0;
    std::size_t num_steps_ = 0;
};

} // namespace branchwise
