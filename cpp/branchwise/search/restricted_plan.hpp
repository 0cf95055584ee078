#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
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
/// Then the states that the plan comes to consider all actions, while the others stay
/// as they are, and again those of the plan that comes of it: a plan is improved where
/// it leads.
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
    /// than so many; `look` is called for a few at a time, and may throw. Asked for the
    /// same once more, it goes on where it was.
    [[nodiscard]] bool work_out(Word const* root, Focus focus, std::size_t most_states,
                                std::function<void()> const& look);
    /// Let the states that the plan comes to consider all actions: to be worked out
    /// once more, with the same focus. False if they all do.
    [[nodiscard]] bool widen(std::span<Word const* const> plan);
    /// The action that the plan takes at the state with this key, if any.
    [[nodiscard]] std::optional<AvailableAction> action(Word const* key);

  private:
    /// What a state is worth with few actions, and what is done there.
    struct Known {
        double value = 0;
        AvailableAction chosen{};
        bool acts = false;
        bool is_known = false;
        bool is_wide = false; // considers all actions
    };

    /// A state that is being worked out.
    struct Frame {
        StateId state{};
        bool is_expanded = false;
        bool is_ranked = false;
        std::vector<AvailableAction> actions{};
        std::vector<std::size_t> first_children{}; // by action, and the end
        std::vector<double> gains{};               // by child
        std::vector<Word> keys{};                  // by child
        std::vector<StateId> lessened{};           // by child, with less left
        std::vector<StateId> children{};           // in full, of the best actions
        std::vector<std::int64_t> aside{};         // by resource, to look ahead

        [[nodiscard]] bool has_aside() const {
            return std::any_of(aside.begin(), aside.end(),
                               [](std::int64_t amount) { return amount != 0; });
        }
    };

    void begin(Word const* root, Focus focus);
    StateId enter(Word const* key);
    void open(StateId state);
    void expand_opened();
    void add_steps(Frame& frame);
    void set_aside(std::span<Frame> frames);
    void set_aside(Frame& frame, std::size_t lane);
    void take_steps();
    void keep(Frame& frame, std::size_t first_step);
    [[nodiscard]] bool waits_for(std::vector<StateId> Frame::* children);
    void rank(Frame& frame);
    void settle(Frame const& frame);
    [[nodiscard]] double worth(Frame const& frame, std::size_t action,
                               std::vector<StateId> const& children) const;

    ResidualLayout const& layout_;
    Residual residual_;
    Focus focus_;
    std::vector<Word> root_;
    std::optional<CanonicalGraph> states_;
    std::vector<Known> known_;          // by state
    std::vector<std::uint32_t> opened_; // by state: in which round it was last
    std::uint32_t round_ = 0;
    std::vector<Frame> frames_; // each waits for those after it
    std::size_t depth_ = 0;     // how many of them are in use
    std::vector<LaneStep> steps_;
    std::vector<Word> keys_;
    std::vector<double> gains_; // by step
};

} // namespace branchwise
