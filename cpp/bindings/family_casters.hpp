// How elements and chances look in Python.
#pragma once

#include <cstdint>
#include <utility>

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>

#include "branchwise/families/family_probability.hpp"

namespace nanobind::detail {

/// An element is a plain number in Python.
template <>
struct type_caster<branchwise::ElementId> {
    NB_TYPE_CASTER(branchwise::ElementId, const_name("int"))

    bool from_python(handle source, std::uint8_t flags, cleanup_list* list) noexcept {
        make_caster<std::uint32_t> number;
        bool const is_number = number.from_python(source, flags, list);
        value = branchwise::ElementId{is_number ? number.value : 0};
        return is_number;
    }

    static handle from_cpp(branchwise::ElementId element, rv_policy policy,
                           cleanup_list* list) noexcept {
        auto const number = static_cast<std::uint32_t>(element);
        return make_caster<std::uint32_t>::from_cpp(number, policy, list);
    }
};

/// A chance is a pair in Python.
template <>
struct type_caster<branchwise::Chance> {
    NB_TYPE_CASTER(branchwise::Chance, const_name("tuple[int, float]"))

    bool from_python(handle source, std::uint8_t flags, cleanup_list* list) noexcept {
        make_caster<std::pair<branchwise::ElementId, double>> pair;
        if (!pair.from_python(source, flags, list)) {
            return false;
        }
        auto const [element, probability] =
            static_cast<std::pair<branchwise::ElementId, double>>(pair);
        value = {element, probability};
        return true;
    }
};

} // namespace nanobind::detail
