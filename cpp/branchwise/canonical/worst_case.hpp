#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "branchwise/canonical/canonical_states.hpp"
#include "branchwise/canonical/worst_probabilities.hpp"
#include "branchwise/problem/instance.hpp"

namespace branchwise {

/// A canonical state, with how often an adversary can still deviate.
struct Faced {
    StateId state{};
    std::uint32_t deviations{};
};

/// What an adversary makes of actions: at each, the probabilities may be other than
/// nominal, at most so many times along any path.
///
/// Scores are kept for every state with every number of deviations left, in a row: see
/// `spot`. Without an adversary, or with one that may deviate without end, that is one
/// score per state.
class WorstCase {
  public:
    static constexpr std::uint32_t endless = UINT32_MAX;

    WorstCase(CanonicalStates const& graph, std::uint32_t deviations, double tolerance)
        : graph_(graph), is_endless_(deviations == endless),
          num_layers_(is_endless_ ? 1 : std::size_t{deviations} + 1),
          tolerance_(tolerance) {}
    /// The same over a copy of the states.
    WorstCase(CanonicalStates const& graph, WorstCase const& other)
        : graph_(graph), is_endless_(other.is_endless_), num_layers_(other.num_layers_),
          tolerance_(other.tolerance_) {}

    [[nodiscard]] CanonicalStates const& graph() const { return graph_; }
    [[nodiscard]] std::size_t num_layers() const { return num_layers_; }
    /// The state, with all the deviations there are at the start.
    [[nodiscard]] Faced start(StateId state) const {
        return {state, static_cast<std::uint32_t>(num_layers_ - 1)};
    }
    /// Where the score of a state stands.
    [[nodiscard]] std::size_t spot(Faced faced) const {
        return index_of(faced.state) * num_layers_ + faced.deviations;
    }
    [[nodiscard]] std::size_t num_spots() const { return graph_.size() * num_layers_; }
    [[nodiscard]] double tolerance() const { return tolerance_; }
    [[nodiscard]] Threat threat() const {
        if (is_endless_) {
            return Threat::endless;
        }
        return num_layers_ > 1 ? Threat::limited : Threat::none;
    }

    /// Can the probabilities of this option be other than nominal here?
    [[nodiscard]] bool can_deviate(Option const& option,
                                   std::uint32_t deviations) const {
        return (is_endless_ || deviations > 0) && !variant(option).spread.is_exact();
    }
    /// How many deviations are left after one more.
    [[nodiscard]] std::uint32_t after_deviation(std::uint32_t deviations) const {
        return is_endless_ ? deviations : deviations - 1;
    }

    /// The expected score of an option at nominal probabilities: of its children, with
    /// what is gained on the way, less what is charged.
    [[nodiscard]] double nominal(Option const& option, std::uint32_t deviations,
                                 std::span<double const> scores) const;
    /// The same at the worst probabilities, which must be possible; writes them if
    /// asked to.
    [[nodiscard]] double deviated(Option const& option, std::uint32_t deviations,
                                  std::span<double const> scores,
                                  ProbabilityBuffer* probabilities = nullptr) const;
    /// The least of the two.
    [[nodiscard]] double score(Option const& option, std::uint32_t deviations,
                               std::span<double const> scores) const;
    /// Does the adversary deviate here? Not where it makes no difference.
    [[nodiscard]] bool deviates(Option const& option, std::uint32_t deviations,
                                std::span<double const> scores) const {
        return can_deviate(option, deviations) &&
               nominal(option, deviations, scores) -
                       deviated(option, deviations, scores) >
                   tolerance_;
    }

    /// Visit what an option leads to as the adversary will have it, with the
    /// probabilities, some of which may be 0.
    template <typename Visit>
    void for_each_child(Option const& option, std::uint32_t deviations,
                        std::span<double const> scores, Visit visit) const {
        if (!deviates(option, deviations, scores)) {
            for_each_nominal_child(option, deviations, visit);
            return;
        }
        ProbabilityBuffer probabilities(option.children.size());
        (void)deviated(option, deviations, scores, &probabilities);
        for (std::size_t i = 0; i < option.children.size(); ++i) {
            visit(Faced{option.children[i], after_deviation(deviations)},
                  probabilities.view()[i]);
        }
    }
    template <typename Visit>
    void for_each_nominal_child(Option const& option, std::uint32_t deviations,
                                Visit visit) const {
        graph_.for_each_child(option, [&](StateId child, double probability) {
            visit(Faced{child, deviations}, probability);
        });
    }

  private:
    [[nodiscard]] Variant const& variant(Option const& option) const {
        auto const& action = graph_.instance().actions[option.action.action];
        return action.variants[option.action.variant];
    }
    /// What an outcome leads to is worth, with what is gained and less what is charged
    /// on the way there.
    [[nodiscard]] double worth(Option const& option, std::size_t outcome,
                               std::size_t child, std::uint32_t deviations,
                               std::span<double const> scores) const {
        double const gain =
            option.gains == nullptr ? 0 : graph_.gain_value(option.gains[child]);
        double const there = gain + scores[spot({option.children[child], deviations})];
        InstanceAction const& action = graph_.instance().actions[option.action.action];
        return action.outcome_charges.empty() ? there
                                              : there - action.outcome_charges[outcome];
    }

    CanonicalStates const& graph_;
    bool is_endless_;
    std::size_t num_layers_;
    double tolerance_;
};

} // namespace branchwise
