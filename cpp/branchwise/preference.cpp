#include "branchwise/preference.hpp"

#include <type_traits>

namespace branchwise {

namespace {

template <typename Value>
Preference as_preference(Value value) {
    if constexpr (std::is_same_v<Value, double>) {
        return {0, value};
    } else {
        return {value, 0};
    }
}

template <typename Value>
Value value_of(Preference const& preference) {
    if constexpr (std::is_same_v<Value, double>) {
        return preference.real;
    } else {
        return static_cast<Value>(preference.whole);
    }
}

} // namespace

Preference preference_at_leaf(Objective objective) {
    return with_objective(objective,
                          [](auto measure) { return as_preference(measure.stop()); });
}

Preference preference(Objective objective, Move const& move,
                      std::span<Preference const> children) {
    return with_objective(objective, [&](auto measure) {
        using Value = typename decltype(measure)::Value;
        return as_preference(measure.act(move.cost, [&](auto take) {
            for (std::size_t i = 0; i < children.size(); ++i) {
                take(move.chances[i].probability, value_of<Value>(children[i]));
            }
        }));
    });
}

bool is_less(Objective objective, Preference const& one, Preference const& other) {
    return with_objective(objective, [&](auto measure) {
        using Value = typename decltype(measure)::Value;
        return measure.is_less(value_of<Value>(one), value_of<Value>(other));
    });
}

} // namespace branchwise
