#include "branchwise/paper/paper_engine.hpp"

#include <cstring>
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

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

using Number = std::uint32_t;
using Goals = std::vector<std::pair<Number, Number>>;
using Sets = std::vector<std::pair<std::vector<Number>, Number>>;

Sets listed(RewardingSets const& self) {
    Sets sets;
    for (RewardingSet const& set : self.sets) {
        auto& [needs, goal] = sets.emplace_back();
        goal = set.goal;
        for (OutcomeId const outcome : set.needs) {
            needs.push_back(static_cast<Number>(outcome));
        }
    }
    return sets;
}

std::optional<RewardingSets> list(Instance const& instance, Goals const& goals,
                                  std::vector<std::int64_t> const& attempts,
                                  std::optional<double> time_limit_seconds,
                                  std::optional<std::size_t> memory_limit_bytes,
                                  Listener const& listener) {
    RunWatch watch = watch_for_python(
        {time_limit_seconds, memory_limit_bytes, std::nullopt}, listener);
    WithoutLock const without_lock;
    std::vector<RewardingGoal> wanted;
    for (auto const& [when, rank] : goals) {
        wanted.push_back({ConditionId{when}, rank});
    }
    return list_rewarding_sets(instance, std::move(wanted), attempts, watch);
}

std::unique_ptr<PaperPlan> solve(Instance const& instance,
                                 std::optional<RewardingSets> const& sets,
                                 Objective objective,
                                 std::optional<double> time_limit_seconds,
                                 std::optional<std::size_t> memory_limit_bytes,
                                 std::size_t num_threads, Listener const& listener) {
    RunWatch watch = watch_for_python(
        {time_limit_seconds, memory_limit_bytes, std::nullopt}, listener);
    WithoutLock const without_lock;
    return solve_by_paper(instance, sets, objective, watch, num_threads);
}

} // namespace

void bind_paper_engine(nb::module_& m) {
    nb::exception<RunStopped>(m, "RunStopped");
    nb::class_<RewardingSets>(m, "PaperSets", "The rewarding sets to prune by.")
        .def_prop_ro("sets", &listed, "Each as its outcomes and its goal.")
        .def_ro("num_minimal", &RewardingSets::num_minimal,
                "How many no other one makes superfluous.");
    m.def("list_rewarding_sets", &list, "instance"_a, "goals"_a, "attempts"_a,
          "time_limit_seconds"_a.none(), "memory_limit_bytes"_a.none(), "listener"_a,
          "List all sets, None if they are too many. A goal is its condition and its "
          "rank by gain; attempts are the most of each action.");
    m.def("solve_by_paper", &solve, "instance"_a, "sets"_a.none(), "objective"_a,
          "time_limit_seconds"_a.none(), "memory_limit_bytes"_a.none(), "num_threads"_a,
          "listener"_a,
          "Go through the paper's three stages; without sets, the naive way.");
}

} // namespace branchwise
