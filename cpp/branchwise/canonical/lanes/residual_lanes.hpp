#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "branchwise/canonical/lanes/lane_tables.hpp"
#include "branchwise/canonical/lanes/lane_view.hpp"

namespace branchwise {

/// Up to 64 states of a layout, which are worked on side by side.
class ResidualLanes {
  public:
    /// Where this machine does not have the instructions, with those every one has.
    explicit ResidualLanes(ResidualLayout const& layout,
                           LaneForm form = LaneForm::best);

    /// Become the state in which nothing has happened yet, and write its key. Actions
    /// that are `left_out`, if anything is said by action, are never taken.
    void start(std::span<std::int64_t const> budget, Word* key,
               std::span<std::uint8_t const> left_out = {});
    /// Take a step in every lane, and write the keys of the states it leads to.
    void take(std::span<LaneStep const> steps, Word* keys);
    /// Become the states that steps begin at, and work out what keys do not hold.
    void refresh(std::span<LaneStep const> steps);
    /// The same for one state, in the first lane.
    void refresh(Word const* key) {
        LaneStep const step{key};
        refresh({&step, 1});
    }

    /// For `sum`: visit the rewards that became certain in the last `start` or `take`,
    /// each with its lanes.
    template <typename Visit>
    void for_each_gained(Visit visit) const {
        for (std::size_t i = 0; view_.is_sum && i < view_.num_rewards; ++i) {
            if (view_.gained[i] != 0) {
                visit(static_cast<std::uint32_t>(i), view_.gained[i]);
            }
        }
    }
    /// After `refresh`: what it takes to make an undecided node true, at least; more
    /// than any budget if there is no way.
    [[nodiscard]] std::int64_t cost(std::size_t node, std::size_t resource,
                                    std::size_t lane = 0) const {
        return price(view_.cost, node * view_.num_resources + resource, lane);
    }
    /// After `refresh`: what it takes from a node to a reward, at least; more than any
    /// budget if there is no way.
    [[nodiscard]] std::int64_t rest(std::size_t node, std::size_t resource) const {
        return price(view_.rest, node * view_.num_resources + resource);
    }
    /// After `refresh`: what an attempt of a conditioned action costs, at least.
    [[nodiscard]] std::int64_t cheapest(std::size_t conditioned,
                                        std::size_t resource) const {
        return price(view_.cheapest, conditioned * view_.num_resources + resource);
    }
    /// After `refresh`: does the budget pay for all that could still be done?
    [[nodiscard]] bool is_budget_slack() const { return (view_.is_slack & 1U) != 0; }

  private:
    struct Free {
        void operator()(std::byte* bytes) const {
            ::operator delete(bytes, std::align_val_t{64});
        }
    };

    void make_words();
    void make_rows();
    [[nodiscard]] std::int64_t price(void const* rows, std::size_t row,
                                     std::size_t lane = 0) const;

    LaneKernel kernel_;
    LaneView view_;
    std::vector<Word> words_;
    std::vector<std::uint32_t> numbers_;
    std::vector<std::uint8_t> flags_;
    std::unique_ptr<std::byte, Free> rows_;
};

} // namespace branchwise
