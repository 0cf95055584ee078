#pragma once

#include <cstddef>
#include <vector>

#include "branchwise/large_array.hpp"
#include "branchwise/policy_layer.hpp"
#include "branchwise/preference.hpp"
#include "branchwise/reduced_graph.hpp"

namespace branchwise {

/// Tree selection: one of the optimal trees, by a secondary objective (Algorithm 5).
class TreeSelection {
  public:
    TreeSelection(ReducedGraph const& reduced, Objective objective);

    /// Choose an action for every state of the reduced graph, from the last layer up.
    void choose();
    /// The states that the plan comes to, by depth; the last layer is empty.
    [[nodiscard]] std::vector<PolicyLayer> policy();

    [[nodiscard]] std::size_t most_bytes() const { return most_bytes_; }

  private:
    using Preferences = std::vector<LargeArray<Preference>>; // by part and state

    /// The states of a layer that the plan comes to, by number.
    struct Reached {
        std::vector<Word> keys{};
        std::vector<Code> states{};
    };

    template <typename Measure>
    void choose_range(std::size_t depth, std::size_t part, std::size_t first,
                      std::size_t last);
    template <typename Measure>
    [[nodiscard]] Preference choose_option(Code* options, Code const* end,
                                           Layer const& below) const;
    template <typename Measure>
    [[nodiscard]] typename Measure::Value
    measured(Move const& move, Code const* children, Layer const& below) const;
    [[nodiscard]] Reached follow(Layer const& layer, Reached const& here,
                                 PolicyLayer& policy, PolicyLayer& below) const;
    [[nodiscard]] Code const* chosen(LayerPart const& part, std::size_t state) const;

    FullGraph& graph_;
    Objective objective_;
    Preferences here_;
    Preferences below_;
    std::size_t most_bytes_ = 0;
};

} // namespace branchwise
