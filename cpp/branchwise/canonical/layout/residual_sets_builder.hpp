#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "branchwise/canonical/layout/residual_layout.hpp"
#include "branchwise/canonical/layout/residual_sets.hpp"
#include "branchwise/support/bits.hpp"

namespace branchwise {

/// Finds the sets, from the facts upwards.
class ResidualSetsBuilder {
  public:
    /// Facts, one bit per node; then that a node does not hold, one bit per node.
    using Facts = std::vector<Word>;
    /// Sets of which no others stand in for any.
    using FactFamily = std::vector<Facts>;

    ResidualSetsBuilder(ResidualLayout const& layout, ResidualSets& sets,
                        Look const& look)
        : layout_(layout), instance_(layout.instance()), sets_(sets), look_(look) {}

    void build();

  private:
    [[nodiscard]] bool is_sought(std::size_t reward) const;
    [[nodiscard]] bool has_penalty_unless() const;
    [[nodiscard]] bool has_negation_twice() const;

    [[nodiscard]] std::size_t num_places() const { return 64 * layout_.node_words(); }
    [[nodiscard]] Facts nothing() const { return Facts(2 * layout_.node_words()); }
    /// Visit the facts that an action has to bring about.
    template <typename Visit>
    void for_each_need(Facts const& facts, Visit visit) const {
        for_each_bit(facts, [&](std::size_t place) {
            if (place < num_places()) {
                visit(place);
            }
        });
    }

    /// False if there are too many.
    [[nodiscard]] bool find_families();
    [[nodiscard]] FactFamily family_of(NodeRef ref) const;
    [[nodiscard]] FactFamily family_of(std::size_t index);
    [[nodiscard]] FactFamily family_of_any(ResidualNode const& node) const;
    [[nodiscard]] FactFamily family_of_fact(std::size_t index) const;
    [[nodiscard]] FactFamily family_of_all(std::size_t index);
    [[nodiscard]] FactFamily essential(FactFamily family, std::size_t index) const;
    [[nodiscard]] Facts held_under(Facts const& facts, std::size_t index) const;
    void note_what_is_sought();
    void note_what_is_below();
    /// Visit what is inside a gate, and what the action of a literal needs.
    template <typename Visit>
    void for_each_made_of(std::size_t index, Visit visit) const {
        ResidualNode const& node = layout_.nodes()[index];
        std::for_each(node.inside.begin(), node.inside.end(), visit);
        if (node.kind == ResidualNode::Kind::literal) {
            visit(node.allowed);
        }
    }
    void keep(Facts facts, FactFamily& family) const;
    [[nodiscard]] bool is_contradictory(Facts const& facts) const;
    [[nodiscard]] bool is_affordable(Facts const& facts) const;
    [[nodiscard]] std::vector<ResidualSets::Need> needs_of(Facts const& facts) const;

    void settle();

    ResidualLayout const& layout_;
    Instance const& instance_;
    ResidualSets& sets_;
    Look const& look_;
    bool is_too_much_ = false;
    Facts is_sought_{};        // what may help a reward to hold, one bit per node
    std::vector<Facts> below_; // by node: what may help it to hold, one bit per node
    std::vector<FactFamily> families_;
    FactFamily found_;
    std::vector<std::size_t> ends_; // of the sets of each reward
};

} // namespace branchwise
