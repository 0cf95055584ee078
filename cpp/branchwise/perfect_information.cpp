#include "branchwise/perfect_information.hpp"

#include <algorithm>
#include <limits>

#include "branchwise/family_price.hpp"
#include "branchwise/lots.hpp"

namespace branchwise {

namespace {

using Kind = ResidualNode::Kind;

} // namespace

PerfectInformation::PerfectInformation(ResidualLayout const& layout, Threat threat,
                                       FamilyWatch::Hook hook)
    : layout_(layout), instance_(layout.instance()), lots_(instance_.actions.size()),
      prices_(instance_.budget.size()), threat_(threat),
      families_(layout.nodes().size()) {
    watch_.set_hook(std::move(hook));
    draw_lots();
    look_at_draws();
    start_over();
    bool has_penalty = false;
    for (InstanceReward const& reward : instance_.rewards) {
        double const value = std::max(reward.value, 0.0);
        trivial_bound_ =
            instance_.is_sum ? trivial_bound_ + value : std::max(trivial_bound_, value);
        has_penalty |= reward.value < 0;
    }
    // Not a matter of the layout: charges may change while the states stay.
    for (InstanceAction const& action : instance_.actions) {
        for (Variant const& variant : action.variants) {
            has_charges_ |= variant.charge > 0;
        }
    }
    is_plain_ = !layout_.has_negation() && !has_charges_ &&
                layout_.repeatable().empty() && layout_.conditioned().empty() &&
                !has_penalty;
}

// A goal before what it needs: that keeps the diagrams small. Nodes are numbered the
// other way round.
void PerfectInformation::draw_lots() {
    std::vector<bool> is_known(instance_.actions.size());
    for (std::size_t i = layout_.nodes().size(); i-- > 0;) {
        ResidualNode const& node = layout_.nodes()[i];
        if (node.kind == Kind::literal && !is_known[node.action]) {
            is_known[node.action] = true;
            add_lots(node.action);
        }
    }
}

void PerfectInformation::add_lots(std::size_t action) {
    // Who may strike without end may also choose the same odds wherever an action is
    // taken; any odds within its spread would do.
    InstanceAction const lowered = threat_ == Threat::endless
                                       ? at_odds_against(layout_, action)
                                       : instance_.actions[action];
    ChanceGroup group;
    for (auto& [probability, outcomes] : lots_of(lowered)) {
        auto const element = static_cast<ElementId>(num_elements_++);
        group.push_back({element, probability});
        lots_[action].push_back({element, std::move(outcomes)});
        auto const& variants = lowered.variants;
        double charge = variants.back().charge;
        for (Variant const& variant : variants) {
            charge = std::min(charge, variant.charge);
        }
        charges_.push_back(charge);
        draws_.push_back(probability);
        chances_.push_back(least_chance(action, lots_[action].back(), probability));
        actions_.push_back(static_cast<std::uint32_t>(action));
        for (std::size_t r = 0; r < prices_.size(); ++r) {
            std::int64_t price = variants.back().price[r];
            for (Variant const& variant : variants) {
                price = std::min(price, variant.price[r]);
            }
            prices_[r].push_back(price);
        }
    }
    groups_.push_back(std::move(group));
}

// It matters only where one lot is one outcome; see `is_plain_`.
double PerfectInformation::least_chance(std::size_t action, Lot const& lot,
                                        double probability) const {
    Spread const& spread = instance_.actions[action].variants.back().spread;
    if (threat_ == Threat::none || spread.is_exact()) {
        return probability;
    }
    auto const place = std::find(lot.outcomes.begin(), lot.outcomes.end(), true);
    return spread.lows[static_cast<std::size_t>(place - lot.outcomes.begin())];
}

// How likely each outcome is, at most for bounds and at least for plans.
void PerfectInformation::look_at_draws() {
    NodeOdds::Draws draws;
    NodeOdds::Draws chances;
    for (std::size_t a = 0; a < lots_.size(); ++a) {
        draws.emplace_back(instance_.actions[a].num_outcomes);
        chances.emplace_back(instance_.actions[a].num_outcomes);
        for (Lot const& lot : lots_[a]) {
            for (std::size_t i = 0; i < lot.outcomes.size(); ++i) {
                if (lot.outcomes[i]) {
                    draws[a][i] += draws_[index_of(lot.element)];
                    chances[a][i] += chances_[index_of(lot.element)];
                }
            }
        }
    }
    odds_.emplace(layout_, draws);
    way_.emplace(layout_, std::move(chances));
}

void PerfectInformation::start_over() {
    probability_.reset();
    algebra_.reset();
    table_ = std::make_unique<FamilyTable>(max_nodes);
    algebra_ = std::make_unique<FamilyAlgebra>(*table_, watch_);
    probability_ =
        std::make_unique<FamilyProbability>(*table_, watch_, num_elements_, groups_);
    least_charges_.clear();
    strongest_.clear();
    within_.clear();
}

Bound PerfectInformation::worked_out(Residual const& residual) {
    compose(residual);
    Bound bound = instance_.is_sum ? bound_of_sum(residual) : bound_of_best(residual);
    if (!is_plain_) {
        bound.lower = std::numeric_limits<double>::lowest();
    } else if (residual.is_budget_slack() && threat_ == Threat::none) {
        // With all that can be bought paid for, and nothing in the way of anything,
        // whoever does everything has what one who knows it all has. An adversary who
        // sees what has happened so far may do more harm than the lots tell.
        bound.lower = bound.upper;
    }
    return bound;
}

void PerfectInformation::compose(Residual const& residual) {
    residual.for_each_undecided(
        [&](std::size_t node) { families_[node] = empty_family; });
    bool is_changed = true;
    for (std::size_t round = 0; is_changed; ++round) {
        if (round == most_rounds) {
            throw TooLarge("circles of prerequisites go around too often");
        }
        is_changed = false;
        residual.for_each_undecided([&](std::size_t node) {
            Family const now = affordable(residual, composed(residual, node), node);
            is_changed |= now != families_[node];
            families_[node] = now;
        });
        is_changed &= layout_.is_cyclic();
    }
}

Family PerfectInformation::composed(Residual const& residual, std::size_t index) {
    ResidualNode const& node = layout_.nodes()[index];
    if (node.kind == Kind::literal) {
        return composed_literal(residual, node);
    }
    bool const is_all = node.kind == Kind::all;
    Family result = is_all ? unit_family : empty_family;
    for (NodeRef const ref : node.inside) {
        if (residual.is_undecided(ref.node)) {
            Family const other = family_of(residual, ref);
            result = is_all ? algebra_->minimal_join(result, other)
                            : algebra_->minimal_union(result, other);
        }
    }
    return result;
}

Family PerfectInformation::composed_literal(Residual const& residual,
                                            ResidualNode const& node) {
    Family result = empty_family;
    std::size_t const first = index_of(instance_.actions[node.action].first_outcome);
    for (Lot const& lot : lots_[node.action]) {
        if (node.outcome == ResidualNode::no_outcome ||
            lot.outcomes[node.outcome - first]) {
            Family const one = algebra_->single_set({&lot.element, 1});
            result = algebra_->minimal_union(result, one);
        }
    }
    return algebra_->minimal_join(result,
                                  family_of(residual, layout_.allowed(node.action)));
}

// What is too dear here is too dear wherever it is part of more.
Family PerfectInformation::affordable(Residual const& residual, Family family,
                                      std::size_t node) {
    for (std::size_t r = 0; r < prices_.size(); ++r) {
        std::int64_t const room = residual.room(node, r);
        family = room < 0 ? empty_family : within(family, r, room);
    }
    return family;
}

// What must not happen is there for the taking.
Family PerfectInformation::family_of(Residual const& residual, NodeRef ref) const {
    bool const is_free = ref.is_negated || !residual.is_undecided(ref.node);
    return is_free ? unit_family : families_[index_of(ref.node)];
}

Family PerfectInformation::within(Family family, std::size_t resource,
                                  std::int64_t budget) {
    if (family == empty_family || family == unit_family) {
        return family;
    }
    auto& known = within_[static_cast<std::uint64_t>(family) << 8U | resource];
    auto const place =
        std::find_if(known.begin(), known.end(),
                     [budget](auto const& entry) { return entry.first == budget; });
    if (place != known.end()) {
        return place->second;
    }
    Family const result =
        FamilyPrice(*table_, watch_, family, prices_[resource]).within(budget);
    known.emplace_back(budget, result);
    return result;
}

Bound PerfectInformation::bound_of_best(Residual const& residual) {
    auto const rewards = open_rewards(residual);
    std::vector<std::pair<double, Family>> levels; // each with all better ones
    Family so_far = empty_family;
    for (auto const& [value, ref] : rewards) {
        so_far = algebra_->minimal_union(so_far, family_of(residual, ref));
        levels.emplace_back(value, so_far);
    }
    double const held = residual.held();
    double const charge = has_charges_ && !levels.empty() ? least_charge(so_far) : 0;
    Bound bound{held, held};
    for (std::size_t i = 0; i < levels.size(); ++i) {
        double const next = i + 1 < levels.size() ? levels[i + 1].first - charge : held;
        double const step =
            std::max(levels[i].first - charge, held) - std::max(next, held);
        if (step > 0) {
            bound.upper += step * probability_->of(levels[i].second);
        }
        double const gain = (levels[i].first - held) * strongest(levels[i].second);
        bound.lower = std::max(bound.lower, held + gain);
    }
    return bound;
}

Bound PerfectInformation::bound_of_sum(Residual const& residual) {
    Bound bound;
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        NodeRef const ref = layout_.reward(i);
        double const value = instance_.rewards[i].value;
        if (value > 0 && residual.is_undecided(ref.node)) {
            Family const family = family_of(residual, ref);
            bound.upper += value * probability_->of(family);
            bound.lower = std::max(bound.lower, value * strongest(family));
        }
    }
    return bound;
}

double PerfectInformation::least_charge(Family family) {
    if (family == empty_family || family == unit_family) {
        return family == unit_family ? 0 : std::numeric_limits<double>::infinity();
    }
    if (auto const known = least_charges_.find(family); known != least_charges_.end()) {
        return known->second;
    }
    FamilyNode const node = table_->node(family);
    double const with =
        charges_[static_cast<std::size_t>(node.element)] + least_charge(node.high);
    double const result = std::min(with, least_charge(node.low));
    least_charges_.emplace(family, result);
    return result;
}

} // namespace branchwise
