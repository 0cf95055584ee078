#pragma once

#include <compare>
#include <cstddef>
#include <exception>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "branchwise/problem/instance.hpp"
#include "branchwise/rewarding/outcome_set.hpp"
#include "branchwise/support/run_watch.hpp"

namespace branchwise {

/// There are more alternatives than we are prepared to list.
class TooManyToList : public std::exception {};

/// One way for a condition to hold. The smallest ones come first.
struct Term {
    Term(OutcomeSet has_happened, OutcomeSet has_not)
        : size(has_happened.size() + has_not.size()), needs(std::move(has_happened)),
          avoids(std::move(has_not)) {}

    /// Does this hold wherever the other does?
    [[nodiscard]] bool covers(Term const& other) const {
        return needs.is_within(other.needs) && avoids.is_within(other.avoids);
    }
    [[nodiscard]] auto operator<=>(Term const&) const = default;

    std::size_t size;
    OutcomeSet needs;  // what must have happened
    OutcomeSet avoids; // what must not have happened
};

using Terms = std::vector<Term>;

/// Conditions as alternatives, over the outcomes that can happen at all.
class ConditionTerms {
  public:
    /// A condition that has more alternatives than the limit is given up.
    ConditionTerms(Instance const& instance, std::size_t limit, RunWatch& watch);

    /// The minimal ways for a condition to hold, or not to hold.
    Terms const& of(ConditionId condition, bool holds = true);
    /// The minimal ways for two things to hold at once.
    [[nodiscard]] Terms both(Terms const& some, Terms const& others);

    [[nodiscard]] OutcomeSet none() const { return OutcomeSet(possible_.size()); }
    /// Can it happen, under any clause?
    [[nodiscard]] bool is_possible(std::size_t outcome) const {
        return possible_[outcome];
    }
    /// The outcomes of an action that can happen.
    [[nodiscard]] OutcomeSet const& outcomes(std::size_t action) const {
        return outcomes_[action];
    }
    /// Throws where the run must end.
    void look();

  private:
    [[nodiscard]] Terms work_out(Condition const& condition, bool holds);
    [[nodiscard]] Terms literal(OutcomeSet const& outcomes, bool holds) const;
    [[nodiscard]] Terms any_of(std::vector<ConditionId> const& inside, bool holds);
    [[nodiscard]] Terms all_of(std::vector<ConditionId> const& inside, bool holds);
    void add(std::set<Term>& terms, Term term) const;
    [[nodiscard]] Terms minimal(std::set<Term> const& terms);

    Instance const& instance_;
    std::size_t limit_;
    RunWatch& watch_;
    std::vector<bool> possible_;
    std::vector<OutcomeSet> outcomes_;
    std::vector<std::optional<Terms>>
        known_; // for each condition: not to hold, to hold
};

} // namespace branchwise
