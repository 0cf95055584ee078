#include "branchwise/paper_engine.hpp"

#include <cstring>
#include <tuple>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings/bind.hpp"
#include "bindings/paper_plan.hpp"
#include "bindings/run.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

using Number = std::uint32_t;
using Goals = std::vector<std::tuple<Number, Number, bool>>;
using Sets = std::vector<std::pair<std::vector<Number>, Number>>;

RewardingSets rewarding_sets(Goals const& goals, Sets const& sets,
                             std::vector<std::int64_t> const& attempts) {
    RewardingSets found;
    for (auto const& [when, rank, lasts] : goals) {
        found.goals.push_back({ConditionId{when}, rank, lasts});
    }
    for (auto const& [needs, goal] : sets) {
        RewardingSet& set = found.sets.emplace_back();
        set.goal = goal;
        for (Number const outcome : needs) {
            set.needs.push_back(OutcomeId{outcome});
        }
    }
    found.attempts = attempts;
    return found;
}

std::unique_ptr<PaperPlan> solve(Instance const& instance,
                                 std::optional<RewardingSets> const& sets,
                                 Number objective,
                                 std::optional<double> time_limit_seconds,
                                 std::optional<std::size_t> memory_limit_bytes,
                                 std::size_t num_threads, Listener const& listener) {
    RunWatch watch = watch_for_python(
        {time_limit_seconds, memory_limit_bytes, std::nullopt}, listener);
    nb::gil_scoped_release const release;
    return solve_by_paper(instance, sets, static_cast<Objective>(objective), watch,
                          num_threads);
}

} // namespace

void bind_paper_engine(nb::module_& m) {
    nb::exception<RunStopped>(m, "RunStopped");
    nb::class_<RewardingSets>(m, "PaperSets", "The rewarding sets to prune by.")
        .def(
            "__init__",
            [](RewardingSets* self, Goals const& goals, Sets const& sets,
               std::vector<std::int64_t> const& attempts) {
                new (self) RewardingSets(rewarding_sets(goals, sets, attempts));
            },
            "goals"_a, "sets"_a, "attempts"_a,
            "A goal is its condition, rank by gain, and whether it lasts; a set is "
            "its outcomes and its goal; attempts are the most of each action.");
    bind_paper_plan(m);
    m.def("solve_by_paper", &solve, "instance"_a, "sets"_a.none(), "objective"_a,
          "time_limit_seconds"_a.none(), "memory_limit_bytes"_a.none(), "num_threads"_a,
          "listener"_a,
          "Go through the paper's three stages; without sets, the naive way.");
}

} // namespace branchwise
