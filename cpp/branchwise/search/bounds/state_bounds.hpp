#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "branchwise/canonical/canonical_graph.hpp"
#include "branchwise/canonical/worst_case.hpp"
#include "branchwise/support/large_array.hpp"

namespace branchwise {

/// A lower and an upper bound on the score of every state, with every number of
/// deviations left. Bounds only ever tighten.
///
/// A new state lies between the reward for stopping there and what no state exceeds. It
/// is *bounded* once perfect information has been consulted about it; from then on its
/// bounds come from its children.
class StateBounds {
  public:
    StateBounds(CanonicalGraph const& graph, WorstCase const& worst_case)
        : graph_(graph), worst_case_(worst_case) {}

    [[nodiscard]] double lower(Faced faced) const { return lower_[spot(faced)]; }
    [[nodiscard]] double upper(Faced faced) const { return upper_[spot(faced)]; }
    [[nodiscard]] double gap(Faced faced) const { return upper(faced) - lower(faced); }
    /// By spot, for all there are.
    [[nodiscard]] std::span<double const> lowers() const { return lower_; }
    [[nodiscard]] std::span<double const> uppers() const { return upper_; }

    /// The bounds of an option, from those of its children.
    [[nodiscard]] double lower_of(Option const& option, Faced faced) const {
        return worst_case_.score(option, faced.deviations, lower_);
    }
    [[nodiscard]] double upper_of(Option const& option, Faced faced) const {
        return worst_case_.score(option, faced.deviations, upper_);
    }
    /// The option with the best upper bound among those whose children are bounded, or
    /// `CanonicalScores::stop`.
    [[nodiscard]] std::uint32_t best_option(Faced faced) const;
    /// The option with the best lower bound, or `CanonicalScores::stop`; and that
    /// bound.
    [[nodiscard]] std::pair<std::uint32_t, double> safest_option(Faced faced) const;

    /// From now on, bounds that do not come from children are this much wider: that
    /// makes up for their rounding.
    void set_margin(double margin) { margin_ = margin; }
    /// Tighten the bounds of a state to these, whatever number of deviations is left.
    void narrow(StateId state, double lower, double upper);
    /// Only the lower one.
    void raise_lower(StateId state, double lower);
    /// Tighten the bounds of an expanded state to what its options come to.
    void back_up(Faced faced);

    [[nodiscard]] bool is_bounded(StateId state) const {
        return is_bounded_[index_of(state)] != 0;
    }
    void set_bounded(StateId state, bool is_bounded) {
        is_bounded_[index_of(state)] = is_bounded ? 1 : 0;
    }

    /// Have room for so many more states than the graph has; throws before anything has
    /// changed.
    void make_room(std::size_t num_states);
    /// Take up the states that are new in the graph, for which there must be room. No
    /// score exceeds `most`.
    void meet_new_states(double most);
    /// How many spots have bounds.
    [[nodiscard]] std::size_t num_spots() const { return lower_.size(); }
    [[nodiscard]] std::size_t bytes() const {
        return lower_.bytes() + upper_.bytes() + is_bounded_.bytes();
    }

  private:
    [[nodiscard]] std::size_t spot(Faced faced) const {
        return worst_case_.spot(faced);
    }
    void narrow(Faced faced, double lower, double upper);
    [[nodiscard]] bool is_evaluated(Option const& option) const;

    CanonicalGraph const& graph_;
    WorstCase const& worst_case_;
    double margin_ = 0;
    LargeArray<double> lower_;            // by spot
    LargeArray<double> upper_;            // by spot
    LargeArray<std::uint8_t> is_bounded_; // by state
};

} // namespace branchwise
