#pragma once

#include <cstddef>
#include <vector>

#include "branchwise/canonical/residual_layout.hpp"

namespace branchwise {

class Residual;

/// Which rewarding sets can still be had at a state, and which nodes hold under one of
/// them. Where there are no sets, every node might.
class SetReach {
  public:
    explicit SetReach(ResidualLayout const& layout);

    /// Work it out for a state.
    void work_out(Residual const& state);
    [[nodiscard]] bool holds(std::size_t node) const {
        Word found = sets_.is_empty() ? 1 : 0;
        for (std::size_t w = 0; w < sets_.num_words(); ++w) {
            found |= true_in_[node * sets_.num_words() + w] & within_reach_[w];
        }
        return found != 0;
    }

  private:
    void evaluate(std::size_t node, Residual const& state);
    [[nodiscard]] Word sought(std::size_t word, Residual const& state) const;
    [[nodiscard]] Word holds_under(NodeRef ref, std::size_t word,
                                   Residual const& state) const;
    [[nodiscard]] bool is_affordable(std::size_t set, Residual const& state) const;

    ResidualLayout const& layout_;
    ResidualSets const& sets_;
    std::vector<Word> true_in_;      // by node: under which sets does it hold?
    std::vector<Word> within_reach_; // the sets that can still be had
};

} // namespace branchwise
