#include "branchwise/search/plans/contenders.hpp"

#include <cstdint>
#include <vector>

#include <nanobind/nanobind.h>

#include "bindings/bind.hpp"
#include "bindings/gil.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

/// An array as Python's bytes: it needs no library to be looked at as numbers.
template <typename Number, std::vector<Number> Contenders::* member>
nb::bytes array(Contenders const& self) {
    std::vector<Number> const& numbers = self.*member;
    return nb::bytes(numbers.data(), numbers.size() * sizeof(Number));
}

Contenders found(CanonicalEngine& engine, Plan const* plan) {
    EngineTurn const turn(engine);
    WithoutLock const without_lock;
    return plan == nullptr ? contenders_of(engine) : contenders_of(engine, *plan);
}

} // namespace

void bind_contenders(nb::module_& m) {
    using Number = std::uint32_t;
    using Place = std::uint64_t;
    nb::class_<Contenders>(m, "Contenders",
                           "States and the options there that may be optimal, as "
                           "arrays of bytes; the root is the last state.")
        .def(
            "__init__",
            [](Contenders* self, CanonicalEngine& engine, Plan const* plan) {
                new (self) Contenders(found(engine, plan));
            },
            "engine"_a, "plan"_a.none() = nb::none(),
            "What may be optimal after the last run, or only what a plan does.")
        .def_static(
            "of_all",
            [](CanonicalEngine& engine) {
                EngineTurn const turn(engine);
                WithoutLock const without_lock;
                return all_options_of(engine);
            },
            "engine"_a, "As if everything that an exact run explored might be optimal.")
        .def_prop_ro("states", &array<Number, &Contenders::states>)
        .def_prop_ro("first_held", &array<Place, &Contenders::first_held>)
        .def_prop_ro("held", &array<Number, &Contenders::held>)
        .def_prop_ro("first_options", &array<Place, &Contenders::first_options>)
        .def_prop_ro("actions", &array<Number, &Contenders::actions>)
        .def_prop_ro("variants", &array<Number, &Contenders::variants>)
        .def_prop_ro("first_branches", &array<Place, &Contenders::first_branches>)
        .def_prop_ro("outcomes", &array<Number, &Contenders::outcomes>)
        .def_prop_ro("children", &array<Number, &Contenders::children>)
        .def_prop_ro("first_gained", &array<Place, &Contenders::first_gained>)
        .def_prop_ro("gained", &array<Number, &Contenders::gained>);
}

} // namespace branchwise
