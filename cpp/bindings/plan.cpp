#include "branchwise/plan.hpp"

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/bind.hpp"
#include "bindings/step.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

/// The action with its variant and branches, or none where the plan stops.
std::optional<Step> step(Plan const& self, Number state) {
    auto const option = self.option(StateId{state});
    return option ? std::optional(step_of(self.graph(), *option)) : std::nullopt;
}

/// As `step`, for everything that was considered, or none where nobody looked.
std::optional<std::vector<Step>> options(Plan const& self, Number state) {
    auto const found = self.options(StateId{state});
    if (!found) {
        return std::nullopt;
    }
    std::vector<Step> result;
    for (Option const& option : *found) {
        result.push_back(step_of(self.graph(), option));
    }
    return result;
}

nb::int_ to_python(NodeCount count) {
    constexpr NodeCount half = NodeCount{1} << 64U;
    nb::int_ const high(static_cast<std::uint64_t>(count / half));
    nb::int_ const low(static_cast<std::uint64_t>(count % half));
    return nb::int_(high * nb::int_(std::uint64_t{1} << 32U) *
                        nb::int_(std::uint64_t{1} << 32U) +
                    low);
}

} // namespace

void bind_plan(nb::module_& m) {
    nb::class_<Plan>(m, "Plan", "A plan over canonical states.")
        .def(nb::init<CanonicalEngine&, std::optional<double>>(), "engine"_a,
             "seconds"_a = nb::none(), nb::keep_alive<1, 2>())
        .def_prop_ro("root",
                     [](Plan const& self) { return static_cast<Number>(self.root()); })
        .def_prop_ro(
            "root_gained",
            [](Plan const& self) { return rewards_in(self.graph(), self.root_gain()); })
        .def("step", &step, "state"_a, "What is done at a state, and what follows.")
        .def("options", &options, "state"_a, "What was considered at a state.")
        .def(
            "ceiling",
            [](Plan const& self, Number state) {
                Ceiling const ceiling = self.ceiling(StateId{state});
                return std::pair(ceiling.value, ceiling.is_reached);
            },
            "state"_a, "What no plan can exceed there, and whether one comes up to it.")
        .def(
            "score",
            [](Plan const& self, Number state) { return self.score(StateId{state}); },
            "state"_a, "What the plan is worth from a state on.")
        .def(
            "reward",
            [](Plan const& self, Number state) {
                return self.graph().reward(StateId{state});
            },
            "state"_a, "The reward for stopping at a state.")
        .def("shape",
             [](Plan const& self) {
                 TreeShape const shape = self.shape();
                 return std::tuple(to_python(shape.num_nodes),
                                   to_python(shape.num_leaves), shape.depth);
             })
        .def("count_reduced", &Plan::count_reduced);
}

} // namespace branchwise
