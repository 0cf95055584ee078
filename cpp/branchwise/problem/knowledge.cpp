#include "branchwise/problem/knowledge.hpp"

#include <cmath>
#include <numeric>

namespace branchwise {

Knowledge::Knowledge(Instance const& instance)
    : instance_(instance), signals_(instance.groups.size()),
      is_known_(instance.groups.size()) {
    for (HiddenGroup const& group : instance.groups) {
        weights_.emplace_back(group.weights.size());
    }
    for (std::size_t i = 0; i < instance.counters.size(); ++i) {
        if (instance.counters[i].group != no_group) {
            signals_[instance.counters[i].group].push_back(i);
        }
    }
}

std::span<double const> Knowledge::weights(std::size_t group) {
    if (is_known_[group] == 0) {
        work_out(group);
        is_known_[group] = 1;
    }
    return weights_[group];
}

void Knowledge::work_out(std::size_t group) {
    auto& weights = weights_[group];
    weights = instance_.groups[group].weights;
    for (std::size_t const signal : signals_[group]) {
        auto const& likelihoods = instance_.counters[signal].likelihoods;
        auto const times = static_cast<double>(counts_[signal]);
        for (std::size_t h = 0; counts_[signal] != 0 && h < weights.size(); ++h) {
            weights[h] *=
                counts_[signal] == 1 ? likelihoods[h] : std::pow(likelihoods[h], times);
        }
    }
    double const total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) {
        weight /= total;
    }
}

double Knowledge::chance(std::size_t group, std::span<double const> given) {
    auto const known = weights(group);
    return std::inner_product(known.begin(), known.end(), given.begin(), 0.0);
}

} // namespace branchwise
