#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "branchwise/canonical/canonical_graph.hpp"
#include "branchwise/canonical/lanes/lane_view.hpp"
#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/canonical/layout/residual_layout.hpp"

namespace branchwise {

/// A good plan by dynamic programming in which every state considers few actions: those
/// that look best when a part of the budget is set aside, which leaves far fewer states
/// to look at. What looks best then is found in the same manner.
///
/// It is a plan whatever it leaves out, so nothing has to be proven about it.
class RestrictedPlan {
  public:
    /// How much of the actions and of the budget counts.
    struct Focus {
        std::uint32_t width = 1; // how many actions every state considers
        std::uint32_t aside = 8; // how many sixteenths are set aside to look ahead

        bool operator==(Focus const&) const = default;
    };

    explicit RestrictedPlan(ResidualLayout const& layout);

    /// Work out a plan from the state with this key. False if that takes more states
    /// than so many; `look` is called for each, and may throw. Asked for the same once
    /// more, it goes on where it was.
    [[nodiscard]] bool work_out(Word const* root, Focus focus, std::size_t most_states,
                                std::function<void()> const& look);
    /// The action that the plan takes at the state with this key, if any.
    [[nodiscard]] std::optional<AvailableAction> action(Word const* key);

  private:
    /// A state that is being worked out.
    struct Frame {
        StateId state{};
        bool is_ranked = false;
        std::vector<AvailableAction> actions{};
        std::vector<std::size_t> first_children{}; // by action, and the end
        std::vector<StateId> children{};           // in full, then with less left
        std::vector<double> gains{};               // by child
    };

    void begin(Word const* root, Focus focus);
    StateId enter(Word const* key);
    void open(StateId state);
    void expand(Frame& frame);
    void set_aside(Word const* key);
    [[nodiscard]] bool waits_for(std::size_t first, std::size_t last);
    void rank(Frame& frame);
    void settle(Frame const& frame);
    [[nodiscard]] double worth(Frame const& frame, std::size_t action,
                               bool is_in_full) const;

    ResidualLayout const& layout_;
    Residual residual_;
    Focus focus_;
    std::vector<Word> root_;
    std::optional<CanonicalGraph> states_;
    std::vector<double> values_;          // by state
    std::vector<bool> is_known_;          // by state
    std::vector<AvailableAction> chosen_; // by state
    std::vector<bool> acts_;              // by state
    std::vector<Frame> frames_;           // each waits for those after it
    std::size_t depth_ = 0;               // how many of them are in use
    std::vector<std::int64_t> aside_;     // by resource, to look ahead from a state
    std::vector<LaneStep> steps_;
    std::vector<Word> keys_;
};

} // namespace branchwise
