#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/canonical/layout/residual_layout.hpp"

namespace branchwise {

/// A rewarding set to go for: what that is worth at least, what it looks to be worth,
/// and its actions, those that are likeliest to fail first.
struct Pursuit {
    double worth = std::numeric_limits<double>::lowest();
    double hope = 0;
    std::vector<std::uint32_t> actions{};
};

/// Finds a likely way to a reward, node by node: of an `all` every part is needed, of
/// an `any` the one that looks best. Not the likeliest, as parts may share actions, but
/// found at once however large the problem.
class LikelyWay {
  public:
    /// For each action and outcome, how likely it is.
    LikelyWay(ResidualLayout const& layout, std::vector<std::vector<double>> chances);

    /// The way that is worth most at a state that is loaded and refreshed, if all of
    /// its actions can be paid for.
    [[nodiscard]] Pursuit find(Residual const& residual);

  private:
    static constexpr std::size_t most_thrifty = 12;
    static constexpr std::size_t most_again = 3;
    static constexpr std::size_t most_tries = 16;
    static constexpr std::uint32_t no_part = UINT32_MAX;

    /// What it takes to have a node, estimated without knowing what else is
    /// wanted.
    void weigh(Residual const& residual, double thrift);
    [[nodiscard]] double weight_of(Residual const& residual, std::size_t node,
                                   NodeRef ref) const;
    [[nodiscard]] double weight_of_literal(Residual const& residual, std::size_t node,
                                           double thrift) const;
    void collect(Residual const& residual, std::size_t goal);
    [[nodiscard]] bool is_affordable(Residual const& residual) const;
    [[nodiscard]] double chance() const;
    [[nodiscard]] double chance_of(ResidualNode const& literal) const;
    /// Returns whether it is settled: there is a way that can be paid for, or none at
    /// all.
    bool try_goal(Residual const& residual, std::size_t reward, Pursuit& best);
    void vary_taste(std::size_t number);

    ResidualLayout const& layout_;
    std::vector<std::vector<double>> chances_;
    std::vector<double> weights_;            // by node
    std::vector<std::uint32_t> parts_;       // by node: which part of an `any`
    std::vector<std::uint32_t> literals_;    // of the way that was collected
    std::vector<std::uint8_t> is_taken_;     // by action: is it on that way?
    std::vector<std::uint8_t> is_collected_; // by node
    std::vector<double> taste_;              // by action: how much it weighs
    std::vector<std::uint32_t> pending_;
};

} // namespace branchwise
