#include "branchwise/spill/instance_digest.hpp"

#include <cstddef>
#include <type_traits>
#include <vector>

#include "branchwise/spill/checksum.hpp"

namespace branchwise {

namespace {

/// Goes over all that an instance holds, in the order of its declaration. Lists come
/// with their sizes, so that nothing can move from one to the next unseen.
class InstanceDigest {
  public:
    [[nodiscard]] std::uint64_t of(Instance const& instance) {
        add_conditions(instance.conditions);
        add(instance.actions);
        add(instance.rewards);
        add(instance.budget);
        add(instance.is_sum);
        add(instance.counters);
        add(instance.groups);
        add(instance.payers);
        add(instance.most_paid);
        add(instance.finish.has_value());
        if (instance.finish) {
            add(instance.finish->when);
            add(instance.finish->moves);
            add(instance.finish->may_get_stuck);
        }
        return checksum_.value();
    }

  private:
    template <typename T>
        requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void add(T value) {
        checksum_.add_value(value);
    }
    template <typename T>
    void add(std::vector<T> const& list) {
        checksum_.add_value(std::uint64_t{list.size()});
        for (T const& each : list) {
            add(each);
        }
    }
    void add(Effect const& effect) {
        add(effect.counter);
        add(effect.change);
    }
    void add(Condition const& condition) {
        add(condition.kind);
        add(condition.subject);
        add(condition.inside);
        add(condition.threshold);
    }
    void add(AttemptBound const& bound) {
        add(bound.counter);
        add(bound.threshold);
        add(bound.step);
        add(bound.is_falling);
    }
    void add(Variant const& variant) {
        add(variant.when);
        add(variant.price);
        add(variant.cost);
        add(variant.charge);
        add(variant.probabilities);
        add(variant.spread.lows);
        add(variant.spread.highs);
        add(variant.spread.distance);
        add(variant.effects);
        add(variant.likelihoods);
    }
    void add(InstanceAction const& action) {
        add(action.first_outcome);
        add(action.num_outcomes);
        add(action.attempts);
        add(action.allowed);
        add(action.variants);
        add(action.outcome_prices);
        add(action.outcome_costs);
        add(action.outcome_charges);
        add(action.group);
        add(action.attempt_bounds);
        add(action.payments);
    }
    void add(InstanceReward const& reward) {
        add(reward.when);
        add(reward.value);
        add(reward.group);
        add(reward.given);
    }
    void add(InstanceCounter const& counter) {
        add(counter.size);
        add(counter.start);
        add(counter.group);
        add(counter.likelihoods);
    }
    void add(HiddenGroup const& group) {
        add(group.weights);
        add(group.informers);
    }
    void add_conditions(Conditions const& conditions) {
        add(std::uint64_t{conditions.size()});
        for (std::uint32_t i = 0; i < conditions.size(); ++i) {
            add(conditions[ConditionId{i}]);
        }
    }

    Checksum checksum_;
};

} // namespace

std::uint64_t digest_of(Instance const& instance) {
    return InstanceDigest().of(instance);
}

} // namespace branchwise
