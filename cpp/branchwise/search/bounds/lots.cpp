#include "branchwise/search/bounds/lots.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>

namespace branchwise {

namespace {

constexpr std::uint32_t most_outcomes = 10;

using OutcomeMask = std::uint32_t;

// Where along the draw each variant goes over from one outcome to the next.
std::vector<double> borders_of(InstanceAction const& action) {
    std::vector<double> borders{0.0, 1.0};
    for (Variant const& variant : action.variants) {
        double sum = 0;
        for (double const probability : variant.probabilities) {
            sum += probability;
            borders.push_back(std::min(sum, 1.0));
        }
    }
    std::sort(borders.begin(), borders.end());
    return borders;
}

std::uint32_t outcome_at(Variant const& variant, double draw) {
    double sum = 0;
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < variant.probabilities.size(); ++i) {
        if (variant.probabilities[i] > 0) {
            sum += variant.probabilities[i];
            last = i;
            if (draw < sum) {
                return i;
            }
        }
    }
    return last;
}

// One draw decides for all clauses at once: each clause reads off its own outcome where
// the same draw falls. An agent that knows the draw may bring about any of the clauses,
// so a lot offers the outcomes of all of them.
std::map<OutcomeMask, double> one_attempt(InstanceAction const& action) {
    std::map<OutcomeMask, double> result;
    if (action.variants.size() == 1) {
        auto const& probabilities = action.variants[0].probabilities;
        for (std::uint32_t i = 0; i < probabilities.size(); ++i) {
            if (probabilities[i] > 0) {
                result[OutcomeMask{1} << i] = probabilities[i];
            }
        }
        return result;
    }
    auto const borders = borders_of(action);
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
        double const width = borders[i + 1] - borders[i];
        if (width <= 0) {
            continue;
        }
        OutcomeMask mask = 0;
        for (Variant const& variant : action.variants) {
            mask |= OutcomeMask{1} << outcome_at(variant, borders[i] + width / 2);
        }
        result[mask] += width;
    }
    return result;
}

// The probability that what comes up in all attempts is within a mask is that of one
// attempt to the power of their number; from the small masks up, that gives each one.
std::map<OutcomeMask, double> all_attempts(std::map<OutcomeMask, double> const& one,
                                           std::uint32_t num_outcomes,
                                           std::int64_t attempts) {
    OutcomeMask const num_masks = OutcomeMask{1} << num_outcomes;
    std::vector<double> within(num_masks);
    for (auto const& [mask, probability] : one) {
        within[mask] += probability;
    }
    for (std::uint32_t i = 0; i < num_outcomes; ++i) {
        for (OutcomeMask mask = 0; mask < num_masks; ++mask) {
            if ((mask >> i & 1U) != 0) {
                within[mask] += within[mask ^ (OutcomeMask{1} << i)];
            }
        }
    }
    for (double& probability : within) {
        probability =
            std::pow(std::min(probability, 1.0), static_cast<double>(attempts));
    }
    for (std::uint32_t i = 0; i < num_outcomes; ++i) {
        for (OutcomeMask mask = num_masks; mask-- > 0;) {
            if ((mask >> i & 1U) != 0) {
                within[mask] -= within[mask ^ (OutcomeMask{1} << i)];
            }
        }
    }
    std::map<OutcomeMask, double> result;
    for (OutcomeMask mask = 1; mask < num_masks; ++mask) {
        if (within[mask] > 0) {
            result[mask] = within[mask];
        }
    }
    return result;
}

} // namespace

std::vector<DrawnLot> lots_of(InstanceAction const& action) {
    if (action.attempts == 0) {
        return {};
    }
    bool const is_plain = action.variants.size() == 1 && action.attempts == 1;
    std::vector<DrawnLot> lots;
    if (is_plain) {
        auto const& probabilities = action.variants[0].probabilities;
        for (std::size_t i = 0; i < probabilities.size(); ++i) {
            if (probabilities[i] > 0) {
                lots.push_back(
                    {probabilities[i], std::vector<bool>(action.num_outcomes)});
                lots.back().outcomes[i] = true;
            }
        }
        return lots;
    }
    // There are as many lots as sets of outcomes. Where these are too many, one lot
    // with everything in it is still an upper bound.
    if (action.num_outcomes > most_outcomes) {
        return {{1.0, std::vector<bool>(action.num_outcomes, true)}};
    }
    auto masks = one_attempt(action);
    if (action.attempts > 1) {
        masks = all_attempts(masks, action.num_outcomes, action.attempts);
    }
    for (auto const& [mask, probability] : masks) {
        DrawnLot lot{probability, std::vector<bool>(action.num_outcomes)};
        for (std::uint32_t i = 0; i < action.num_outcomes; ++i) {
            lot.outcomes[i] = (mask >> i & 1U) != 0;
        }
        lots.push_back(std::move(lot));
    }
    return lots;
}

} // namespace branchwise
