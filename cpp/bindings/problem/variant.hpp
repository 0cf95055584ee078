// Variants of actions as Python spells them.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "branchwise/problem/instance.hpp"

namespace branchwise {

/// The lowest and highest probabilities, and how much may move.
using SpreadParts = std::tuple<std::vector<double>, std::vector<double>, double>;

/// A counter, and by how much it changes.
using EffectParts = std::tuple<std::uint32_t, std::int64_t>;

/// Its condition, price, cost, charge, probabilities, what these may lie between, and
/// the effects of each outcome, if there are any.
using VariantParts = std::tuple<std::uint32_t, std::vector<std::int64_t>, double,
                                double, std::vector<double>, std::optional<SpreadParts>,
                                std::vector<std::vector<EffectParts>>>;

std::vector<Variant> variants_of(std::vector<VariantParts> const& parts);

} // namespace branchwise
