#include "branchwise/search/bounds/perfect_information.hpp"

#include <algorithm>
#include <limits>

#include "branchwise/families/family_price.hpp"
#include "branchwise/search/bounds/lots.hpp"

// An example: `scan` succeeds with 0.5, `mail` with 0.4, `admin` with 0.8 and requires
// a success of one of them. All cost 1, the budget is 2, and admin=ok is worth 10.
//
// Every action is one draw of lots, here of two, ok or fail. Composed from below, the
// families of the nodes are
//
//     scan=ok               {{scan}}
//     mail=ok               {{mail}}
//     scan=ok or mail=ok    {{scan}, {mail}}
//     admin=ok              {{admin, scan}, {admin, mail}}
//
// Both sets of the last one cost 2, which the budget pays for. The probability that one
// of them is drawn is 0.8 * (1 - 0.5 * 0.6) = 0.56, so the upper bound is 5.6: an agent
// that knows the draws pays for scan or for mail, whichever comes out well. The
// strongest set is {admin, scan} with 0.8 * 0.5 = 0.4, so going for it is worth 4, the
// lower bound; that is the optimum, too. After scan=ok with 1 left, the family is
// {{admin}}, the budget pays for all that is of use, and both bounds are 8.

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
    trivial_bound_ += instance_.most_paid;
    // Not a matter of the layout: charges may change while the states stay.
    for (InstanceAction const& action : instance_.actions) {
        for (Variant const& variant : action.variants) {
            has_charges_ |= variant.charge > 0;
        }
    }
    is_plain_ = !layout_.has_negation() && !has_charges_ &&
                !instance_.has_outcome_costs() && !instance_.has_hidden() &&
                !instance_.pays_on_the_way() && layout_.repeatable().empty() &&
                layout_.conditioned().empty() && !has_penalty;
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
    // An adversary with endless deviations may also choose the same probabilities
    // wherever an action is taken; any within its spread keep this a bound.
    InstanceAction const lowered = threat_ == Threat::endless
                                       ? at_worst_fixed_probabilities(layout_, action)
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
    NodeProbabilities::Draws draws;
    NodeProbabilities::Draws chances;
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
    node_probabilities_.emplace(layout_, draws);
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
        // doing everything is worth as much as knowing everything. Not against an
        // adversary, who sees what has happened so far and so may do more harm than
        // lots that are drawn beforehand.
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
    if (node.kind == Kind::at_least) {
        return unit_family; // Whatever it takes: that only raises the bound.
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
    if (node.outcome == ResidualNode::again) {
        return unit_family; // Only comparisons ask for it.
    }
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

// What is too expensive here is too expensive wherever it is part of more.
Family PerfectInformation::affordable(Residual const& residual, Family family,
                                      std::size_t node) {
    for (std::size_t r = 0; r < prices_.size(); ++r) {
        std::int64_t const slack = residual.slack(node, r);
        family = slack < 0 ? empty_family : within(family, r, slack);
    }
    return family;
}

// Whatever must not happen can be had for nothing: that only raises the bound.
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

// An agent that knew hidden facts beforehand could choose clauses by them.
Bound PerfectInformation::bound(Residual const& residual) {
    if (instance_.has_hidden()) {
        return {std::numeric_limits<double>::lowest(), trivial_bound_};
    }
    auto const found = on_diagrams([&] { return worked_out(residual); });
    Bound bound = found ? *found : rough(residual);
    bound.upper += instance_.most_paid;
    return bound;
}

// The same as with diagrams, from what is known of single nodes.
Bound PerfectInformation::rough(Residual const& residual) {
    node_probabilities_->work_out(residual);
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
        bound.upper +=
            (rewards[i].first - next) * node_probabilities_->of_any(residual, so_far);
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

// The probability of the likeliest set.
double PerfectInformation::strongest(Family family) {
    if (family == empty_family || family == unit_family) {
        return family == unit_family ? 1 : 0;
    }
    if (auto const known = strongest_.find(family); known != strongest_.end()) {
        return known->second;
    }
    double const result =
        std::max(strength_with_top(family), strongest(table_->node(family).low));
    strongest_.emplace(family, result);
    return result;
}

double PerfectInformation::strength_with_top(Family family) {
    FamilyNode const node = table_->node(family);
    return chances_[static_cast<std::size_t>(node.element)] *
           strongest(without_action(node.high, action_of(node.element)));
}

std::uint32_t PerfectInformation::action_of(ElementId element) const {
    return actions_[static_cast<std::size_t>(element)];
}

// One lot is drawn of each action, so no set with two of them ever comes true.
Family PerfectInformation::without_action(Family family, std::uint32_t action) const {
    while (family != empty_family && family != unit_family &&
           action_of(table_->node(family).element) == action) {
        family = table_->node(family).low;
    }
    return family;
}

Pursuit PerfectInformation::strongest_pursuit(Residual const& residual) {
    Pursuit result;
    compose(residual);
    result.worth = residual.held();
    Family best = empty_family;
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        NodeRef const ref = layout_.reward(i);
        double const gain = instance_.rewards[i].value - residual.held();
        if (gain > 0 && residual.is_undecided(ref.node)) {
            Family const family = family_of(residual, ref);
            double const worth = residual.held() + gain * strongest(family);
            if (worth > result.worth) {
                result.worth = worth;
                best = family;
            }
        }
    }
    result.hope = result.worth;
    auto elements = strongest_set(best);
    std::stable_sort(elements.begin(), elements.end(), [&](ElementId a, ElementId b) {
        return chances_[static_cast<std::size_t>(a)] <
               chances_[static_cast<std::size_t>(b)];
    });
    for (ElementId const element : elements) {
        result.actions.push_back(action_of(element));
    }
    return result;
}

std::vector<ElementId> PerfectInformation::strongest_set(Family family) {
    std::vector<ElementId> set;
    while (family != empty_family && family != unit_family) {
        FamilyNode const node = table_->node(family);
        if (strength_with_top(family) >= strongest(node.low)) {
            set.push_back(node.element);
            family = without_action(node.high, action_of(node.element));
        } else {
            family = node.low;
        }
    }
    return set;
}

} // namespace branchwise
