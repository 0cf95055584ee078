#include "branchwise/rewarding/rewarding_sets.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "branchwise/rewarding/backward_search.hpp"

namespace branchwise {

namespace {

/// Puts the rewarding sets of an instance together.
class Listing {
  public:
    Listing(Instance const& instance, RewardingSets& result, RunWatch& watch)
        : is_sum_(instance.is_sum), result_(result),
          terms_(instance, BackwardSearch::most_sets, watch),
          search_(instance, result.attempts, terms_) {}

    void list();

  private:
    void keep_minimal();
    void add_sets();
    void count_minimal();
    [[nodiscard]] bool serves(Derivation const& one, Derivation const& other) const;
    [[nodiscard]] bool is_superfluous(Derivation const& set) const;
    [[nodiscard]] std::uint32_t rank(Derivation const& each) const {
        return result_.goals[each.goal].rank;
    }

    bool is_sum_;
    RewardingSets& result_;
    ConditionTerms terms_;
    BackwardSearch search_;
    std::vector<Derivation> found_;
};

void Listing::list() {
    for (std::uint32_t i = 0; i < result_.goals.size(); ++i) {
        RewardingGoal& goal = result_.goals[i];
        search_.reach(i, goal.when, found_);
        goal.lasts = std::ranges::all_of(
            terms_.of(goal.when), [](Term const& t) { return t.avoids.is_empty(); });
    }
    keep_minimal();
    add_sets();
    count_minimal();
}

/// Leave out the ways that another one serves as well.
void Listing::keep_minimal() {
    std::ranges::stable_sort(found_, [&](Derivation const& a, Derivation const& b) {
        return std::pair(a.reasons.size(), rank(b)) <
               std::pair(b.reasons.size(), rank(a));
    });
    std::vector<Derivation> kept;
    for (Derivation& way : found_) {
        terms_.look();
        if (std::ranges::none_of(
                kept, [&](Derivation const& other) { return serves(other, way); })) {
            kept.push_back(std::move(way));
        }
    }
    found_ = std::move(kept);
}

/// Is this reached wherever the other is, for as much reward? All its reasons are among
/// the other's: a set that avoids something else may be blocked where the other is not.
/// That its outcomes are, too, is only quicker to see.
bool Listing::serves(Derivation const& one, Derivation const& other) const {
    return (!is_sum_ || one.goal == other.goal) && rank(one) >= rank(other) &&
           one.needs.is_within(other.needs) &&
           std::ranges::includes(other.reasons, one.reasons) &&
           one.final->avoids.is_within(other.final->avoids);
}

/// Sets that come about in several ways are listed once.
void Listing::add_sets() {
    std::set<std::pair<OutcomeSet, std::uint32_t>> seen;
    std::erase_if(found_, [&](Derivation const& each) {
        return !seen.emplace(each.needs, each.goal).second;
    });
    for (Derivation const& each : found_) {
        RewardingSet& set = result_.sets.emplace_back();
        set.goal = each.goal;
        each.needs.for_each([&](std::size_t outcome) {
            set.needs.push_back(static_cast<OutcomeId>(outcome));
        });
    }
}

void Listing::count_minimal() {
    for (Derivation const& each : found_) {
        terms_.look();
        result_.num_minimal += is_superfluous(each) ? 0 : 1;
    }
}

/// Pruning also keeps sets that contain others, where they happen in other ways.
bool Listing::is_superfluous(Derivation const& set) const {
    return std::ranges::any_of(found_, [&](Derivation const& other) {
        bool const pays_more = rank(other) > rank(set);
        return (!is_sum_ || other.goal == set.goal) &&
               (pays_more || (rank(other) == rank(set) && other.needs != set.needs)) &&
               other.needs.is_within(set.needs);
    });
}

} // namespace

std::optional<RewardingSets> list_rewarding_sets(Instance const& instance,
                                                 std::vector<RewardingGoal> goals,
                                                 std::vector<std::int64_t> attempts,
                                                 RunWatch& watch) {
    RewardingSets result{std::move(goals), {}, std::move(attempts), 0};
    try {
        Listing(instance, result, watch).list();
    } catch (TooManyToList const&) {
        return std::nullopt;
    }
    return result;
}

} // namespace branchwise
