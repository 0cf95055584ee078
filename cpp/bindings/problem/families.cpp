// Families of sets, and one family as Python holds it.

#include "bindings/problem/families.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>

#include "bindings/bind.hpp"
#include "bindings/gil.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

SharedFamilies::SharedFamilies(std::uint32_t num_elements, std::size_t max_nodes)
    : families(num_elements, max_nodes) {
    families.watch().set_hook([] {
        WithLock const with_lock;
        if (PyErr_CheckSignals() != 0) {
            throw nb::python_error();
        }
    });
}

namespace {

using Sets = std::vector<ElementSet>;
using Prices = std::vector<std::int64_t>;
using Groups = std::vector<ChanceGroup>;
using Numbers = std::vector<double>;

/// An operation that makes a family of something else.
template <auto operation, typename Argument>
FamilyHandle make(Manager const& self, Argument const& argument) {
    return {self, work_on(self, [&](Families& families) {
                return (families.*operation)(argument);
            })};
}

/// An operation on a family, with further arguments after it.
template <auto operation, typename... Arguments>
FamilyHandle select(Manager const& self, FamilyHandle const& f,
                    Arguments const&... arguments) {
    return {self, ask<operation>(self, f, arguments...)};
}

/// An operation on two families.
template <auto operation>
FamilyHandle combine(Manager const& self, FamilyHandle const& f,
                     FamilyHandle const& g) {
    return {self, ask<operation>(self, f, family_of(self, g))};
}

void bind_makers(nb::class_<SharedFamilies>& families) {
    families
        .def(nb::init<std::uint32_t, std::size_t>(), "num_elements"_a, "max_nodes"_a)
        .def(
            "empty",
            [](Manager const& self) { return FamilyHandle{self, empty_family}; },
            "No set at all.")
        .def(
            "unit", [](Manager const& self) { return FamilyHandle{self, unit_family}; },
            "The empty set alone.")
        .def("single", &make<&Families::single, ElementId>, "element"_a,
             "The set of this one element.")
        .def("from_sets", &make<&Families::from_sets, Sets>, "sets"_a, "These sets.");
}

void bind_algebra(nb::class_<SharedFamilies>& families) {
    families.def("unite", &combine<&Families::unite>, "f"_a, "g"_a)
        .def("intersect", &combine<&Families::intersect>, "f"_a, "g"_a)
        .def("subtract", &combine<&Families::subtract>, "f"_a, "g"_a)
        .def("join", &combine<&Families::join>, "f"_a, "g"_a,
             "All unions of one set of f and one of g.")
        .def("minimal", &select<&Families::minimal>, "f"_a,
             "The sets of f that contain no other set of f.")
        .def("nonsupersets", &combine<&Families::nonsupersets>, "f"_a, "g"_a,
             "The sets of f that contain no set of g.")
        .def("minimal_union", &combine<&Families::minimal_union>, "f"_a, "g"_a)
        .def("minimal_join", &combine<&Families::minimal_join>, "f"_a, "g"_a)
        .def("with_element", &select<&Families::with_element, ElementId>, "f"_a,
             "element"_a, "The sets that have this element.")
        .def("without", &select<&Families::without, ElementId>, "f"_a, "element"_a,
             "The sets that do not have it.")
        .def("project_out", &select<&Families::project_out, ElementSet>, "f"_a,
             "elements"_a, "All sets, less these elements.")
        .def("at_most", &select<&Families::at_most, ElementSet, std::int64_t>, "f"_a,
             "elements"_a, "limit"_a, "The sets with at most limit of these elements.")
        .def("within", &select<&Families::within, Prices, std::int64_t>, "f"_a,
             "prices"_a, "budget"_a, "The sets whose prices sum to at most budget.");
}

// The stable ABI reads a number of any length from its digits.
nb::int_ to_python(BigIndex const& number) {
    std::string digits = "0";
    auto const words = number.words();
    for (auto word = words.rbegin(); word != words.rend(); ++word) {
        for (unsigned shift = 32; shift > 0; shift -= 4) {
            digits.push_back("0123456789abcdef"[*word >> (shift - 4) & 0xFU]);
        }
    }
    return nb::steal<nb::int_>(PyLong_FromString(digits.c_str(), nullptr, 16));
}

nb::int_ count(Manager const& self, FamilyHandle const& f) {
    return to_python(ask<&Families::count>(self, f));
}

double expected_best(Manager const& self, std::vector<FamilyHandle> const& handles,
                     Numbers const& values, Groups const& groups) {
    std::vector<Family> ids;
    for (FamilyHandle const& handle : handles) {
        ids.push_back(family_of(self, handle));
    }
    return work_on(self, [&](Families& families) {
        return families.expected_best(ids, values, groups);
    });
}

void bind_handle(nb::module_& m) {
    nb::class_<FamilyHandle>(m, "Family",
                             "A family of sets; equal families compare equal.")
        .def(
            "__eq__",
            [](FamilyHandle const& self, nb::object const& other) {
                FamilyHandle const* that = nullptr;
                return nb::try_cast(other, that) && that != nullptr &&
                       self.manager.get() == that->manager.get() &&
                       self.family == that->family;
            },
            "other"_a.none())
        .def("__hash__",
             [](FamilyHandle const& self) { return std::hash<Family>{}(self.family); });
}

void bind_queries(nb::class_<SharedFamilies>& families) {
    using Limit = std::optional<double>;
    auto const watch = [](SharedFamilies& self) -> FamilyWatch& {
        return self.families.watch();
    };
    families.def("count", &count, "f"_a, "How many sets, exactly.")
        .def("num_nodes", &ask<&Families::num_nodes>, "f"_a)
        .def("elements_of", &ask<&Families::elements_of>, "f"_a,
             "The elements that are in some set, ascending.")
        .def("contains", &ask<&Families::contains, ElementSet>, "f"_a, "set"_a)
        .def("probability", &ask<&Families::probability, Groups>, "f"_a, "groups"_a,
             "The probability that all elements of some set come true.")
        .def("expected_best", &expected_best, "families"_a, "values"_a, "groups"_a,
             "The expected value of the first family that comes true; 0 if none does.")
        .def_prop_ro(
            "num_elements",
            [](SharedFamilies const& self) { return self.families.num_elements(); })
        .def("num_nodes_total",
             [](SharedFamilies const& self) { return self.families.num_nodes_total(); })
        .def("bytes", [](SharedFamilies const& self) { return self.families.bytes(); })
        .def(
            "stop", [watch](SharedFamilies& self) { watch(self).stop(); },
            "Let the running operation, or else the next one, raise Stopped.")
        .def_prop_rw(
            "time_limit_seconds",
            [watch](SharedFamilies& self) { return watch(self).time_limit_seconds(); },
            [watch](SharedFamilies& self, Limit seconds) {
                watch(self).set_time_limit(seconds);
            },
            nb::for_setter(nb::arg("seconds").none()),
            "Raise Stopped once, this long after it was set; None is no limit.");
}

void bind_listing(nb::class_<SharedFamilies>& families) {
    families.def(
        "sets",
        [](Manager const& self, FamilyHandle const& f, std::size_t limit) {
            return listed(ask<&Families::sets>(self, f, limit));
        },
        "f"_a, "limit"_a,
        nb::sig("def sets(self, f: Family, limit: int) -> list[list[int]]"),
        "The first sets, at most limit.");
}

} // namespace

void bind_families(nb::module_& m) {
    nb::exception<Stopped>(m, "Stopped");
    nb::exception<TooLarge>(m, "TooLarge");
    bind_handle(m);
    nb::class_<SharedFamilies> families(m, "Families", "Families of sets of elements.");
    bind_makers(families);
    bind_algebra(families);
    bind_queries(families);
    bind_listing(families);
    bind_strongest_sets(m, families);
}

} // namespace branchwise
