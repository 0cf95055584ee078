#pragma once

#include <vector>

#include "branchwise/problem/instance.hpp"

namespace branchwise {

/// One draw: which outcomes of an action can be had with it, and how likely it is.
struct DrawnLot {
    double probability{};
    std::vector<bool> outcomes{};
};

/// The lots of an action, as if its outcomes were drawn before anything is done.
///
/// Taken once with the same probabilities always, it has one lot per outcome. The
/// clauses of a conditioned action read the same draw, a number between 0 and 1, each
/// its own way. With several attempts a lot has what comes up in any of them. An action
/// with too many outcomes for that has one lot that has them all.
[[nodiscard]] std::vector<DrawnLot> lots_of(InstanceAction const& action);

} // namespace branchwise
