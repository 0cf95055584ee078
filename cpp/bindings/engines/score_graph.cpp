#include "branchwise/canonical/score_graph.hpp"

#include <optional>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "bindings/bind.hpp"
#include "bindings/engines/run.hpp"
#include "bindings/gil.hpp"
#include "branchwise/paper/paper_score_graph.hpp"
#include "branchwise/search/canonical_engine.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

/// An array as Python's bytes: it needs no library to be looked at as numbers.
template <typename Number, std::vector<Number> ScoreGraph::* member>
nb::bytes array(ScoreGraph const& self) {
    std::vector<Number> const& numbers = self.*member;
    return nb::bytes(numbers.data(), numbers.size() * sizeof(Number));
}

ScoreGraph of_full_graph(Instance const& instance,
                         std::optional<RewardingSets> const& sets,
                         Listener const& listener) {
    RunWatch watch = watch_for_python({}, listener);
    WithoutLock const without_lock;
    return paper_score_graph(instance, sets, watch);
}

} // namespace

void bind_score_graph(nb::module_& m) {
    using Graph = ScoreGraph;
    using Number = std::uint32_t;
    using Place = std::uint64_t;
    nb::class_<Graph>(m, "ScoreGraph",
                      "States, options and branches as arrays of bytes; the root is "
                      "the first state.")
        .def(
            "__init__",
            [](Graph* self, CanonicalEngine& engine) {
                EngineTurn const turn(engine);
                new (self) Graph(engine.score_graph());
            },
            "engine"_a, "What the engine's last run explored, to its end.")
        .def_prop_ro("rewards", &array<double, &Graph::rewards>)
        .def_prop_ro("first_options", &array<Place, &Graph::first_options>)
        .def_prop_ro("actions", &array<Number, &Graph::actions>)
        .def_prop_ro("variants", &array<Number, &Graph::variants>)
        .def_prop_ro("charges", &array<double, &Graph::charges>)
        .def_prop_ro("first_branches", &array<Place, &Graph::first_branches>)
        .def_prop_ro("outcomes", &array<Number, &Graph::outcomes>)
        .def_prop_ro("children", &array<Number, &Graph::children>)
        .def_prop_ro("probabilities", &array<double, &Graph::probabilities>)
        .def_prop_ro("gains", &array<double, &Graph::gains>)
        .def_ro("root_gain", &Graph::root_gain);
    m.def("paper_score_graph", &of_full_graph, "instance"_a, "sets"_a.none(),
          "listener"_a,
          "Generate the paper's full graph; without sets, the naive one.");
}

} // namespace branchwise
