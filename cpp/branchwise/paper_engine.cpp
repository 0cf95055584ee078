#include "branchwise/paper_engine.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "branchwise/select_tree.hpp"

namespace branchwise {

namespace {

template <std::size_t Width>
class Plan final : public PaperPlan {
  public:
    using Table = typename TreeSelection<Width>::PolicyTable;

    explicit Plan(Instance const& instance) : instance_(instance), rules_(instance_) {}

    void solve(std::optional<RewardingSets> const& sets, Objective objective,
               RunWatch& watch, std::size_t num_threads);

    [[nodiscard]] PaperStatistics const& statistics() const override {
        return statistics_;
    }
    [[nodiscard]] std::size_t num_words() const override {
        return rules_.layout().num_words();
    }
    [[nodiscard]] std::optional<PlannedStep> step(Key key) const override;
    [[nodiscard]] Situation situation(Key key) const override;

  private:
    using Counts = std::vector<NodeCount>;

    void select(ReducedGraph<Width> const& reduced, Objective objective);
    [[nodiscard]] NodeCount num_nodes() const;
    [[nodiscard]] Counts num_nodes(std::size_t depth, Counts const& below) const;

    Instance instance_; // the plan outlives what it was made from
    StateRules rules_;
    std::vector<Table> layers_; // by the number of attempts
    PaperStatistics statistics_;
};

template <std::size_t Width>
void Plan<Width>::solve(std::optional<RewardingSets> const& sets, Objective objective,
                        RunWatch& watch, std::size_t num_threads) {
    std::optional<RewardingFilter> filter;
    if (sets) {
        filter.emplace(rules_, *sets);
    }
    double const start = watch.seconds();
    Crew<Width> crew(rules_, filter ? &*filter : nullptr, watch, num_threads);
    FullGraph<Width> graph(rules_, crew);
    graph.generate();
    double const full = watch.seconds();
    graph.score();
    ReducedGraph<Width> reduced(graph);
    reduced.generate();
    double const reduced_at = watch.seconds();
    select(reduced, objective);
    statistics_.num_full_states = graph.num_states();
    statistics_.num_reduced_states = reduced.num_states();
    statistics_.full_seconds = full - start;
    statistics_.reduced_seconds = reduced_at - full;
    statistics_.tree_seconds = watch.seconds() - reduced_at;
}

template <std::size_t Width>
void Plan<Width>::select(ReducedGraph<Width> const& reduced, Objective objective) {
    TreeSelection<Width> selection(reduced, objective);
    selection.choose();
    layers_ = selection.policy();
    statistics_.num_nodes = num_nodes();
    statistics_.most_bytes =
        reduced.full().bytes() + reduced.bytes() + selection.bytes();
    for (Table const& layer : layers_) {
        statistics_.num_policy_states += layer.size();
        statistics_.most_bytes += layer.bytes();
    }
}

template <std::size_t Width>
NodeCount Plan<Width>::num_nodes() const {
    Counts below;
    for (std::size_t depth = layers_.size() - 1; depth-- > 0;) {
        below = num_nodes(depth, below);
    }
    return *std::ranges::max_element(below);
}

template <std::size_t Width>
typename Plan<Width>::Counts Plan<Width>::num_nodes(std::size_t depth,
                                                    Counts const& below) const {
    Table const& layer = layers_[depth];
    Counts counts(layer.num_slots(), 0);
    for (std::size_t slot = 0; slot < layer.num_slots(); ++slot) {
        if (!layer.is_taken(slot)) {
            continue;
        }
        counts[slot] = 1;
        auto const found = step(Key(layer.key(slot), num_words()));
        for (auto const& branch : found->branches) {
            Table const& next = layers_[depth + 1];
            Word const* const child = branch.state.data();
            std::size_t const there = next.find(child, next.hash(child));
            counts[slot] = add_nodes(counts[slot], below[there]);
        }
    }
    return counts;
}

template <std::size_t Width>
std::optional<PlannedStep> Plan<Width>::step(Key key) const {
    Word const depth = rules_.layout().num_attempts(key);
    if (depth >= layers_.size()) {
        return {};
    }
    Table const& layer = layers_[static_cast<std::size_t>(depth)];
    std::size_t const slot = layer.find(key.data(), layer.hash(key.data()));
    if (slot == Table::nowhere) {
        return {};
    }
    PlannedStep found;
    found.value = layer.real(slot);
    found.reward = rules_.reward(key);
    Word const choice = layer.values(slot)[1];
    if (choice != TreeSelection<Width>::stop) {
        found.action = static_cast<ActionId>(choice);
        Move const& move = rules_.move(static_cast<std::size_t>(choice), key);
        for (std::size_t i = 0; i < move.chances.size(); ++i) {
            std::vector<Word> child(key.size());
            rules_.template follow<Width>(move, i, key.data(), child.data());
            PossibleOutcome const& chance = move.chances[i];
            found.branches.push_back(
                {chance.outcome, chance.probability, std::move(child)});
        }
    }
    return found;
}

template <std::size_t Width>
Situation Plan<Width>::situation(Key key) const {
    Situation found;
    for (std::uint32_t i = 0; i < instance_.num_outcomes(); ++i) {
        Word const count = rules_.layout().count(key, OutcomeId{i});
        if (count > 0) {
            found.counts.emplace_back(OutcomeId{i}, count);
        }
    }
    for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
        found.spent.push_back(rules_.layout().spent(key, r));
    }
    return found;
}

template <std::size_t Width>
std::unique_ptr<PaperPlan>
solved(Instance const& instance, std::optional<RewardingSets> const& sets,
       Objective objective, RunWatch& watch, std::size_t num_threads) {
    auto plan = std::make_unique<Plan<Width>>(instance);
    plan->solve(sets, objective, watch, num_threads);
    return plan;
}

} // namespace

std::unique_ptr<PaperPlan> solve_by_paper(Instance const& instance,
                                          std::optional<RewardingSets> const& sets,
                                          Objective objective, RunWatch& watch,
                                          std::size_t num_threads) {
    switch (OutcomeVector(instance).num_words()) {
    case 1:
        return solved<1>(instance, sets, objective, watch, num_threads);
    case 2:
        return solved<2>(instance, sets, objective, watch, num_threads);
    case 4:
        return solved<4>(instance, sets, objective, watch, num_threads);
    default:
        return solved<0>(instance, sets, objective, watch, num_threads);
    }
}

} // namespace branchwise
