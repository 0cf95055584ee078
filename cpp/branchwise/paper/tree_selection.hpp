#pragma once

#include <cstddef>
#include <vector>

#include "branchwise/paper/reduced_graph.hpp"
#include "branchwise/paper/states/state_table.hpp"
#include "branchwise/problem/objective.hpp"
#include "branchwise/support/large_array.hpp"

namespace branchwise {

/// The states that a plan comes to after some number of attempts.
struct PolicyLayer {
    explicit PolicyLayer(std::size_t width) : index(width) {}

    StateTable<0> index;                   // each with its number
    std::vector<double> scores{};          // by number, as all that follows
    std::vector<std::uint32_t> moves{};    // or `StateRules::no_move`, to stop
    std::vector<std::uint32_t> branches{}; // numbers one layer down, state by state

    [[nodiscard]] std::size_t size() const { return index.size(); }
    [[nodiscard]] std::size_t bytes() const {
        return index.bytes() + scores.capacity() * sizeof(double) +
               (moves.capacity() + branches.capacity()) * sizeof(std::uint32_t);
    }
};

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
