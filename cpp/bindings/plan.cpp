#include "branchwise/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/bind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

using Number = std::uint32_t;
using Branch = std::tuple<Number, Number, std::vector<Number>>;
using Step = std::tuple<Number, Number, std::vector<Branch>>;

std::vector<Number> rewards_in(CanonicalGraph const& graph, std::uint32_t gain) {
    auto const rewards = graph.gained(gain);
    return {rewards.begin(), rewards.end()};
}

Step step_of(CanonicalGraph const& graph, Option const& option) {
    auto const& action = graph.layout().instance().actions[option.action.action];
    auto const& odds = action.variants[option.action.variant].probabilities;
    std::vector<Branch> branches;
    for (Number outcome = 0; outcome < odds.size(); ++outcome) {
        if (odds[outcome] > 0) {
            std::size_t const child = branches.size();
            std::uint32_t const gain =
                option.gains == nullptr ? 0 : option.gains[child];
            branches.emplace_back(outcome, static_cast<Number>(option.children[child]),
                                  rewards_in(graph, gain));
        }
    }
    return {option.action.action, option.action.variant, std::move(branches)};
}

/// The action with its variant and branches, or none where the plan stops.
std::optional<Step> step(Plan const& self, Number state) {
    auto const option = self.option(StateId{state});
    return option ? std::optional(step_of(self.graph(), *option)) : std::nullopt;
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
