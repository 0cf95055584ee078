#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/canonical/layout/residual_layout.hpp"
#include "branchwise/support/bits.hpp"

namespace branchwise {

/// An upper bound on the probability that an agent which knows all draws beforehand can
/// make a node true within the budget: rougher than `PerfectInformation`, but never too
/// large to work out.
///
/// Every node has its *musts*: draws without which it cannot be had, whatever else is.
/// They are independent of each other, and of every `any` that none of them is part of.
/// The parts of an `any` help each other, since they can only gain by more draws coming
/// true; so that none of them comes true is at least as likely as if they were
/// independent. Where an action has several outcomes that count, their probabilities
/// add up.
class NodeProbabilities {
  public:
    /// For each action and outcome of the layout, how likely it is among the draws.
    using Draws = std::vector<std::vector<double>>;

    NodeProbabilities(ResidualLayout const& layout, Draws const& draws);

    /// Work it out for all nodes of a state that is loaded and refreshed.
    void work_out(Residual const& residual);
    /// The probability that one of these nodes can be had, at most.
    [[nodiscard]] double of_any(Residual const& residual,
                                std::span<NodeRef const> nodes) const;

  private:
    static constexpr std::size_t most_units = 64;

    /// A set of actions or outcomes, one bit each.
    using Bits = std::vector<Word>;

    /// What is known of one node.
    struct Known {
        Bits drawn{};                        // the outcomes that must come true
        Bits paid{};                         // the actions that must be paid for
        Bits support{};                      // the actions it depends on at all
        std::vector<std::uint32_t> anys{};   // the nodes of that kind it needs
        std::vector<double> probabilities{}; // by the units that are left
    };

    void measure(Residual const& residual);
    [[nodiscard]] bool is_open(Residual const& residual, std::size_t node,
                               NodeRef ref) const;
    void clear(Known& known) const;
    void work_out_literal(Residual const& residual, std::size_t node);
    void work_out_all(Residual const& residual, std::size_t node);
    void work_out_any(Residual const& residual, std::size_t node);
    void add(Known const& part, Known& whole) const;
    void combine(std::size_t node);
    void lower_to(Known& known, std::span<std::uint32_t const> apart,
                  Bits const& support) const;
    void unite_parts(Residual const& residual, std::size_t node);
    [[nodiscard]] double product(Bits const& outcomes, Bits const& except) const;
    [[nodiscard]] std::size_t price(Bits const& actions, Bits const& except) const;
    [[nodiscard]] double united(double missed, double total) const;

    ResidualLayout const& layout_;
    std::vector<double> draws_;        // by outcome
    std::vector<std::size_t> actions_; // by outcome
    bool is_monotone_ = true;          // no action has two outcomes that count
    std::vector<std::size_t> prices_;  // by action, in units, rounded down
    std::size_t num_units_ = 0;        // what is left
    Bits no_action_;
    Bits no_outcome_;
    std::vector<Known> known_; // by node
};

} // namespace branchwise
