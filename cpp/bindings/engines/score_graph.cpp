#include "branchwise/canonical/score_graph.hpp"

#include <optional>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "bindings/bind.hpp"
#include "bindings/engines/byte_array.hpp"
#include "bindings/engines/run.hpp"
#include "bindings/gil.hpp"
#include "branchwise/paper/paper_score_graph.hpp"
#include "branchwise/search/canonical_engine.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

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
        .def_prop_ro("rewards", &byte_array<&Graph::rewards, Graph>)
        .def_prop_ro("may_stop", &byte_array<&Graph::may_stop, Graph>)
        .def_prop_ro("first_options", &byte_array<&Graph::first_options, Graph>)
        .def_prop_ro("actions", &byte_array<&Graph::actions, Graph>)
        .def_prop_ro("variants", &byte_array<&Graph::variants, Graph>)
        .def_prop_ro("charges", &byte_array<&Graph::charges, Graph>)
        .def_prop_ro("first_branches", &byte_array<&Graph::first_branches, Graph>)
        .def_prop_ro("outcomes", &byte_array<&Graph::outcomes, Graph>)
        .def_prop_ro("children", &byte_array<&Graph::children, Graph>)
        .def_prop_ro("probabilities", &byte_array<&Graph::probabilities, Graph>)
        .def_prop_ro("gains", &byte_array<&Graph::gains, Graph>)
        .def_ro("root_gain", &Graph::root_gain);
    m.def("paper_score_graph", &of_full_graph, "instance"_a, "sets"_a.none(),
          "listener"_a,
          "Generate the paper's full graph; without sets, the naive one.");
}

} // namespace branchwise
