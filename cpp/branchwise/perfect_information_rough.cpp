#include "branchwise/perfect_information.hpp"

#include <algorithm>
#include <limits>

namespace branchwise {

// By falling value.
std::vector<std::pair<double, NodeRef>>
PerfectInformation::open_rewards(Residual const& residual) const {
    std::vector<std::pair<double, NodeRef>> rewards;
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        NodeRef const ref = layout_.reward(i);
        if (residual.is_undecided(ref.node) &&
            instance_.rewards[i].value > residual.held()) {
            rewards.emplace_back(instance_.rewards[i].value, ref);
        }
    }
    std::stable_sort(rewards.begin(), rewards.end(),
                     [](auto const& a, auto const& b) { return a.first > b.first; });
    return rewards;
}

// One that takes too long makes those after it shorter, until one comes to its end.
template <typename Work>
auto PerfectInformation::on_diagrams(Work work) -> std::optional<decltype(work())> {
    for (bool is_fresh = false; !is_hurried_; is_fresh = true) {
        try {
            watch_.allow(num_steps_);
            auto result = work();
            num_steps_ = std::min(2 * num_steps_, most_steps);
            return result;
        } catch (TooManySteps const&) {
            num_steps_ = std::max(num_steps_ / 8, least_steps);
            return std::nullopt;
        } catch (TooLarge const&) {
            start_over();
            if (is_fresh) {
                return std::nullopt;
            }
        }
    }
    return std::nullopt;
}

Bound PerfectInformation::bound(Residual const& residual) {
    auto const found = on_diagrams([&] { return worked_out(residual); });
    return found ? *found : rough(residual);
}

// The same as with diagrams, from what is known of single nodes.
Bound PerfectInformation::rough(Residual const& residual) {
    odds_->work_out(residual);
    double const held = residual.held();
    Bound bound{std::numeric_limits<double>::lowest(), held};
    std::vector<NodeRef> so_far;
    auto const rewards = open_rewards(residual);
    for (std::size_t i = 0; i < rewards.size(); ++i) {
        if (instance_.is_sum) {
            so_far.clear();
        }
        so_far.push_back(rewards[i].second);
        bool const is_last = instance_.is_sum || i + 1 == rewards.size();
        double const next = is_last ? held : rewards[i + 1].first;
        bound.upper += (rewards[i].first - next) * odds_->of_any(residual, so_far);
    }
    if (is_plain_) {
        bound.lower = way_->find(residual).worth;
    }
    return bound;
}

Pursuit PerfectInformation::pursuit(Residual const& residual) {
    if (is_plain_) {
        auto const found = on_diagrams([&] { return strongest_pursuit(residual); });
        if (found) {
            return *found;
        }
    }
    Pursuit result = way_->find(residual);
    result.hope = result.worth;
    if (!is_plain_) {
        result.worth = std::numeric_limits<double>::lowest();
    }
    return result;
}

} // namespace branchwise
