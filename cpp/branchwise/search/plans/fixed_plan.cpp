#include "branchwise/search/plans/fixed_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace branchwise {

std::uint32_t FixedPlan::add_stop(std::span<std::uint32_t const> held) {
    add({}, held);
    return static_cast<std::uint32_t>(size() - 1);
}

std::uint32_t FixedPlan::add_step(std::uint32_t action, std::uint32_t variant,
                                  std::span<std::uint32_t const> children,
                                  std::span<std::uint32_t const> held) {
    add({action, variant, children_.size(), 0, 0}, held);
    children_.insert(children_.end(), children.begin(), children.end());
    return static_cast<std::uint32_t>(size() - 1);
}

void FixedPlan::add(Position position, std::span<std::uint32_t const> held) {
    position.first_held = held_.size();
    held_.insert(held_.end(), held.begin(), held.end());
    position.end_held = held_.size();
    positions_.push_back(position);
}

// From the beginning on: a position stands after those it leads to.
std::vector<bool> FixedPlan::affordable(Instance const& instance) const {
    std::size_t const num_resources = instance.budget.size();
    std::vector<bool> result(size());
    std::vector<bool> is_reached(size());
    std::vector<std::int64_t> left(size() * num_resources);
    std::copy(instance.budget.begin(), instance.budget.end(),
              left.end() - static_cast<std::ptrdiff_t>(num_resources));
    is_reached.back() = true;
    for (std::size_t at = size(); at-- > 0;) {
        Position const& position = positions_[at];
        if (!is_reached[at] || position.action == stop) {
            continue;
        }
        auto const& action = instance.actions[position.action];
        auto const& price = action.variants[position.variant].price;
        std::int64_t const* const have = &left[at * num_resources];
        result[at] = std::equal(price.begin(), price.end(), have, std::less_equal<>());
        for (std::uint32_t i = 0; result[at] && i < action.num_outcomes; ++i) {
            std::size_t const child = children_[position.first_child + i];
            is_reached[child] = true;
            for (std::size_t r = 0; r < num_resources; ++r) {
                left[child * num_resources + r] = have[r] - price[r];
            }
        }
    }
    return result;
}

double FixedPlan::reward(Position const& position, Instance const& instance) const {
    double total = 0;
    for (std::size_t i = position.first_held; i < position.end_held; ++i) {
        double const value = instance.rewards[held_[i]].value;
        total = instance.is_sum ? total + value : std::max(total, value);
    }
    return total;
}

double FixedPlan::value(Instance const& instance) const {
    std::vector<bool> const can_pay = affordable(instance);
    std::vector<double> values(size());
    for (std::size_t at = 0; at < size(); ++at) {
        Position const& position = positions_[at];
        if (!can_pay[at]) {
            values[at] = reward(position, instance);
            continue;
        }
        auto const& action = instance.actions[position.action];
        Variant const& variant = action.variants[position.variant];
        values[at] = -variant.charge;
        for (std::uint32_t i = 0; i < action.num_outcomes; ++i) {
            values[at] +=
                variant.probabilities[i] * values[children_[position.first_child + i]];
        }
    }
    return values.back();
}

} // namespace branchwise
