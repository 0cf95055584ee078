// A number of nodes, as Python counts: without end.
#pragma once

#include <cstdint>

#include <nanobind/nanobind.h>

#include "branchwise/problem/objective.hpp"

namespace branchwise {

inline nanobind::int_ to_python(NodeCount count) {
    constexpr NodeCount half = NodeCount{1} << 64U;
    nanobind::int_ const high(static_cast<std::uint64_t>(count / half));
    nanobind::int_ const low(static_cast<std::uint64_t>(count % half));
    return nanobind::int_(high * nanobind::int_(std::uint64_t{1} << 32U) *
                              nanobind::int_(std::uint64_t{1} << 32U) +
                          low);
}

} // namespace branchwise
