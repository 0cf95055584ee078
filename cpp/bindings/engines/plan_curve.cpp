#include "branchwise/search/plans/plan_curve.hpp"

#include <cstdint>
#include <new>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/bind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

using Number = std::uint32_t;
using Probabilities = std::vector<double>;
using Given = std::vector<std::vector<std::pair<Probabilities, double>>>;
using Changed = std::vector<std::tuple<Number, Number, Probabilities, double>>;

std::vector<std::vector<Terms>> terms_of(Given const& given) {
    std::vector<std::vector<Terms>> result;
    for (auto const& variants : given) {
        auto& terms = result.emplace_back();
        for (auto const& [probabilities, charge] : variants) {
            terms.push_back({probabilities, charge});
        }
    }
    return result;
}

std::vector<VariantTerms> changed_terms(Changed const& changed) {
    std::vector<VariantTerms> result;
    for (auto const& [action, variant, probabilities, charge] : changed) {
        result.push_back({action, variant, {probabilities, charge}});
    }
    return result;
}

} // namespace

void bind_plan_curve(nb::module_& m) {
    nb::class_<PlanCurve>(m, "PlanCurve",
                          "What a plan is worth as probabilities and charges change.")
        .def(
            "__init__",
            [](PlanCurve* self, Plan const& plan, Given const& terms) {
                new (self) PlanCurve(plan, terms_of(terms));
            },
            "plan"_a, "terms"_a,
            "Terms are probabilities and a charge, by action and variant.")
        .def(
            "value",
            [](PlanCurve const& self, Changed const& changed) {
                return self.value(changed_terms(changed));
            },
            "changed"_a, "The expected reward where some terms are others.")
        .def(
            "slope",
            [](PlanCurve const& self, Changed const& drifts) {
                return self.slope(changed_terms(drifts));
            },
            "drifts"_a, "How fast it rises where some terms have a drift.");
}

} // namespace branchwise
