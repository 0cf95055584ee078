#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "branchwise/canonical/residual.hpp"

namespace branchwise {

/// Makes a state simple: what is out of reach or of no use goes, and so does budget
/// that nothing can spend.
///
/// `NumResources` is how many there are, where that is known when this is compiled;
/// else 0.
template <std::size_t NumResources>
class Simplifier {
  public:
    explicit Simplifier(Residual& state);

    void simplify();
    /// Work out again what a key does not hold.
    void refresh();

  private:
    using Price = std::int64_t;

    [[nodiscard]] constexpr std::size_t num_resources() const {
        return NumResources == 0 ? state_.num_resources_ : NumResources;
    }
    [[nodiscard]] std::size_t at(std::size_t index, std::size_t resource) const {
        return index * num_resources() + resource;
    }
    [[nodiscard]] bool is_undecided(std::size_t node) const {
        return has_bit(undecided_, node);
    }
    [[nodiscard]] bool wants_not(std::size_t node) const {
        return has_bit(wants_not_, node);
    }

    void note_prices(std::size_t action);
    void drop_what_is_out_of_reach();
    bool sweep_costs();
    [[nodiscard]] Price cost_of(std::size_t node, std::size_t resource) const;
    [[nodiscard]] Price cost_of_any(ResidualNode const& node,
                                    std::size_t resource) const;
    [[nodiscard]] Price cost_of_all(ResidualNode const& node,
                                    std::size_t resource) const;
    // What should not happen costs nothing.
    [[nodiscard]] Price cost_of_ref(NodeRef ref, std::size_t resource) const {
        bool const is_free = ref.is_negated || !is_undecided(index_of(ref.node));
        return is_free ? 0 : cost_[at(index_of(ref.node), resource)];
    }

    void mark();
    void mark_rewards();
    bool mark_below(std::size_t node);
    bool mark_inside(std::size_t node);
    bool mark_inside_all(std::size_t node);
    bool mark_action(std::size_t node);
    bool want(NodeRef ref, Price const* rest, std::size_t below);
    [[nodiscard]] bool is_wanted(std::size_t node) const;

    bool drop_what_is_of_no_use();
    void cap_attempts();
    void cap_budget();

    Residual& state_;
    ResidualLayout const& layout_;
    Instance const& instance_;
    ResidualNode const* nodes_;
    Word* undecided_;
    Word* wanted_;
    Word* wants_not_;
    Price* cost_;
    Price* rest_;
    Price* left_;
};

} // namespace branchwise
