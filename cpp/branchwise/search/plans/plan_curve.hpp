#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/search/plans/plan.hpp"

namespace branchwise {

/// What an action is paid and may come to while one of its variants counts.
struct Terms {
    std::vector<double> probabilities{}; // by outcome
    double charge = 0;
};

/// Terms, and whose they are; or their drift, which is how fast they change.
struct VariantTerms {
    std::uint32_t action{};
    std::uint32_t variant{};
    Terms terms{};
};

/// What a plan, once chosen, is worth as probabilities and charges change: its states
/// in a row, each after those it leads to. It goes by terms of its own, whatever
/// problem the engine turns to.
class PlanCurve {
  public:
    /// The terms are those of every action, by variant.
    PlanCurve(Plan const& plan, std::vector<std::vector<Terms>> terms);

    /// The expected reward where some terms are others.
    [[nodiscard]] double value(std::span<VariantTerms const> changed) const;
    /// How fast the expected reward rises where some terms have a drift. The drifts of
    /// the probabilities of an action must add up to nothing.
    [[nodiscard]] double slope(std::span<VariantTerms const> drifts) const;

  private:
    static constexpr std::uint32_t stop = UINT32_MAX;

    struct Place {
        std::uint32_t action = stop;
        std::uint32_t variant = 0;
        double reward = 0;
        std::size_t first_branch = 0;
        std::size_t end_branch = 0;
    };

    struct Branch {
        std::uint32_t outcome;
        std::uint32_t place;
        double gain;
    };

    using Chosen = std::vector<std::vector<Terms const*>>; // by action and variant

    [[nodiscard]] Chosen none() const;
    [[nodiscard]] std::vector<double> values(Chosen const& changed) const;
    [[nodiscard]] double rise(Place const& place, Terms const& drift) const;
    void add_branches(CanonicalStates const& graph, Option const& option,
                      std::span<std::uint32_t const> children);

    std::vector<std::vector<Terms>> terms_;
    std::vector<Place> places_;
    std::vector<Branch> branches_;
    double root_gain_;
    std::vector<double> values_; // by place, as things are
};

} // namespace branchwise
