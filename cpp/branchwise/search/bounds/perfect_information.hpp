#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/canonical/layout/residual_layout.hpp"
#include "branchwise/canonical/worst_probabilities.hpp"
#include "branchwise/families/family_algebra.hpp"
#include "branchwise/families/family_probability.hpp"
#include "branchwise/families/family_table.hpp"
#include "branchwise/families/family_watch.hpp"
#include "branchwise/search/bounds/likely_way.hpp"
#include "branchwise/search/bounds/node_probabilities.hpp"

namespace branchwise {

/// What the score of a state lies between.
struct Bound {
    double lower = 0;
    double upper = 0;
};

/// The expected reward of an agent that knows the outcome of every action beforehand:
/// no plan is worth more.
///
/// For that agent an action is one draw of lots. A lot says which of its outcomes can
/// be had: one, if it is taken once and its probabilities are always the same; those
/// that some clause would make of the draw, if it is conditioned; those that come up in
/// all of its attempts, if it is repeatable. The lots with which a reward can be had
/// within the budget are a family of sets, and the probability that one of them is
/// drawn is worked out on its diagram. Nothing is ever precluded, and costs are the
/// least that any clause asks: both can only make the bound higher. Where a diagram
/// takes too many steps, `NodeProbabilities` and `LikelyWay` give rougher bounds; and
/// the next one may take fewer steps, until one comes to its end again.
///
/// Against an adversary the nominal probabilities still give an upper bound, as the
/// adversary may leave them as they are; who may deviate without end may also choose
/// any fixed probabilities, so those are taken that take most from the outcomes that
/// conditions name. For a lower bound every outcome of a set counts with the least
/// probability it may have.
class PerfectInformation {
  public:
    PerfectInformation(ResidualLayout const& layout, Threat threat,
                       FamilyWatch::Hook hook);

    /// The bounds for a state that is loaded and refreshed, less what was gained. The
    /// lower one is what it is worth to go for the strongest rewarding set alone, where
    /// nothing can come in between; and the upper one itself where the budget pays for
    /// all that could be done. Throws what the hook throws.
    [[nodiscard]] Bound bound(Residual const& residual);
    /// A rewarding set to go for at a state that is loaded and refreshed: the one that
    /// is worth most, or a likely one where that is not known. Where something could
    /// come in between, nothing is said about what it is worth.
    [[nodiscard]] Pursuit pursuit(Residual const& residual);
    /// While in a hurry, look at no diagram.
    void hurry(bool is_hurried) { is_hurried_ = is_hurried; }
    /// Release the memory that diagrams take; the next ones are to be small. Good
    /// after whatever has been thrown.
    void forget() {
        start_over();
        num_steps_ = least_steps;
    }
    /// Did the last diagrams take too many steps?
    [[nodiscard]] bool is_slow() const { return num_steps_ < most_steps; }
    /// A bound for every state, without looking.
    [[nodiscard]] double trivial_bound() const { return trivial_bound_; }

    [[nodiscard]] std::size_t bytes() const { return table_->bytes(); }

  private:
    static constexpr std::size_t max_nodes = std::size_t{1} << 23U;
    static constexpr std::size_t most_rounds = 64;
    // A step takes some 100 ns.
    static constexpr std::uint64_t most_steps = std::uint64_t{1} << 22U;
    static constexpr std::uint64_t least_steps = std::uint64_t{1} << 14U;

    struct Lot {
        ElementId element;
        std::vector<bool> outcomes; // by outcome of the action: can it be had?
    };

    void draw_lots();
    [[nodiscard]] std::vector<ElementId> strongest_set(Family family);
    void add_lots(std::size_t action);
    [[nodiscard]] double least_chance(std::size_t action, Lot const& lot,
                                      double probability) const;
    void start_over();
    void look_at_draws();

    /// What `work` comes to, unless it takes too many steps or too large a diagram.
    template <typename Work>
    [[nodiscard]] auto on_diagrams(Work work) -> std::optional<decltype(work())>;
    [[nodiscard]] Bound rough(Residual const& residual);
    [[nodiscard]] Pursuit strongest_pursuit(Residual const& residual);
    [[nodiscard]] std::vector<std::pair<double, NodeRef>>
    open_rewards(Residual const& residual) const;
    [[nodiscard]] Bound worked_out(Residual const& residual);
    void compose(Residual const& residual);
    [[nodiscard]] Family composed(Residual const& residual, std::size_t node);
    [[nodiscard]] Family composed_literal(Residual const& residual,
                                          ResidualNode const& node);
    [[nodiscard]] Family family_of(Residual const& residual, NodeRef ref) const;
    [[nodiscard]] Family affordable(Residual const& residual, Family family,
                                    std::size_t node);
    [[nodiscard]] Family within(Family family, std::size_t resource,
                                std::int64_t budget);
    [[nodiscard]] Bound bound_of_best(Residual const& residual);
    [[nodiscard]] Bound bound_of_sum(Residual const& residual);
    [[nodiscard]] double least_charge(Family family);
    [[nodiscard]] double strongest(Family family);
    [[nodiscard]] double strength_with_top(Family family);
    [[nodiscard]] std::uint32_t action_of(ElementId element) const;
    [[nodiscard]] Family without_action(Family family, std::uint32_t action) const;

    ResidualLayout const& layout_;
    Instance const& instance_;
    FamilyWatch watch_;
    std::vector<std::vector<Lot>> lots_;            // by action
    std::vector<ChanceGroup> groups_;               // one per action that has lots
    std::vector<std::vector<std::int64_t>> prices_; // by resource, then element
    std::vector<double> charges_;                   // by element
    std::vector<double> draws_;                     // by element
    std::vector<double> chances_;                   // by element
    std::vector<std::uint32_t> actions_;            // by element
    std::uint32_t num_elements_ = 0;
    double trivial_bound_ = 0;
    bool has_charges_ = false;
    bool is_plain_ =
        false; // nothing is in the way of anything, or changes probabilities
    Threat threat_;
    std::optional<NodeProbabilities> node_probabilities_;
    std::optional<LikelyWay> way_;
    std::uint64_t num_steps_ = most_steps; // that the next diagram may take
    bool is_hurried_ = false;

    // All of this is forgotten when it grows too large.
    std::unique_ptr<FamilyTable> table_;
    std::unique_ptr<FamilyAlgebra> algebra_;
    std::unique_ptr<FamilyProbability> probability_;
    std::unordered_map<Family, double> least_charges_;
    std::unordered_map<Family, double> strongest_;
    std::unordered_map<std::uint64_t, std::vector<std::pair<std::int64_t, Family>>>
        within_;                   // by family and resource, then budget
    std::vector<Family> families_; // by node
};

} // namespace branchwise
