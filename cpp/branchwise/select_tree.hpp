#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "branchwise/preference.hpp"
#include "branchwise/reduced_graph.hpp"

namespace branchwise {

/// Tree selection: one of the optimal trees, by a secondary objective (Algorithm 5).
template <std::size_t Width>
class TreeSelection {
  public:
    using Table = StateTable<Width>;
    /// With the score of a state and its action.
    using PolicyTable = StateTable<Width, 2>;

    /// No action: the plan stops.
    static constexpr Word stop = ~Word{0};

    TreeSelection(ReducedGraph<Width> const& reduced, Objective objective);

    /// Choose an action for every state of the reduced graph, from the last layer up.
    void choose();
    /// The states that the plan comes to, by depth: each has its score and its action.
    [[nodiscard]] std::vector<PolicyTable> policy();

    [[nodiscard]] std::size_t bytes() const;

  private:
    using Choice = std::uint32_t;

    static constexpr Choice no_choice = ~Choice{0};

    void choose_layer(std::size_t depth);
    void choose_range(std::size_t depth, std::size_t first, std::size_t last,
                      std::size_t thread);
    void settle(std::size_t depth, std::size_t thread);
    template <typename Measure>
    Preference settle_state(std::size_t depth, std::size_t state,
                            Expansion<Width> const& expansion, Choice& choice) const;
    template <typename Measure>
    [[nodiscard]] typename Measure::Value
    measured(std::size_t depth, typename Expansion<Width>::Option const& option,
             Expansion<Width> const& expansion) const;
    void follow_layer(std::size_t depth, PolicyTable& layer, PolicyTable& below);

    ReducedGraph<Width> const& reduced_;
    FullGraph<Width> const& graph_;
    Objective objective_;
    std::vector<std::vector<Choice>> choices_; // by layer, numbered as its SlotSet
    std::vector<Preference> here_;
    std::vector<Preference> below_;
    std::size_t most_bytes_ = 0;
    std::size_t num_states_ = 0;
};

} // namespace branchwise
