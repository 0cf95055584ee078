#include "branchwise/problem/instance.hpp"

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include "bindings/bind.hpp"
#include "bindings/problem/variant.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

using Number = std::uint32_t;
using Numbers = std::vector<Number>;
using Prices = std::vector<std::int64_t>;

Number number(ConditionId id) {
    return static_cast<Number>(id);
}

std::vector<ConditionId> ids(Numbers const& numbers) {
    std::vector<ConditionId> result;
    for (Number const each : numbers) {
        result.push_back(ConditionId{each});
    }
    return result;
}

void add_action(Instance& self, std::int64_t attempts, Number allowed,
                std::vector<VariantParts> const& variants) {
    InstanceAction action;
    action.first_outcome = static_cast<OutcomeId>(self.num_outcomes());
    action.num_outcomes = static_cast<Number>(std::get<4>(variants.front()).size());
    action.attempts = attempts;
    action.allowed = ConditionId{allowed};
    action.variants = variants_of(variants);
    self.actions.push_back(std::move(action));
}

void add_outcome_costs(Instance& self, std::vector<Prices> prices,
                       std::vector<double> costs, std::vector<double> charges) {
    InstanceAction& action = self.actions.back();
    action.outcome_prices = std::move(prices);
    action.outcome_costs = std::move(costs);
    action.outcome_charges = std::move(charges);
}

void add_likelihoods(Instance& self, Number group,
                     std::vector<std::vector<std::vector<double>>> likelihoods) {
    InstanceAction& action = self.actions.back();
    action.group = group;
    for (std::size_t k = 0; k < action.variants.size(); ++k) {
        action.variants[k].likelihoods = std::move(likelihoods[k]);
    }
}

void change_variant(Instance& self, std::size_t action, std::size_t number, double cost,
                    double charge, std::vector<double> probabilities) {
    Variant& variant = self.actions.at(action).variants.at(number);
    variant.cost = cost;
    variant.charge = charge;
    variant.probabilities = std::move(probabilities);
}

void bind_conditions(nb::class_<Instance>& instance) {
    instance
        .def(
            "happened",
            [](Instance& self, Number outcome) {
                return number(self.conditions.happened(OutcomeId{outcome}));
            },
            "outcome"_a)
        .def(
            "attempted",
            [](Instance& self, Number action) {
                return number(self.conditions.attempted(ActionId{action}));
            },
            "action"_a)
        .def(
            "again",
            [](Instance& self, Number action) {
                return number(self.conditions.again(ActionId{action}));
            },
            "action"_a)
        .def(
            "at_least",
            [](Instance& self, Number counter, std::int64_t threshold,
               Numbers const& inside) {
                return number(self.conditions.at_least(CounterId{counter}, threshold,
                                                       ids(inside)));
            },
            "counter"_a, "threshold"_a, "inside"_a)
        .def(
            "all",
            [](Instance& self, Numbers const& inside) {
                return number(self.conditions.all(ids(inside)));
            },
            "inside"_a)
        .def(
            "any",
            [](Instance& self, Numbers const& inside) {
                return number(self.conditions.any(ids(inside)));
            },
            "inside"_a)
        .def(
            "negation",
            [](Instance& self, Number inside) {
                return number(self.conditions.negation(ConditionId{inside}));
            },
            "inside"_a);
}

} // namespace

void bind_instance(nb::module_& m) {
    nb::class_<Instance> instance(m, "Instance",
                                  "A problem in numbers; engine/lower.py makes it.");
    instance.def(
        "__init__",
        [](Instance* self, Prices budget, bool is_sum) {
            new (self) Instance{};
            self->budget = std::move(budget);
            self->is_sum = is_sum;
        },
        "budget"_a, "is_sum"_a);
    bind_conditions(instance);
    instance
        .def("add_action", &add_action, "attempts"_a, "allowed"_a, "variants"_a,
             "Add an action; a variant is its condition, price, cost, charge, "
             "probabilities, what these may lie between, and its effects.")
        .def("add_outcome_costs", &add_outcome_costs, "prices"_a, "costs"_a,
             "charges"_a, "Let outcomes of the last action cost something, too.")
        .def(
            "add_attempt_bound",
            [](Instance& self, Number counter, std::int64_t threshold,
               std::int64_t step, bool is_falling) {
                self.actions.back().attempt_bounds.push_back(
                    {CounterId{counter}, threshold, step, is_falling});
            },
            "counter"_a, "threshold"_a, "step"_a, "is_falling"_a)
        .def(
            "add_payments",
            [](Instance& self, std::vector<Numbers> payments, Numbers const& again) {
                self.actions.back().payments = std::move(payments);
                for (ConditionId const id : ids(again)) {
                    self.payers.push_back(id);
                }
            },
            "payments"_a, "again"_a,
            "Let outcomes of the last action pay rewards on the way.")
        .def(
            "add_most_paid",
            [](Instance& self, double most) { self.most_paid += most; }, "most"_a,
            "Let so much more be paid on the way, whatever its sign.")
        .def(
            "add_group",
            [](Instance& self, std::vector<double> weights, Numbers const& informers) {
                self.groups.push_back({std::move(weights), ids(informers)});
            },
            "weights"_a, "informers"_a,
            "Add hidden facts: how likely each way they may be is, and that what "
            "tells about them can be taken again.")
        .def("add_likelihoods", &add_likelihoods, "group"_a, "likelihoods"_a,
             "Let hidden facts decide what comes of the last action, by variant, "
             "outcome and assignment.")
        .def(
            "add_signal",
            [](Instance& self, std::int64_t size, Number group,
               std::vector<double> likelihoods) {
                self.counters.push_back({size, 0, group, std::move(likelihoods)});
            },
            "size"_a, "group"_a, "likelihoods"_a)
        .def(
            "add_hidden_reward",
            [](Instance& self, Number when, double value, Number group,
               std::vector<double> given) {
                self.rewards.push_back(
                    {ConditionId{when}, value, group, std::move(given)});
            },
            "when"_a, "value"_a, "group"_a, "given"_a)
        .def(
            "add_counter",
            [](Instance& self, std::int64_t size, std::int64_t start) {
                self.counters.push_back({size, start, no_group, {}});
            },
            "size"_a, "start"_a)
        .def(
            "add_reward",
            [](Instance& self, Number when, double value) {
                self.rewards.push_back({ConditionId{when}, value, no_group, {}});
            },
            "when"_a, "value"_a)
        .def(
            "must_finish",
            [](Instance& self, Number when, Numbers const& moves, bool may_get_stuck) {
                self.finish = {ConditionId{when}, ids(moves), may_get_stuck};
            },
            "when"_a, "moves"_a, "may_get_stuck"_a,
            "Let one stop only where this holds, or where nothing can be done; moves "
            "are that each action can be taken again.")
        .def("change_variant", &change_variant, "action"_a, "variant"_a, "cost"_a,
             "charge"_a, "probabilities"_a, "Let a variant have other numbers.")
        .def(
            "change_reward",
            [](Instance& self, std::size_t reward, double value) {
                self.rewards.at(reward).value = value;
            },
            "reward"_a, "value"_a);
}

} // namespace branchwise
