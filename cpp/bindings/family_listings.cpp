#include <cstddef>
#include <utility>
#include <vector>

#include "bindings/family.hpp"
#include "branchwise/families/strongest_sets.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

/// While it lives, Python does not look for garbage.
class NoCollection {
  public:
    NoCollection() : was_on_(PyGC_Disable() != 0) {}
    NoCollection(NoCollection const&) = delete;
    NoCollection& operator=(NoCollection const&) = delete;
    ~NoCollection() {
        if (was_on_) {
            PyGC_Enable();
        }
    }

  private:
    bool was_on_;
};

/// Many sets as a list of lists. They hold numbers alone, so there is no garbage to
/// collect among them, and looking for it would take as long as making them.
nb::object to_python(std::vector<ElementSet> const& sets) {
    NoCollection const pause;
    return nb::cast(sets);
}

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

void bind_family_listings(nb::module_& m, nb::class_<SharedFamilies>& families) {
    nb::class_<StrongestHandle>(m, "StrongestSets",
                                "Sets by falling product of weights.")
        .def(
            "next",
            [](StrongestHandle& self, std::size_t limit) {
                auto const batch = next_sets(self, limit);
                return nb::make_tuple(to_python(batch.sets), batch.strengths);
            },
            "limit"_a,
            nb::sig(
                "def next(self, limit: int) -> tuple[list[list[int]], list[float]]"),
            "The next sets, at most limit, and their products.")
        .def("bytes", [](StrongestHandle const& self) { return self.sets.bytes(); });
    families
        .def(
            "sets",
            [](Manager const& self, FamilyHandle const& f, std::size_t limit) {
                return to_python(ask<&Families::sets>(self, f, limit));
            },
            "f"_a, "limit"_a,
            nb::sig("def sets(self, f: Family, limit: int) -> list[list[int]]"),
            "The first sets, at most limit.")
        .def("strongest", &strongest, "f"_a, "weights"_a,
             "The sets, by falling product of the weights of their elements.");
}

} // namespace branchwise
