#pragma once

#include <cstdint>
#include <vector>

#include "branchwise/search/canonical_engine.hpp"
#include "branchwise/search/plans/plan.hpp"

namespace branchwise {

/// The part of a graph in which the best tree is to be found, as arrays that others can
/// work on: states, the options there that may be optimal, and where these lead.
///
/// What belongs to a state is in a row, and so are the branches of an option and the
/// rewards of a branch; we keep where each row begins, and where the last one ends.
struct Contenders {
    std::vector<std::uint32_t> states{};         // children first, the root last
    std::vector<std::uint8_t> may_stop{};        // by state: or one must go on
    std::vector<std::int64_t> counts{};          // by state and counter, if some hide
    std::vector<std::uint64_t> first_held{};     // by state, and one more
    std::vector<std::uint32_t> held{};           // rewards for stopping there
    std::vector<std::uint64_t> first_options{};  // by state, and one more
    std::vector<std::uint32_t> actions{};        // by option
    std::vector<std::uint32_t> variants{};       // by option: which clause counts
    std::vector<std::uint64_t> first_branches{}; // by option, and one more
    std::vector<std::uint32_t> outcomes{};       // by branch, within its action
    std::vector<std::uint32_t> children{};       // by branch: a place among the states
    std::vector<std::uint64_t> first_gained{};   // by branch, and one more
    std::vector<std::uint32_t> gained{};         // rewards that are certain from there
};

/// What may be optimal after a run that has found the best tree, without an adversary:
/// for an exact engine in exact arithmetic, otherwise what is tied.
[[nodiscard]] Contenders contenders_of(CanonicalEngine const& engine);

/// As if everything might be optimal, after an exact engine has explored all there is.
[[nodiscard]] Contenders all_options_of(CanonicalEngine const& engine);

/// Nothing but what a plan does; the last plan of the engine, without an adversary.
[[nodiscard]] Contenders contenders_of(CanonicalEngine const& engine, Plan const& plan);

} // namespace branchwise
