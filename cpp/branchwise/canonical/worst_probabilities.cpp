#include "branchwise/canonical/worst_probabilities.hpp"

#include <algorithm>

namespace branchwise {

namespace {

/// Moves probability from where it is worth most to where it is worth least. Each step
/// exhausts the distance or what one outcome may give or take, so there are at most
/// twice as many steps as outcomes, and one more.
class Mover {
  public:
    Mover(Variant const& variant, std::span<double const> values, double* probabilities)
        : values_(values), probabilities_(probabilities), up_(values.size()),
          down_(values.size()) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < variant.probabilities.size(); ++i) {
            if (variant.can_happen(i)) {
                probabilities[at] = variant.probabilities[i];
                up_.data()[at] = variant.spread.highs[i] - probabilities[at];
                down_.data()[at] = probabilities[at] - variant.spread.lows[i];
                ++at;
            }
        }
    }

    void move(double distance, double tolerance) {
        while (distance > 0) {
            std::size_t const to = least_that_may_rise();
            std::size_t const of = greatest_that_may_fall();
            if (to == none || of == none || values_[of] - values_[to] <= tolerance) {
                return;
            }
            double const moved = std::min({distance, up_.data()[to], down_.data()[of]});
            probabilities_[to] += moved;
            probabilities_[of] -= moved;
            distance -= moved;
            up_.data()[to] -= moved;
            down_.data()[of] -= moved;
        }
    }

  private:
    static constexpr std::size_t none = SIZE_MAX;

    [[nodiscard]] std::size_t least_that_may_rise() {
        std::size_t best = none;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            if (up_.data()[i] > 0 && (best == none || values_[i] < values_[best])) {
                best = i;
            }
        }
        return best;
    }

    [[nodiscard]] std::size_t greatest_that_may_fall() {
        std::size_t best = none;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            if (down_.data()[i] > 0 && (best == none || values_[i] >= values_[best])) {
                best = i;
            }
        }
        return best;
    }

    std::span<double const> values_;
    double* probabilities_;
    ProbabilityBuffer up_;
    ProbabilityBuffer down_;
};

} // namespace

void worst_probabilities(Variant const& variant, std::span<double const> values,
                         double tolerance, double* probabilities) {
    Mover(variant, values, probabilities).move(variant.spread.distance, tolerance);
}

InstanceAction at_worst_fixed_probabilities(ResidualLayout const& layout,
                                            std::size_t action) {
    InstanceAction result = layout.instance().actions[action];
    std::vector<bool> is_named(result.num_outcomes);
    for (NodeId const literal : layout.literals(action)) {
        std::uint32_t const outcome = layout.node(literal).outcome;
        if (outcome != ResidualNode::no_outcome && outcome != ResidualNode::again) {
            is_named[outcome - index_of(result.first_outcome)] = true;
        }
    }
    for (Variant& variant : result.variants) {
        if (variant.spread.is_exact()) {
            continue;
        }
        std::vector<double> values;
        for (std::size_t i = 0; i < is_named.size(); ++i) {
            if (variant.can_happen(i)) {
                values.push_back(is_named[i] ? 1 : 0);
            }
        }
        std::vector<double> probabilities(values.size());
        worst_probabilities(variant, values, 0, probabilities.data());
        for (std::size_t i = 0, next = 0; i < is_named.size(); ++i) {
            if (variant.can_happen(i)) {
                variant.probabilities[i] = probabilities[next++];
            }
        }
    }
    return result;
}

} // namespace branchwise
