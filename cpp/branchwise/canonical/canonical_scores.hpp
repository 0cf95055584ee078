#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "branchwise/canonical/canonical_graph.hpp"
#include "branchwise/canonical/worst_case.hpp"
#include "branchwise/problem/objective.hpp"
#include "branchwise/support/thread_team.hpp"

namespace branchwise {

/// By spot, which option is chosen there, or `stop`: a byte each, if there are few
/// enough options for that.
class Choices {
  public:
    static constexpr std::uint32_t stop = UINT32_MAX;

    explicit Choices(std::size_t most_options)
        : width_(most_options < UINT8_MAX    ? sizeof(std::uint8_t)
                 : most_options < UINT16_MAX ? sizeof(std::uint16_t)
                                             : sizeof(std::uint32_t)) {}

    [[nodiscard]] std::size_t size() const { return bytes_.size() / width_; }
    /// All that are new are `stop`.
    void resize(std::size_t size) { bytes_.resize(size * width_, UINT8_MAX); }

    [[nodiscard]] std::uint32_t operator[](std::size_t spot) const {
        switch (width_) {
        case sizeof(std::uint8_t):
            return read<std::uint8_t>(spot);
        case sizeof(std::uint16_t):
            return read<std::uint16_t>(spot);
        default:
            return read<std::uint32_t>(spot);
        }
    }
    /// Threads may, side by side, at different spots.
    void set(std::size_t spot, std::uint32_t choice) {
        // The highest numbers are `stop` in any width.
        for (std::size_t i = 0; i < width_; ++i) {
            bytes_[spot * width_ + i] = static_cast<std::uint8_t>(choice >> (8 * i));
        }
    }

  private:
    template <typename T>
    [[nodiscard]] std::uint32_t read(std::size_t spot) const {
        std::uint32_t choice = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            choice |= std::uint32_t{bytes_[spot * sizeof(T) + i]} << (8 * i);
        }
        return choice == static_cast<T>(stop) ? stop : choice;
    }

    std::size_t width_;
    std::vector<std::uint8_t> bytes_;
};

/// The scores of the states that were worked out, and the action that the best tree
/// takes there.
struct CanonicalScores {
    static constexpr std::uint32_t stop = Choices::stop;

    explicit CanonicalScores(WorstCase const& worst)
        : worst_case(worst), choices(worst.graph().instance().actions.size()) {}

    WorstCase worst_case;          // where the score of each state is
    std::vector<double> scores{};  // by spot
    Choices choices;               // by spot
    std::vector<bool> is_scored{}; // by spot: was it worked out?
    // By spot, if that is said: is the score what the best plan is worth there, which
    // was worked out elsewhere, so that no choice is known?
    std::vector<bool> is_known{};

    [[nodiscard]] bool has(Faced faced) const {
        std::size_t const spot = worst_case.spot(faced);
        return spot < is_scored.size() && is_scored[spot];
    }
    /// Is there a number for all that an option leads to?
    [[nodiscard]] bool knows(Option const& option) const {
        return std::all_of(option.children.begin(), option.children.end(),
                           [this](StateId child) {
                               return worst_case.spot({child, 0}) < scores.size();
                           });
    }
    [[nodiscard]] double score(Faced faced) const {
        return scores[worst_case.spot(faced)];
    }
};

/// Returns whether to go on.
using GoesOn = std::function<bool()>;

/// Work out scores and choices of states that come children first. States that are
/// not expanded count as the end. Of other states the scores are `known`, or else 0.
/// Nothing if it had to end before.
[[nodiscard]] std::optional<CanonicalScores>
score_states(CanonicalGraph const& graph, WorstCase const& worst_case,
             std::span<Faced const> children_first, std::vector<double> known,
             Objective objective, ThreadTeam& team, GoesOn const& goes_on);
/// The same of states with every number of deviations, of which nothing is known.
[[nodiscard]] std::optional<CanonicalScores>
score_states(CanonicalGraph const& graph, WorstCase const& worst_case,
             std::span<StateId const> children_first, Objective objective,
             ThreadTeam& team, GoesOn const& goes_on);

/// The number of states in the union of all optimal trees.
[[nodiscard]] std::size_t count_reduced(WorstCase const& worst_case,
                                        CanonicalScores const& scores, Faced root);

} // namespace branchwise
