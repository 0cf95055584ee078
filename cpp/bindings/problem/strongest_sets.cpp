// The sets of a family by falling product of weights.

#include "branchwise/families/strongest_sets.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "bindings/problem/families.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

/// Strongest sets as Python sees them: they keep the manager alive, for its watch.
struct StrongestHandle {
    Manager manager;
    StrongestSets sets;
};

StrongestHandle strongest(Manager const& self, FamilyHandle const& f,
                          std::vector<double> const& weights) {
    return {self, work_on(self, [&, id = family_of(self, f)](Families& families) {
                return StrongestSets(families, id, weights);
            })};
}

StrongestSets::Batch next_sets(StrongestHandle& self, std::size_t limit) {
    return work_on(self.manager, [&](Families&) { return self.sets.next(limit); });
}

} // namespace

void bind_strongest_sets(nb::module_& m, nb::class_<SharedFamilies>& families) {
    nb::class_<StrongestHandle>(m, "StrongestSets",
                                "Sets by falling product of weights.")
        .def(
            "next",
            [](StrongestHandle& self, std::size_t limit) {
                auto const batch = next_sets(self, limit);
                return nb::make_tuple(listed(batch.sets), batch.strengths);
            },
            "limit"_a,
            nb::sig(
                "def next(self, limit: int) -> tuple[list[list[int]], list[float]]"),
            "The next sets, at most limit, and their products.")
        .def("bytes", [](StrongestHandle const& self) { return self.sets.bytes(); });
    families.def("strongest", &strongest, "f"_a, "weights"_a,
                 "The sets, by falling product of the weights of their elements.");
}

} // namespace branchwise
