#pragma once

#include <span>

#include "branchwise/objective.hpp"
#include "branchwise/state_rules.hpp"

namespace branchwise {

/// f(s): a whole number or a real one, as the objective has it.
struct Preference {
    NodeCount whole = 0;
    double real = 0;
};

/// f where the plan stops.
[[nodiscard]] Preference preference_at_leaf(Objective objective);

/// f where an action is taken, from those of its children.
[[nodiscard]] Preference preference(Objective objective, Move const& move,
                                    std::span<Preference const> children);

/// Is one less than the other?
[[nodiscard]] bool is_less(Objective objective, Preference const& one,
                           Preference const& other);

} // namespace branchwise
