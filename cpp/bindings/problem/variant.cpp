#include "bindings/problem/variant.hpp"

#include <utility>

namespace branchwise {

namespace {

Variant variant_of(VariantParts parts) {
    auto& [when, price, cost, charge, probabilities, around, changes] = parts;
    Spread spread;
    if (around) {
        auto& [lows, highs, distance] = *around;
        spread = {std::move(lows), std::move(highs), distance};
    }
    std::vector<std::vector<Effect>> effects;
    for (auto const& of_outcome : changes) {
        auto& own = effects.emplace_back();
        for (auto const& [counter, change] : of_outcome) {
            own.push_back({CounterId{counter}, change});
        }
    }
    return {
        ConditionId{when}, std::move(price),  cost, charge, std::move(probabilities),
        std::move(spread), std::move(effects)};
}

} // namespace

std::vector<Variant> variants_of(std::vector<VariantParts> const& parts) {
    std::vector<Variant> result;
    for (VariantParts const& each : parts) {
        result.push_back(variant_of(each));
    }
    return result;
}

} // namespace branchwise
