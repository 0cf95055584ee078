#include "branchwise/search/canonical_engine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings/bind.hpp"
#include "bindings/engines/run.hpp"
#include "bindings/gil.hpp"
#include "bindings/problem/variant.hpp"
#include "branchwise/support/machine.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

using Number = std::uint32_t;
using Seconds = std::optional<double>;
using Bytes = std::optional<std::size_t>;
using States = std::optional<std::uint64_t>;

CanonicalGraph::LargeSizes sizes(bool spares_memory) {
    using Large = CanonicalGraph::LargeSizes;
    return spares_memory ? Large::none() : Large{};
}

/// Throws `RunStopped` where a limit is met before the engine is ready.
std::unique_ptr<CanonicalEngine> set_up(Instance const& instance,
                                        std::size_t num_threads, Seconds seconds,
                                        Bytes bytes, Listener const& listener,
                                        bool spares_memory) {
    RunWatch watch = watch_for_python({seconds, bytes, {}}, listener);
    WithoutLock const without_lock;
    return std::make_unique<CanonicalEngine>(instance, num_threads,
                                             watch.look_at({0, 0, -1, "preparing"}),
                                             sizes(spares_memory));
}

/// Whether all was explored; and how the run ended.
std::pair<bool, Ending> explore(CanonicalEngine& self, Objective objective,
                                Seconds seconds, Bytes bytes, Listener const& listener,
                                States states) {
    EngineTurn const turn(self);
    RunWatch watch = watch_for_python({seconds, bytes, states}, listener);
    WithoutLock const without_lock;
    bool const is_done = self.explore(objective, watch);
    return {is_done, watch.ending()};
}

/// Whether the optimum was found and ties are settled; and how the run ended.
std::pair<bool, Ending> deepen(CanonicalEngine& self, Objective objective,
                               Seconds seconds, Bytes bytes, Listener const& listener,
                               States states) {
    EngineTurn const turn(self);
    RunWatch watch = watch_for_python({seconds, bytes, states}, listener);
    WithoutLock const without_lock;
    bool const is_done = self.deepen(objective, watch);
    return {is_done, watch.ending()};
}

/// How far it came; and how the run ended.
std::pair<Found, Ending> search(CanonicalEngine& self, double share,
                                Objective objective, Seconds seconds, Bytes bytes,
                                Listener const& listener, States states) {
    EngineTurn const turn(self);
    RunWatch watch = watch_for_python({seconds, bytes, states}, listener);
    WithoutLock const without_lock;
    Found const found = self.search(share, objective, watch);
    return {found, watch.ending()};
}

/// How far it came, if there is a plan; and how the run ended.
std::pair<std::optional<Found>, Ending>
finish_early(CanonicalEngine& self, Objective objective, Seconds seconds, Bytes bytes,
             Listener const& listener, States states) {
    EngineTurn const turn(self);
    RunWatch watch = watch_for_python({seconds, bytes, states}, listener);
    WithoutLock const without_lock;
    auto const found = self.finish_early(objective, watch);
    return {found, watch.ending()};
}

void take_over(CanonicalEngine& self, PlanSteps const& steps, Seconds seconds,
               Bytes bytes, Listener const& listener) {
    EngineTurn const turn(self);
    RunWatch watch = watch_for_python({seconds, bytes, {}}, listener);
    WithoutLock const without_lock;
    self.take_over(steps, watch);
}

double whole_bound(CanonicalEngine& self, Seconds seconds, Bytes bytes,
                   Listener const& listener) {
    EngineTurn const turn(self);
    RunWatch watch = watch_for_python({seconds, bytes, {}}, listener);
    WithoutLock const without_lock;
    return self.whole_bound(watch);
}

} // namespace

void bind_canonical_engine(nb::module_& m) {
    m.def("resident_bytes", &resident_bytes,
          "How much memory this process holds right now; 0 if unknown.");
    nb::class_<PlanSteps>(m, "PlanSteps", "What a plan does, state by state.")
        .def("__len__", [](PlanSteps const& self) { return self.actions.size(); });
    nb::class_<CanonicalEngine>(m, "CanonicalEngine",
                                "Solves an instance over canonical states.")
        .def(nb::new_([](Instance const& instance, std::size_t num_threads,
                         bool spares_memory) {
                 return std::make_unique<CanonicalEngine>(instance, num_threads,
                                                          sizes(spares_memory));
             }),
             "instance"_a, "num_threads"_a, "spares_memory"_a = false,
             "`spares_memory`: however few states there are, at some cost.")
        .def(nb::new_(&set_up), "instance"_a, "num_threads"_a, "seconds"_a.none(),
             "bytes"_a.none(), "listener"_a, "spares_memory"_a = false)
        .def(
            "start",
            [](CanonicalEngine& self, std::vector<std::int64_t> const& budget,
               std::vector<std::uint8_t> const& left_out) {
                EngineTurn const turn(self);
                self.start(budget, left_out);
            },
            "budget"_a, "left_out"_a = std::vector<std::uint8_t>(),
            "Start from this budget, at most the one it was made with; and never take\n"
            "the actions that are left out, where that is said for every action.")
        .def_prop_ro("is_restricted", &CanonicalEngine::is_restricted)
        .def_prop_ro("secured",
                     [](CanonicalEngine const& self) {
                         return self.graph().gain_value(self.root_gain());
                     })
        .def("whole_bound", &whole_bound, "seconds"_a.none(), "bytes"_a.none(),
             "listener"_a, "What no plan can exceed that may take all actions.")
        .def(
            "face",
            [](CanonicalEngine& self, std::optional<Number> deviations) {
                EngineTurn const turn(self);
                self.face(deviations.value_or(WorstCase::endless));
            },
            "deviations"_a.none(), "How often an adversary may deviate; None: always.")
        .def(
            "set_exact",
            [](CanonicalEngine& self, bool is_exact) {
                EngineTurn const turn(self);
                self.set_exact(is_exact);
            },
            "is_exact"_a,
            "Whether runs work out all that may be optimal in exact arithmetic.")
        .def_prop_ro("rounding", &CanonicalEngine::rounding,
                     "How far the score of a state may be off by rounding.")
        .def(
            "change_probabilities",
            [](CanonicalEngine& self, std::size_t action,
               std::vector<VariantParts> const& variants) {
                EngineTurn const turn(self);
                self.change_probabilities(action, variants_of(variants));
            },
            "action"_a, "variants"_a,
            "Take over probabilities, spreads, costs and charges of an action.")
        .def(
            "change_all_probabilities",
            [](CanonicalEngine& self, Instance const& instance) {
                EngineTurn const turn(self);
                for (std::size_t a = 0; a < instance.actions.size(); ++a) {
                    self.change_probabilities(a, instance.actions[a].variants);
                }
            },
            "instance"_a, "Take over those of all actions.")
        .def(
            "change_rewards",
            [](CanonicalEngine& self, Instance const& instance) {
                EngineTurn const turn(self);
                self.change_rewards(instance);
            },
            "instance"_a, "Take over the values of rewards that are in the same order.")
        .def("explore", &explore, "objective"_a, "seconds"_a.none(), "bytes"_a.none(),
             "listener"_a, "states"_a = nb::none(),
             "Explore all states and score them.")
        .def("deepen", &deepen, "objective"_a, "seconds"_a.none(), "bytes"_a.none(),
             "listener"_a, "states"_a = nb::none(),
             "Find the optimum by undoing what failed; settle ties.")
        .def("finish_early", &finish_early, "objective"_a, "seconds"_a.none(),
             "bytes"_a.none(), "listener"_a, "states"_a = nb::none(),
             "Find a plan that finishes, without exploring everything.")
        .def_prop_ro("can_search", &CanonicalEngine::can_search,
                     "Do `deepen` and `search` hold for this problem, which may stop "
                     "anywhere?")
        .def_prop_ro("can_deepen", &CanonicalEngine::can_deepen,
                     "Does `deepen` hold for this problem?")
        .def_prop_ro("affordable_share", &CanonicalEngine::affordable_share,
                     "What share of all that may help the budget pays for.")
        .def("search", &search, "share"_a, "objective"_a, "seconds"_a.none(),
             "bytes"_a.none(), "listener"_a, "states"_a = nb::none(),
             "Search best first.")
        .def(
            "steps_in_hand",
            [](CanonicalEngine& self) {
                EngineTurn const turn(self);
                return self.steps_in_hand();
            },
            "What the plan in hand does, as far as it was worked out.")
        .def("take_over", &take_over, "steps"_a, "seconds"_a.none(), "bytes"_a.none(),
             "listener"_a, "Have the plan of another engine in hand.")
        .def(
            "bounds",
            [](CanonicalEngine& self, Number state, bool is_rough) {
                EngineTurn const turn(self);
                Bound const bound = self.bound(StateId{state}, is_rough);
                return std::pair(bound.lower, bound.upper);
            },
            "state"_a, "is_rough"_a = false,
            "What a score lies between, by the rewarding sets alone.")
        .def_prop_ro("lower_bound", &CanonicalEngine::lower_bound)
        .def_prop_ro("upper_bound", &CanonicalEngine::upper_bound)
        .def_prop_ro(
            "num_expanded",
            [](CanonicalEngine const& self) { return self.graph().num_expanded(); })
        .def_prop_ro("num_bytes", &CanonicalEngine::bytes)
        .def_prop_ro("num_states",
                     [](CanonicalEngine const& self) { return self.graph().size(); });
}

} // namespace branchwise
