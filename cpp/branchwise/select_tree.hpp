#pragma once

#include <cstddef>
#include <vector>

#include "branchwise/large_array.hpp"
#include "branchwise/objective.hpp"
#include "branchwise/policy_layer.hpp"
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
    /// f(s) of the states of a layer, by part and state.
    template <typename Measure>
    using Measured = std::vector<LargeArray<typename Measure::Value>>;

    /// The states of a layer that the plan comes to, by number.
    struct Reached {
        std::vector<Word> keys{};
        std::vector<Code> states{};
    };

    template <typename Measure>
    void choose_by();
    template <typename Measure>
    void choose_range(std::size_t depth, std::size_t part, std::size_t first,
                      std::size_t last, Measured<Measure>& here,
                      Measured<Measure> const& there) const;
    template <typename Measure>
    [[nodiscard]] typename Measure::Value
    choose_option(Code* options, Code const* end, double score, Layer const& below,
                  Measured<Measure> const& there) const;
    template <typename Measure>
    [[nodiscard]] typename Measure::Value
    measured(Move const& move, Code const* children, Layer const& below,
             Measured<Measure> const& there) const;
    [[nodiscard]] bool makes_difference(Move const& move, Code const* children,
                                        double score, Layer const& below) const;
    [[nodiscard]] Reached follow(Layer const& layer, Reached const& here,
                                 PolicyLayer& policy, PolicyLayer& below) const;
    [[nodiscard]] Code const* chosen(LayerPart const& part, std::size_t state) const;

    FullGraph& graph_;
    Objective objective_;
    std::size_t most_bytes_ = 0;
};

} // namespace branchwise
