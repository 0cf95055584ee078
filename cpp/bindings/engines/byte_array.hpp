#pragma once

#include <vector>

#include <nanobind/nanobind.h>

namespace branchwise {

/// An array as Python's bytes: it needs no library to be looked at as numbers.
template <auto member, typename Owner>
nanobind::bytes byte_array(Owner const& self) {
    auto const& numbers = self.*member;
    return nanobind::bytes(numbers.data(), numbers.size() * sizeof(numbers[0]));
}

} // namespace branchwise
