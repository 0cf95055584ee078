#include "branchwise/search/plans/plan.hpp"

#include <cstddef>
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
#include "bindings/engines/node_count.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

using Number = std::uint32_t;
/// The outcome, the state it leads to, the rewards that become certain on the way, and
/// how likely it is.
using Branch = std::tuple<Number, Number, std::vector<Number>, double>;
/// The action, its variant, and a branch for each outcome that can happen.
using Step = std::tuple<Number, Number, std::vector<Branch>>;

/// The rewards that become certain together.
std::vector<Number> rewards_in(CanonicalStates const& graph, std::uint32_t gain) {
    auto const rewards = graph.gained(gain);
    return {rewards.begin(), rewards.end()};
}

Step step_of(CanonicalStates const& graph, Option const& option) {
    std::vector<Branch> branches;
    graph.for_each_branch(option, [&](std::size_t outcome, std::size_t child,
                                      double probability) {
        std::uint32_t const gain = option.gains == nullptr ? 0 : option.gains[child];
        branches.emplace_back(static_cast<Number>(outcome),
                              static_cast<Number>(option.children[child]),
                              rewards_in(graph, gain), probability);
    });
    return {option.action.action, option.action.variant, std::move(branches)};
}

/// The action with its variant and branches, and whether the adversary deviates; or
/// none where the plan stops.
std::optional<std::pair<Step, bool>> step(Plan const& self, Number state,
                                          Number deviations) {
    Faced const faced{StateId{state}, deviations};
    auto const option = self.option(faced);
    if (!option) {
        return std::nullopt;
    }
    return std::pair(step_of(self.graph(), *option), self.deviates(*option, faced));
}

/// As `step`, for everything that was considered, or none where the state was not
/// expanded.
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

} // namespace

void bind_plan(nb::module_& m) {
    nb::class_<Plan>(m, "Plan", "A plan over canonical states.")
        .def(
            "__init__",
            [](Plan* self, CanonicalEngine& engine, std::optional<double> seconds,
               std::optional<std::size_t> bytes) {
                EngineTurn const turn(engine);
                new (self) Plan(engine, {seconds, bytes, std::nullopt});
            },
            "engine"_a, "seconds"_a = nb::none(), "bytes"_a = nb::none(),
            nb::keep_alive<1, 2>())
        .def_prop_ro(
            "root",
            [](Plan const& self) { return static_cast<Number>(self.root().state); })
        .def_prop_ro(
            "deviations", [](Plan const& self) { return self.root().deviations; },
            "How many deviations are left at the root, as the methods count them.")
        .def_prop_ro(
            "tolerance", [](Plan const& self) { return self.worst_case().tolerance(); },
            "Scores that differ by no more are tied.")
        .def_prop_ro(
            "is_endless",
            [](Plan const& self) {
                return self.worst_case().threat() == Threat::endless;
            },
            "Whether the number of deviations is unlimited.")
        .def_prop_ro(
            "root_gained",
            [](Plan const& self) { return rewards_in(self.graph(), self.root_gain()); })
        .def("step", &step, "state"_a, "deviations"_a,
             "What is done at a state, and what follows.")
        .def("options", &options, "state"_a, "What was considered at a state.")
        .def(
            "ceiling",
            [](Plan const& self, Number state, Number deviations) {
                Ceiling const ceiling = self.ceiling({StateId{state}, deviations});
                return std::pair(ceiling.value, ceiling.is_reached);
            },
            "state"_a, "deviations"_a,
            "What no plan can exceed there, and whether one comes up to it.")
        .def(
            "score",
            [](Plan const& self, Number state, Number deviations) {
                return self.score({StateId{state}, deviations});
            },
            "state"_a, "deviations"_a, "What the plan is worth from a state on.")
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
