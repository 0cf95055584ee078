#include "branchwise/paper/paper_engine.hpp"

#include <algorithm>
#include <utility>

#include "branchwise/paper/tree_selection.hpp"
#include "branchwise/paper/wide/wide_plan.hpp"
#include "branchwise/support/large_array.hpp"

namespace branchwise {

namespace {

class Plan final : public PaperPlan {
  public:
    explicit Plan(Instance const& instance) : instance_(instance), rules_(instance_) {}

    void solve(std::optional<RewardingSets> const& sets, Objective objective,
               RunWatch& watch, std::size_t num_threads);

    [[nodiscard]] PaperStatistics const& statistics() const override {
        return statistics_;
    }
    [[nodiscard]] std::size_t num_words() const override {
        return rules_.layout().num_words();
    }
    [[nodiscard]] std::vector<Word> root() const override {
        return std::vector<Word>(num_words());
    }
    [[nodiscard]] std::optional<PlannedStep> step(Key key) const override;
    [[nodiscard]] Situation situation(Key key) const override;

  private:
    using Counts = std::vector<NodeCount>;

    void select(ReducedGraph const& reduced, Objective objective);
    [[nodiscard]] NodeCount num_nodes() const;
    [[nodiscard]] Counts num_nodes(PolicyLayer const& layer, Counts const& below) const;

    Instance instance_; // the plan outlives what it was made from
    StateRules rules_;
    std::vector<PolicyLayer> layers_; // by the number of attempts
    PaperStatistics statistics_;
};

void Plan::solve(std::optional<RewardingSets> const& sets, Objective objective,
                 RunWatch& watch, std::size_t num_threads) {
    std::optional<RewardingFilter> filter;
    if (sets) {
        filter.emplace(rules_, *sets);
    }
    double const start = watch.seconds();
    Crew crew(watch, num_threads);
    FullGraph graph(rules_, crew);
    graph.generate(filter ? &*filter : nullptr);
    double const full = watch.seconds();
    graph.score();
    ReducedGraph reduced(graph);
    reduced.generate();
    double const reduced_at = watch.seconds();
    select(reduced, objective);
    statistics_.num_full_states = graph.num_states();
    statistics_.num_reduced_states = reduced.num_states();
    statistics_.full_seconds = full - start;
    statistics_.reduced_seconds = reduced_at - full;
    statistics_.tree_seconds = watch.seconds() - reduced_at;
}

void Plan::select(ReducedGraph const& reduced, Objective objective) {
    TreeSelection selection(reduced, objective);
    selection.choose();
    layers_ = selection.policy();
    statistics_.num_nodes = num_nodes();
    std::size_t held = reduced.full().bytes() + selection.most_bytes();
    for (PolicyLayer const& layer : layers_) {
        statistics_.num_policy_states += layer.size();
        held += layer.bytes();
    }
    statistics_.most_bytes = std::max(held, reduced.full().most_bytes());
}

NodeCount Plan::num_nodes() const {
    Counts below;
    for (std::size_t depth = layers_.size() - 1; depth-- > 0;) {
        below = num_nodes(layers_[depth], below);
    }
    return below[0];
}

/// How many nodes the tree has from each state of a layer down.
Plan::Counts Plan::num_nodes(PolicyLayer const& layer, Counts const& below) const {
    Counts counts(layer.size(), 1);
    auto branch = layer.branches.begin();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::size_t const num_branches = rules_.move(layer.moves[i]).num_chances;
        for (std::size_t j = 0; j < num_branches; ++j) {
            counts[i] = add_nodes(counts[i], below[*branch++]);
        }
    }
    return counts;
}

std::optional<PlannedStep> Plan::step(Key key) const {
    Word const depth = rules_.layout().num_attempts(key);
    if (depth >= layers_.size()) {
        return {};
    }
    PolicyLayer const& layer = layers_[static_cast<std::size_t>(depth)];
    std::size_t const slot = layer.index.find(key.data(), layer.index.hash(key.data()));
    if (slot == StateTable<0>::nowhere) {
        return {};
    }
    auto const number = static_cast<std::size_t>(*layer.index.values(slot));
    PlannedStep found;
    found.value = layer.scores[number];
    found.reward = rules_.reward(key);
    if (layer.moves[number] != StateRules::no_move) {
        Move const& move = rules_.move(layer.moves[number]);
        found.action = static_cast<ActionId>(move.action);
        for (std::size_t i = 0; i < move.num_chances; ++i) {
            std::vector<Word> child(key.size());
            rules_.follow<0>(move, i, key.data(), child.data());
            found.branches.push_back({rules_.chances(move)[i],
                                      rules_.probabilities(move)[i], std::move(child)});
        }
    }
    return found;
}

Situation Plan::situation(Key key) const {
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

} // namespace

std::unique_ptr<PaperPlan> solve_by_paper(Instance const& instance,
                                          std::optional<RewardingSets> const& sets,
                                          Objective objective, RunWatch& watch,
                                          std::size_t num_threads) {
    keep_freed_memory();
    if (is_wide(instance)) {
        // What outcomes a reward needs does not tell what may help here.
        return solve_wide(instance, objective, watch);
    }
    auto plan = std::make_unique<Plan>(instance);
    plan->solve(sets, objective, watch, num_threads);
    return plan;
}

} // namespace branchwise
