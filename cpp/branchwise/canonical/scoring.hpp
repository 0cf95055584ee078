#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "branchwise/canonical/canonical_scores.hpp"
#include "branchwise/canonical/canonical_states.hpp"
#include "branchwise/canonical/worst_case.hpp"
#include "branchwise/problem/objective.hpp"
#include "branchwise/support/thread_team.hpp"

namespace branchwise {

// How many states a task scores.
inline constexpr std::size_t scored_at_a_time = 256;

// No plan may come to where it could only get stuck, if that must not happen.
inline constexpr double out_of_the_question = -std::numeric_limits<double>::infinity();

// What is rarer stands for what cannot happen, and is no part of a tree.
inline constexpr double next_to_nothing = 1e-250;

[[nodiscard]] inline bool is_part(double probability) {
    return probability > next_to_nothing || probability == 0;
}

/// Counts the nodes of trees in less memory, exactly up to half of what the number can
/// hold, where it stays.
template <typename Number>
struct FewestSmallNodes {
    static constexpr bool goes_by_order = false;
    using Value = Number;
    static constexpr Value too_many = Value{1} << (8 * sizeof(Value) - 1);

    static Value stop() { return 1; }
    template <typename Children>
    static Value act(double /*cost*/, Children children) {
        Value total = 1;
        children([&](double, Value below) {
            total +=
                below; // Both are at most that, so only twice as much is lost, to 0.
            total = total > too_many || total < below ? too_many : total;
        });
        return total;
    }
    static bool is_less(Value one, Value other) { return one < other; }
};

/// What an option is worth, worked out without looking anything up twice.
class OptionValues {
  public:
    explicit OptionValues(WorstCase const& worst_case)
        : worst_case_(worst_case), instance_(worst_case.graph().instance()),
          has_outcome_costs_(instance_.has_outcome_costs()) {
        for (InstanceAction const& action : instance_.actions) {
            first_.push_back(variants_.size());
            for (Variant const& variant : action.variants) {
                variants_.push_back({probabilities_.size(), variant.charge});
                for (std::size_t i = 0; i < variant.probabilities.size(); ++i) {
                    if (variant.can_happen(i)) {
                        probabilities_.push_back(variant.probabilities[i]);
                    }
                }
            }
        }
    }

    /// As `WorstCase::score`, to the last bit.
    [[nodiscard]] double score(Option const& option, std::uint32_t deviations,
                               std::span<double const> scores) const {
        if (option.gains != nullptr || worst_case_.threat() != Threat::none ||
            has_outcome_costs_ || option.chances != nullptr) {
            return worst_case_.score(option, deviations, scores);
        }
        Own const& own =
            variants_[first_[option.action.action] + option.action.variant];
        // Nothing is gained on the way; that much makes a 0 of a -0.
        constexpr double gain = 0;
        double expected = 0;
        for (std::size_t i = 0; i < option.children.size(); ++i) {
            expected += probabilities_[own.first_probability + i] *
                        (gain + scores[index_of(option.children[i])]);
        }
        return expected - own.charge;
    }

  private:
    struct Own {
        std::size_t first_probability;
        double charge;
    };

    WorstCase const& worst_case_;
    Instance const& instance_;
    bool has_outcome_costs_;
    std::vector<std::size_t> first_; // variant, by action
    std::vector<Own> variants_;
    std::vector<double> probabilities_; // of outcomes that can happen
};

/// One run over the states, children first, for one objective.
template <typename Measure>
class Scoring {
  public:
    Scoring(CanonicalScores& result, bool has_known, std::size_t num_threads)
        : graph_(result.worst_case.graph()), worst_case_(result.worst_case),
          result_(result), has_known_(has_known), values_(worst_case_),
          measures_(worst_case_.num_spots()), good_(num_threads) {}

    /// By spot. What is known of states that are not worked out is to be set before.
    [[nodiscard]] std::span<typename Measure::Value> measures() { return measures_; }

    /// States come children first; `end_of_equals(first)` is where those end, from the
    /// first on, that do not lead to each other.
    template <typename Order, typename EndOfEquals>
    [[nodiscard]] bool score_all(Order const& order, EndOfEquals end_of_equals,
                                 ThreadTeam& team, GoesOn const& goes_on) {
        constexpr std::size_t at_a_time = scored_at_a_time;
        for (std::size_t first = 0; first < order.size();) {
            std::size_t const last = end_of_equals(first);
            std::size_t const num_tasks = (last - first + at_a_time - 1) / at_a_time;
            team.share(num_tasks, [&](std::size_t task, std::size_t thread) {
                std::size_t const begin = first + task * at_a_time;
                std::size_t const end = std::min(begin + at_a_time, last);
                for (std::size_t i = begin; i < end; ++i) {
                    if (i + ahead < end) {
                        fetch_children(order[i + ahead]);
                    }
                    score(order[i], good_[thread]);
                }
            });
            first = last;
            if (!goes_on()) {
                return false;
            }
        }
        return true;
    }

  private:
    static constexpr std::size_t ahead = 4;

    /// An option that is as good as the best of those before it.
    struct Good {
        std::uint32_t number{};
        double value{};
        Option option{};
    };

    void score(Faced faced, std::vector<Good>& good) {
        std::size_t const at = worst_case_.spot(faced);
        double const reward = graph_.reward(faced.state);
        // What is known to be worth no more than stopping is the end, even if it is
        // expanded: of its children nothing need be known.
        bool const is_end =
            has_known_ && result_.scores[at] - reward <= worst_case_.tolerance();
        result_.scores[at] = reward;
        result_.choices.set(at, CanonicalScores::stop);
        measures_[at] = Measure::stop();
        if (is_end || !graph_.is_expanded(faced.state)) {
            return;
        }
        bool const may_stop = graph_.may_stop(faced.state);
        double best = may_stop ? reward : out_of_the_question;
        std::uint32_t num_options = 0;
        good.clear();
        graph_.for_each_option(faced.state, [&](Option const& option) {
            double const value =
                values_.score(option, faced.deviations, result_.scores);
            // The best only gets better, so what is too far off now will stay so.
            if (best - value <= worst_case_.tolerance()) {
                good.push_back({num_options, value, option});
            }
            best = std::max(best, value);
            ++num_options;
        });
        if (!may_stop && num_options == 0) {
            // It is stuck here, and paid what that counts as.
            best = graph_.instance().finish->may_get_stuck ? reward : best;
        }
        result_.scores[at] = best;
        // Stopping beats acting when both are optimal.
        if (!may_stop || best - reward > worst_case_.tolerance()) {
            choose(faced, best, good);
        }
    }

    // Scores of children lie anywhere; have them brought from memory in time.
    void fetch_children(Faced faced) const {
        if (!graph_.is_expanded(faced.state)) {
            return;
        }
        graph_.for_each_option(faced.state, [&](Option const& option) {
            for (StateId const child : option.children) {
                std::size_t const spot = worst_case_.spot({child, faced.deviations});
                __builtin_prefetch(result_.scores.data() + spot);
            }
        });
    }

    void choose(Faced faced, double best, std::span<Good const> good) {
        std::size_t const at = worst_case_.spot(faced);
        std::uint32_t first = CanonicalScores::stop; // that makes a difference
        for (auto const& [number, value, option] : good) {
            if (best - value <= worst_case_.tolerance()) {
                auto const measure = measured(option, faced);
                if (result_.choices[at] == CanonicalScores::stop ||
                    Measure::is_less(measure, measures_[at])) {
                    measures_[at] = measure;
                    result_.choices.set(at, number);
                }
                if (Measure::goes_by_order && first == CanonicalScores::stop &&
                    makes_difference(option, faced, best)) {
                    first = number;
                }
            }
        }
        if (first != CanonicalScores::stop) {
            result_.choices.set(at, first);
        }
    }

    /// Does some outcome that can happen lead to where more or less is to be had than
    /// here?
    [[nodiscard]] bool makes_difference(Option const& option, Faced faced,
                                        double here) const {
        bool result = false;
        std::size_t number = 0;
        for_each_child(option, faced, [&](Faced child, double probability) {
            double const gain =
                option.gains == nullptr ? 0 : graph_.gain_value(option.gains[number]);
            double const there = gain + result_.scores[worst_case_.spot(child)];
            ++number;
            result |= probability > next_to_nothing &&
                      std::abs(there - here) > worst_case_.tolerance();
        });
        return result;
    }

    typename Measure::Value measured(Option const& option, Faced faced) const {
        auto const& action = graph_.instance().actions[option.action.action];
        Variant const& variant = action.variants[option.action.variant];
        double const cost = variant.cost + cost_of_outcomes(option, faced);
        return Measure::act(cost, [&](auto take) {
            for_each_child(option, faced, [&](Faced child, double probability) {
                if (is_part(probability)) {
                    take(probability, measures_[worst_case_.spot(child)]);
                }
            });
        });
    }

    /// What outcomes are expected to cost.
    [[nodiscard]] double cost_of_outcomes(Option const& option, Faced faced) const {
        auto const& action = graph_.instance().actions[option.action.action];
        if (!action.has_outcome_costs()) {
            return 0;
        }
        std::vector<std::size_t> outcomes;
        graph_.for_each_branch(option, [&](std::size_t outcome, std::size_t, double) {
            outcomes.push_back(outcome);
        });
        double total = 0;
        std::size_t child = 0;
        for_each_child(option, faced, [&](Faced, double probability) {
            total += probability * action.outcome_costs[outcomes[child++]];
        });
        return total;
    }

    template <typename Visit>
    void for_each_child(Option const& option, Faced faced, Visit visit) const {
        worst_case_.for_each_child(option, faced.deviations, result_.scores, visit);
    }

    CanonicalStates const& graph_;
    WorstCase const& worst_case_;
    CanonicalScores& result_;
    bool has_known_; // of states that are not worked out
    OptionValues values_;
    std::vector<typename Measure::Value> measures_;
    std::vector<std::vector<Good>> good_; // by thread
};

} // namespace branchwise
