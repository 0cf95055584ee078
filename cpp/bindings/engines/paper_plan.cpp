#include "branchwise/paper/paper_engine.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings/bind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

using Number = std::uint32_t;

std::vector<Word> words(PaperPlan const& plan, nb::bytes const& state) {
    std::vector<Word> key(plan.num_words());
    if (state.size() != key.size() * sizeof(Word)) {
        throw nb::key_error("not a state of this plan");
    }
    std::memcpy(key.data(), state.data(), state.size());
    return key;
}

nb::bytes bytes(std::vector<Word> const& key) {
    return nb::bytes(key.data(), key.size() * sizeof(Word));
}

nb::object step(PaperPlan const& plan, nb::bytes const& state) {
    auto const found = plan.step(words(plan, state));
    if (!found) {
        return nb::none();
    }
    nb::list branches;
    for (auto const& branch : found->branches) {
        branches.append(nb::make_tuple(static_cast<Number>(branch.outcome),
                                       branch.probability, bytes(branch.state)));
    }
    nb::object action = nb::none();
    if (found->action) {
        action = nb::int_(index_of(*found->action));
    }
    return nb::make_tuple(action, branches, found->value, found->reward);
}

nb::tuple situation(PaperPlan const& plan, nb::bytes const& state) {
    auto const found = plan.situation(words(plan, state));
    std::vector<std::pair<Number, Word>> counts;
    for (auto const& [outcome, count] : found.counts) {
        counts.emplace_back(static_cast<Number>(outcome), count);
    }
    return nb::make_tuple(counts, found.spent);
}

void bind_statistics(nb::module_& m) {
    using Stats = PaperStatistics;
    nb::class_<Stats>(m, "PaperStatistics")
        .def_ro("num_full_states", &Stats::num_full_states)
        .def_ro("num_reduced_states", &Stats::num_reduced_states)
        .def_ro("num_policy_states", &Stats::num_policy_states)
        .def_ro("most_bytes", &Stats::most_bytes)
        .def_ro("full_seconds", &Stats::full_seconds)
        .def_ro("reduced_seconds", &Stats::reduced_seconds)
        .def_ro("tree_seconds", &Stats::tree_seconds)
        .def_prop_ro(
            "num_nodes",
            [](Stats const& self) {
                return std::pair(static_cast<Word>(self.num_nodes >> 64U),
                                 static_cast<Word>(self.num_nodes));
            },
            "The high and the low 64 bits; from 2^127 on, too many to count.");
}

} // namespace

void bind_paper_plan(nb::module_& m) {
    bind_statistics(m);
    nb::class_<PaperPlan>(m, "PaperPlan", "An optimal plan; a state is some bytes.")
        .def_prop_ro("statistics", &PaperPlan::statistics)
        .def_prop_ro("root", [](PaperPlan const& self) { return bytes(self.root()); })
        .def("step", &step, "state"_a,
             nb::sig("def step(self, state: bytes) -> tuple[int | None, "
                     "list[tuple[int, float, bytes]], float, float] | None"),
             "The action, its branches, the value and the reward; None off the plan.")
        .def("situation", &situation, "state"_a,
             nb::sig("def situation(self, state: bytes) -> "
                     "tuple[list[tuple[int, int]], list[int]]"),
             "The outcomes that have come up with their counts, and what is spent.");
}

} // namespace branchwise
