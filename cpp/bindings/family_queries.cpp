#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>

#include "bindings/family.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

using Groups = std::vector<ChanceGroup>;
using Numbers = std::vector<double>;

// The stable ABI reads a number of any length from its digits.
nb::int_ to_python(BigIndex const& number) {
    std::string digits = "0";
    auto const words = number.words();
    for (auto word = words.rbegin(); word != words.rend(); ++word) {
        for (unsigned shift = 32; shift > 0; shift -= 4) {
            digits.push_back("0123456789abcdef"[*word >> (shift - 4) & 0xFU]);
        }
    }
    return nb::steal<nb::int_>(PyLong_FromString(digits.c_str(), nullptr, 16));
}

nb::int_ count(Manager const& self, FamilyHandle const& f) {
    return to_python(ask<&Families::count>(self, f));
}

double expected_best(Manager const& self, std::vector<FamilyHandle> const& handles,
                     Numbers const& values, Groups const& groups) {
    std::vector<Family> ids;
    for (FamilyHandle const& handle : handles) {
        ids.push_back(family_of(self, handle));
    }
    return work_on(self, [&](Families& families) {
        return families.expected_best(ids, values, groups);
    });
}

} // namespace

void bind_family_queries(nb::class_<SharedFamilies>& families) {
    using Limit = std::optional<double>;
    auto const watch = [](SharedFamilies& self) -> FamilyWatch& {
        return self.families.watch();
    };
    families.def("count", &count, "f"_a, "How many sets, exactly.")
        .def("num_nodes", &ask<&Families::num_nodes>, "f"_a)
        .def("elements_of", &ask<&Families::elements_of>, "f"_a,
             "The elements that are in some set, ascending.")
        .def("contains", &ask<&Families::contains, ElementSet>, "f"_a, "set"_a)
        .def("probability", &ask<&Families::probability, Groups>, "f"_a, "groups"_a,
             "The probability that all elements of some set come true.")
        .def("expected_best", &expected_best, "families"_a, "values"_a, "groups"_a,
             "The expected value of the first family that comes true; 0 if none does.")
        .def_prop_ro(
            "num_elements",
            [](SharedFamilies const& self) { return self.families.num_elements(); })
        .def("num_nodes_total",
             [](SharedFamilies const& self) { return self.families.num_nodes_total(); })
        .def("bytes", [](SharedFamilies const& self) { return self.families.bytes(); })
        .def(
            "stop", [watch](SharedFamilies& self) { watch(self).stop(); },
            "Let the running operation, or else the next one, raise Stopped.")
        .def_prop_rw(
            "time_limit_seconds",
            [watch](SharedFamilies& self) { return watch(self).time_limit_seconds(); },
            [watch](SharedFamilies& self, Limit seconds) {
                watch(self).set_time_limit(seconds);
            },
            nb::for_setter(nb::arg("seconds").none()),
            "Raise Stopped once, this long after it was set; None is no limit.");
}

} // namespace branchwise
