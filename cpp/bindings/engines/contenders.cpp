#include "branchwise/search/plans/contenders.hpp"

#include <nanobind/nanobind.h>

#include "bindings/bind.hpp"
#include "bindings/engines/byte_array.hpp"
#include "bindings/gil.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

Contenders found(CanonicalEngine& engine, Plan const* plan) {
    EngineTurn const turn(engine);
    WithoutLock const without_lock;
    return plan == nullptr ? contenders_of(engine) : contenders_of(engine, *plan);
}

} // namespace

void bind_contenders(nb::module_& m) {
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
        .def_prop_ro("states", &byte_array<&Contenders::states, Contenders>)
        .def_prop_ro("may_stop", &byte_array<&Contenders::may_stop, Contenders>)
        .def_prop_ro("counts", &byte_array<&Contenders::counts, Contenders>)
        .def_prop_ro("first_held", &byte_array<&Contenders::first_held, Contenders>)
        .def_prop_ro("held", &byte_array<&Contenders::held, Contenders>)
        .def_prop_ro("first_options",
                     &byte_array<&Contenders::first_options, Contenders>)
        .def_prop_ro("actions", &byte_array<&Contenders::actions, Contenders>)
        .def_prop_ro("variants", &byte_array<&Contenders::variants, Contenders>)
        .def_prop_ro("first_branches",
                     &byte_array<&Contenders::first_branches, Contenders>)
        .def_prop_ro("outcomes", &byte_array<&Contenders::outcomes, Contenders>)
        .def_prop_ro("children", &byte_array<&Contenders::children, Contenders>)
        .def_prop_ro("first_gained", &byte_array<&Contenders::first_gained, Contenders>)
        .def_prop_ro("gained", &byte_array<&Contenders::gained, Contenders>);
}

} // namespace branchwise
