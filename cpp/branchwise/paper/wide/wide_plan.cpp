#include "branchwise/paper/wide/wide_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "branchwise/explicit/explicit_scores.hpp"
#include "branchwise/explicit/row_table.hpp"
#include "branchwise/paper/crew.hpp"
#include "branchwise/paper/wide/wide_rules.hpp"

namespace branchwise {

namespace {

/// The naive full graph, written out: states in the order in which they are met, so
/// that children come after their parents, with one attempt more.
class WideGraph {
  public:
    explicit WideGraph(WideRules& rules) : rules_(rules), states_(rules.width()) {}

    /// Find all states (Algorithm 1).
    void generate(RunWatch& watch) {
        auto const root = rules_.start();
        std::int32_t number = 0;
        states_.number(root, {&number, 1});
        for (std::size_t i = 0; i < states_.size(); ++i) {
            // A copy, as rows move when there are more.
            auto const row = states_.rows(i, i + 1);
            std::vector<std::int64_t> const here(row.begin(), row.end());
            expand(here);
            if (i % states_between_looks == 0) {
                check(watch, states_.size(), "full graph");
            }
        }
        first_branches_.push_back(static_cast<std::int64_t>(children_.size()));
    }

    [[nodiscard]] ExplicitGraph graph() const {
        return {rewards_,        first_options_, num_options_,   costs_,   charges_,
                first_branches_, children_,      probabilities_, may_stop_};
    }
    [[nodiscard]] RowTable const& states() const { return states_; }
    [[nodiscard]] std::uint32_t action(std::size_t option) const {
        return actions_[option];
    }
    [[nodiscard]] std::uint32_t outcome(std::size_t branch) const {
        return outcomes_[branch];
    }
    [[nodiscard]] std::size_t bytes() const {
        return states_.size() * (states_.width() * sizeof(std::int64_t) +
                                 2 * sizeof(double) + sizeof(std::int32_t)) +
               costs_.size() * (3 * sizeof(double) + sizeof(std::uint32_t)) +
               children_.size() * (sizeof(double) + 2 * sizeof(std::uint32_t));
    }

  private:
    static constexpr std::size_t states_between_looks = 1024;

    void expand(WideRow row) {
        rules_.load(row);
        rewards_.push_back(rules_.reward());
        first_options_.push_back(static_cast<std::int64_t>(costs_.size()));
        for (std::size_t a = 0; a < rules_.instance().actions.size(); ++a) {
            if (rules_.is_available(a)) {
                add(a, rules_.variant(a));
            }
        }
        std::size_t const count =
            costs_.size() - static_cast<std::size_t>(first_options_.back());
        num_options_.push_back(static_cast<std::int32_t>(count));
        may_stop_.push_back(rules_.may_stop() || count == 0 ? 1 : 0);
    }

    // What outcomes cost counts as much as it is likely.
    void add(std::size_t number, std::size_t variant) {
        InstanceAction const& action = rules_.instance().actions[number];
        Variant const& own = action.variants[variant];
        double cost = own.cost;
        double charge = own.charge;
        actions_.push_back(static_cast<std::uint32_t>(number));
        first_branches_.push_back(static_cast<std::int64_t>(children_.size()));
        child_.resize(rules_.width());
        for (std::size_t i = 0; i < action.num_outcomes; ++i) {
            double const probability = rules_.probability(number, variant, i);
            if (!(probability > 0)) {
                continue;
            }
            rules_.follow(number, variant, i, child_);
            std::int32_t child = 0;
            states_.number(child_, {&child, 1});
            children_.push_back(child);
            probabilities_.push_back(probability);
            outcomes_.push_back(
                static_cast<std::uint32_t>(index_of(action.first_outcome) + i));
            if (action.has_outcome_costs()) {
                cost += probability * action.outcome_costs[i];
                charge += probability * action.outcome_charges[i];
            }
        }
        costs_.push_back(cost);
        charges_.push_back(charge);
    }

    WideRules& rules_;
    RowTable states_;
    std::vector<double> rewards_;              // by state
    std::vector<std::uint8_t> may_stop_;       // by state
    std::vector<std::int64_t> first_options_;  // by state
    std::vector<std::int32_t> num_options_;    // by state
    std::vector<std::uint32_t> actions_;       // by option
    std::vector<double> costs_;                // by option
    std::vector<double> charges_;              // by option
    std::vector<std::int64_t> first_branches_; // by option, and one more
    std::vector<std::int32_t> children_;       // by branch
    std::vector<double> probabilities_;        // by branch
    std::vector<std::uint32_t> outcomes_;      // by branch
    std::vector<std::int64_t> child_;          // the one that is looked at
};

class WidePlan final : public PaperPlan {
  public:
    explicit WidePlan(Instance const& instance)
        : instance_(instance), rules_(instance_), graph_(rules_) {}

    void solve(Objective objective, RunWatch& watch) {
        double const start = watch.seconds();
        graph_.generate(watch);
        double const full = watch.seconds();
        std::vector<ExplicitGraph::Number> order(graph_.states().size());
        std::iota(order.rbegin(), order.rend(), ExplicitGraph::Number{0});
        // Scores, ties and the choice among them are one way up from the last states.
        scores_ = explicit_scores(graph_.graph(), order, objective);
        double const scored = watch.seconds();
        statistics_.num_full_states = graph_.states().size();
        statistics_.num_reduced_states = scores_.num_reduced;
        statistics_.num_nodes = scores_.num_nodes;
        statistics_.most_bytes = graph_.bytes();
        statistics_.full_seconds = full - start;
        statistics_.reduced_seconds = scored - full;
        mark_plan();
        statistics_.tree_seconds = watch.seconds() - scored;
    }

    [[nodiscard]] PaperStatistics const& statistics() const override {
        return statistics_;
    }
    [[nodiscard]] std::size_t num_words() const override { return rules_.width(); }
    [[nodiscard]] std::vector<Word> root() const override { return words(0); }
    [[nodiscard]] std::optional<PlannedStep> step(Key key) const override;
    [[nodiscard]] Situation situation(Key key) const override;

  private:
    [[nodiscard]] std::vector<Word> words(std::size_t state) const {
        auto const row = graph_.states().rows(state, state + 1);
        return {row.begin(), row.end()};
    }
    void mark_plan();

    Instance instance_; // the plan outlives what it was made from
    WideRules rules_;
    WideGraph graph_;
    ExplicitScores scores_;
    std::vector<bool> is_planned_; // by state
    PaperStatistics statistics_;
};

// Children come after their parents, so one way down finds what the plan comes to.
void WidePlan::mark_plan() {
    ExplicitGraph const graph = graph_.graph();
    is_planned_.assign(graph.size(), false);
    is_planned_[0] = true;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        if (!is_planned_[i]) {
            continue;
        }
        ++statistics_.num_policy_states;
        if (scores_.choices[i] == ExplicitScores::stop) {
            continue;
        }
        auto const row = graph.branches(static_cast<std::size_t>(scores_.choices[i]));
        for (std::size_t branch = row.first; branch < row.last; ++branch) {
            is_planned_[graph.child(branch)] = true;
        }
    }
}

std::optional<PlannedStep> WidePlan::step(Key key) const {
    std::vector<std::int64_t> const row(key.begin(), key.end());
    auto const state = graph_.states().find(row.data());
    if (!state || !is_planned_[*state]) {
        return {};
    }
    ExplicitGraph const graph = graph_.graph();
    PlannedStep found;
    found.value = scores_.scores[*state];
    found.reward = graph.rewards[*state];
    if (scores_.choices[*state] != ExplicitScores::stop) {
        auto const option = static_cast<std::size_t>(scores_.choices[*state]);
        found.action = static_cast<ActionId>(graph_.action(option));
        auto const branches = graph.branches(option);
        for (std::size_t i = branches.first; i < branches.last; ++i) {
            found.branches.push_back({static_cast<OutcomeId>(graph_.outcome(i)),
                                      graph.probabilities[i], words(graph.child(i))});
        }
    }
    return found;
}

Situation WidePlan::situation(Key key) const {
    Situation found;
    for (std::uint32_t i = 0; i < instance_.num_outcomes(); ++i) {
        if (key[i] > 0) {
            found.counts.emplace_back(OutcomeId{i}, key[i]);
        }
    }
    auto const spent = key.subspan(instance_.num_outcomes(), instance_.budget.size());
    found.spent.assign(spent.begin(), spent.end());
    return found;
}

} // namespace

bool is_wide(Instance const& instance) {
    return !instance.counters.empty() || instance.has_outcome_costs() ||
           instance.has_hidden() || instance.pays_on_the_way() ||
           instance.must_finish();
}

std::unique_ptr<PaperPlan> solve_wide(Instance const& instance, Objective objective,
                                      RunWatch& watch) {
    auto plan = std::make_unique<WidePlan>(instance);
    plan->solve(objective, watch);
    return plan;
}

} // namespace branchwise
