#include "bindings/family.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bindings/bind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

using Sets = std::vector<ElementSet>;
using Prices = std::vector<std::int64_t>;

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

} // namespace

void bind_family(nb::module_& m) {
    nb::exception<Stopped>(m, "Stopped");
    nb::exception<TooLarge>(m, "TooLarge");
    bind_family_handle(m);
    nb::class_<SharedFamilies> families(m, "Families", "Families of sets of elements.");
    bind_makers(families);
    bind_algebra(families);
    bind_family_queries(families);
    bind_family_listings(m, families);
}

} // namespace branchwise
