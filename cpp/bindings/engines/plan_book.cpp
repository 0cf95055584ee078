#include "branchwise/search/plans/plan_book.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings/bind.hpp"
#include "bindings/gil.hpp"
#include "branchwise/search/plans/fixed_plan.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

using Number = std::uint32_t;
using Numbers = std::vector<Number>;
using Branches = std::vector<std::pair<Number, Number>>;

void bind_fixed_plan(nb::module_& m) {
    nb::class_<FixedPlan>(m, "FixedPlan",
                          "A plan to be valued at any numbers, children first.")
        .def(nb::init<>())
        .def(
            "add_stop",
            [](FixedPlan& self, Numbers const& held) { return self.add_stop(held); },
            "held"_a, "Add a position where the plan stops with these rewards.")
        .def(
            "add_step",
            [](FixedPlan& self, Number action, Number variant, Numbers const& children,
               Numbers const& held) {
                return self.add_step(action, variant, children, held);
            },
            "action"_a, "variant"_a, "children"_a, "held"_a,
            "Add a position where an action is taken, with the next one by outcome.")
        .def("value", &FixedPlan::value, "instance"_a, nb::call_guard<WithoutLock>(),
             "The expected reward by the numbers of an instance.");
}

} // namespace

void bind_plan_book(nb::module_& m) {
    nb::class_<PlanBook>(m, "PlanBook",
                         "Numbers plans by what they do, whatever the numbers.")
        .def(nb::init<>())
        .def(
            "enter", [](PlanBook& self, Plan const& plan) { return self.enter(plan); },
            "plan"_a, "The number of a plan.")
        .def(
            "enter_step",
            [](PlanBook& self, Number action, Branches branches) {
                return self.enter({action, std::move(branches)});
            },
            "action"_a, "branches"_a, "The number of a node; 0 is the end.")
        .def(
            "step",
            [](PlanBook const& self, Number node) {
                BookedStep const& step = self.step(node);
                return std::pair(step.action, step.branches);
            },
            "node"_a, "The action at a node, and the next node by outcome.");
    bind_fixed_plan(m);
}

} // namespace branchwise
