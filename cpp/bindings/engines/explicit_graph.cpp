#include "branchwise/explicit/explicit_graph.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bindings/bind.hpp"
#include "bindings/engines/byte_array.hpp"
#include "bindings/engines/node_count.hpp"
#include "bindings/gil.hpp"
#include "branchwise/explicit/explicit_scores.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

/// An array of numbers, of whatever library; Python's own will do, so no signature is
/// to name one.
template <typename T>
using Numbers = nb::ndarray<T const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
Numbers<T> numbers_in(nb::object const& array) {
    return nb::cast<Numbers<T>>(array);
}

template <typename T>
std::span<T const> seen(Numbers<T> const& numbers) {
    return {numbers.data(), numbers.shape(0)};
}

/// The arrays of a graph, kept as long as this lives, and the order of its states.
class Explored {
  public:
    Explored(nb::object const& rewards, nb::object const& first_options,
             nb::object const& num_options, nb::object const& costs,
             nb::object const& charges, nb::object const& first_branches,
             nb::object const& children, nb::object const& probabilities)
        : rewards_(numbers_in<double>(rewards)),
          first_options_(numbers_in<std::int64_t>(first_options)),
          num_options_(numbers_in<std::int32_t>(num_options)),
          costs_(numbers_in<double>(costs)), charges_(numbers_in<double>(charges)),
          first_branches_(numbers_in<std::int64_t>(first_branches)),
          children_(numbers_in<std::int32_t>(children)),
          probabilities_(numbers_in<double>(probabilities)),
          graph_{seen(rewards_),  seen(first_options_), seen(num_options_),
                 seen(costs_),    seen(charges_),       seen(first_branches_),
                 seen(children_), seen(probabilities_)} {
        WithoutLock const without_lock;
        auto found = children_first(graph_);
        if (auto const* const circle = std::get_if<Circle>(&found)) {
            circle_ = *circle;
        } else {
            order_ = std::get<0>(std::move(found));
        }
    }

    [[nodiscard]] ExplicitGraph const& graph() const { return graph_; }
    [[nodiscard]] std::optional<Circle> circle() const { return circle_; }
    [[nodiscard]] std::span<ExplicitGraph::Number const> order() const {
        return order_;
    }

  private:
    Numbers<double> rewards_;
    Numbers<std::int64_t> first_options_;
    Numbers<std::int32_t> num_options_;
    Numbers<double> costs_;
    Numbers<double> charges_;
    Numbers<std::int64_t> first_branches_;
    Numbers<std::int32_t> children_;
    Numbers<double> probabilities_;
    ExplicitGraph graph_;
    std::optional<Circle> circle_;
    std::vector<ExplicitGraph::Number> order_;
};

template <typename T>
nb::bytes as_bytes(std::vector<T> const& numbers) {
    return nb::bytes(numbers.data(), numbers.size() * sizeof(T));
}

ExplicitScores scores(Explored const& self, Objective objective) {
    WithoutLock const without_lock;
    return explicit_scores(self.graph(), self.order(), objective);
}

/// What no plan exceeds from each state on, and the open states that it depends on.
std::pair<nb::bytes, nb::bytes>
bounds(Explored const& self, nb::object const& of_states, bool with_every_tie) {
    auto const given = numbers_in<double>(of_states);
    std::vector<double> uppers;
    std::vector<std::int32_t> open;
    {
        WithoutLock const without_lock;
        uppers = upper_bounds(self.graph(), self.order(), seen(given));
        open = open_states(self.graph(), uppers, with_every_tie);
    }
    return {as_bytes(uppers), as_bytes(open)};
}

} // namespace

void bind_explicit_graph(nb::module_& m) {
    using Scores = ExplicitScores;
    nb::class_<Scores>(m, "ExplicitScores", "The plan in hand over explicit states.")
        .def_prop_ro("scores", &byte_array<&Scores::scores, Scores>)
        .def_prop_ro("choices", &byte_array<&Scores::choices, Scores>,
                     "Which option is taken at each state; -1 to stop.")
        .def_ro("tolerance", &Scores::tolerance,
                "Scores that differ by no more are tied.")
        .def_ro("num_reduced", &Scores::num_reduced)
        .def("shape",
             [](Scores const& self) {
                 return std::tuple(to_python(self.num_nodes),
                                   to_python(self.num_leaves), self.depth);
             })
        .def(
            "broken_bound",
            [](Scores const& self, nb::object const& of_states) {
                auto const given = numbers_in<double>(of_states);
                return broken_bound(self, seen(given));
            },
            "of_states"_a,
            "A state from which the plan is worth more than its bound allows.");
    nb::class_<Explored>(m, "ExplicitGraph",
                         "States, options and branches in arrays that Python keeps.")
        .def(nb::init<nb::object const&, nb::object const&, nb::object const&,
                      nb::object const&, nb::object const&, nb::object const&,
                      nb::object const&, nb::object const&>(),
             "rewards"_a, "first_options"_a, "num_options"_a, "costs"_a, "charges"_a,
             "first_branches"_a, "children"_a, "probabilities"_a)
        .def_prop_ro(
            "circle",
            [](Explored const& self) {
                auto const circle = self.circle();
                return circle ? std::optional(std::pair(circle->state, circle->child))
                              : std::nullopt;
            },
            "A state and a child of it from which it can be reached, if there is one.")
        .def("scores", &scores, "objective"_a)
        .def("bounds", &bounds, "of_states"_a, "with_every_tie"_a,
             "What no plan exceeds from each state on, and open states to expand.");
}

} // namespace branchwise
