#include "branchwise/paper/tree_selection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace branchwise {

TreeSelection::TreeSelection(ReducedGraph const& reduced, Objective objective)
    : graph_(reduced.full()), objective_(objective) {}

void TreeSelection::choose() {
    with_objective(objective_, [&](auto measure) { choose_by<decltype(measure)>(); });
}

// Only the measures of two layers are kept: choices are marked in the options
// themselves, so that the measures are not needed again.
template <typename Measure>
void TreeSelection::choose_by() {
    auto& layers = graph_.layers();
    Measured<Measure> here(std::size_t{1} << graph_.crew().most_part_bits());
    Measured<Measure> there(here.size());
    for (std::size_t depth = layers.size() - 1; depth-- > 0;) {
        std::size_t total = 0;
        for (std::size_t i = 0; i < here.size(); ++i) {
            bool const is_there = i < layers[depth].num_parts();
            here[i].clear();
            here[i].extend(is_there ? layers[depth].part(i).size() : 0);
            total += here[i].bytes() + there[i].bytes();
        }
        most_bytes_ = std::max(most_bytes_, total);
        graph_.crew().share(
            layers[depth], "tree", graph_.num_states(),
            [&](std::size_t part, std::size_t first, std::size_t last, std::size_t) {
                choose_range<Measure>(depth, part, first, last, here, there);
            });
        std::swap(here, there);
    }
}

template <typename Measure>
void TreeSelection::choose_range(std::size_t depth, std::size_t i, std::size_t first,
                                 std::size_t last, Measured<Measure>& here,
                                 Measured<Measure> const& there) const {
    LayerPart& part = graph_.layers()[depth].part(i);
    Layer const& below = graph_.layers()[depth + 1];
    for (std::size_t state = first; state < last; ++state) {
        if (part.marks[state] != 0) {
            Code* const options = part.begin(state);
            Code const* const end = part.end(state);
            // Stopping beats acting.
            bool const stops = options == end || (*options & OptionHead::stops) != 0;
            here[i][state] =
                stops ? Measure::stop()
                      : choose_option<Measure>(options, end, part.scores[state], below,
                                               there);
        }
    }
}

/// Mark the option that is least, the first of them if there are several; or, by order,
/// the first that makes a difference.
template <typename Measure>
typename Measure::Value
TreeSelection::choose_option(Code* options, Code const* end, double score,
                             Layer const& below, Measured<Measure> const& there) const {
    Code* best = nullptr;
    Code* first = nullptr; // that makes a difference
    typename Measure::Value least{};
    while (options != end) {
        Code* const head = options;
        Move const& move = graph_.rules().move(OptionHead::move(*head));
        options += 1 + move.num_chances;
        if ((*head & OptionHead::optimal) == 0) {
            continue;
        }
        auto const found = measured<Measure>(move, head + 1, below, there);
        if (best == nullptr || Measure::is_less(found, least)) {
            best = head;
            least = found;
        }
        if (Measure::goes_by_order && first == nullptr &&
            makes_difference(move, head + 1, score, below)) {
            first = head;
        }
    }
    *(first == nullptr ? best : first) |= OptionHead::chosen;
    return least;
}

/// f where an action is taken, from those of its children.
template <typename Measure>
typename Measure::Value TreeSelection::measured(Move const& move, Code const* children,
                                                Layer const& below,
                                                Measured<Measure> const& there) const {
    return Measure::act(move.cost, [&](auto take) {
        double const* const probabilities = graph_.rules().probabilities(move);
        for (std::size_t i = 0; i < move.num_chances; ++i) {
            Code const child = children[i];
            take(probabilities[i], there[below.part_of(child)][below.state_of(child)]);
        }
    });
}

/// Does some outcome lead to where more or less is to be had than here?
bool TreeSelection::makes_difference(Move const& move, Code const* children,
                                     double score, Layer const& below) const {
    return std::any_of(children, children + move.num_chances, [&](Code child) {
        double const there =
            below.part(below.part_of(child)).scores[below.state_of(child)];
        return std::abs(there - score) > graph_.tolerance();
    });
}

std::vector<PolicyLayer> TreeSelection::policy() {
    std::size_t const width = graph_.rules().layout().num_words();
    std::vector<PolicyLayer> layers;
    layers.emplace_back(width);
    Reached reached{std::vector<Word>(width), {0}};
    StateTable<0>& index = layers.back().index;
    Word const* const root = reached.keys.data();
    *index.values(index.insert(root, index.hash(root)).first) = 0;
    for (std::size_t depth = 0; layers.back().size() > 0; ++depth) {
        PolicyLayer below(width);
        reached = follow(graph_.layers()[depth], reached, layers.back(), below);
        layers.push_back(std::move(below));
        check(graph_.crew().watch(), graph_.num_states(), "tree");
    }
    return layers;
}

/// Find out what the plan does at the states of a layer, and where that leads.
TreeSelection::Reached TreeSelection::follow(Layer const& layer, Reached const& here,
                                             PolicyLayer& policy,
                                             PolicyLayer& below) const {
    StateRules const& rules = graph_.rules();
    std::size_t const width = rules.layout().num_words();
    Reached reached;
    std::vector<Word> child(width);
    for (std::size_t i = 0; i < here.states.size(); ++i) {
        Code const state = here.states[i];
        LayerPart const& part = layer.part(layer.part_of(state));
        Code const* code = chosen(part, layer.state_of(state));
        std::size_t const number =
            code == nullptr ? StateRules::no_move : OptionHead::move(*code);
        policy.scores.push_back(part.scores[layer.state_of(state)]);
        policy.moves.push_back(static_cast<std::uint32_t>(number));
        Move const& move = rules.move(number);
        for (std::size_t j = 0; j < move.num_chances; ++j) {
            rules.follow<0>(move, j, &here.keys[i * width], child.data());
            auto const [slot, is_new] =
                below.index.insert(child.data(), below.index.hash(child.data()));
            Word& there = *below.index.values(slot);
            if (is_new) {
                there = reached.states.size();
                reached.states.push_back(code[1 + j]);
                reached.keys.insert(reached.keys.end(), child.begin(), child.end());
            }
            policy.branches.push_back(static_cast<std::uint32_t>(there));
        }
    }
    return reached;
}

/// The option that was chosen; none where the plan stops.
Code const* TreeSelection::chosen(LayerPart const& part, std::size_t state) const {
    Code const* options = part.begin(state);
    Code const* const end = part.end(state);
    while (options != end && (*options & OptionHead::chosen) == 0) {
        options += 1 + graph_.rules().move(OptionHead::move(*options)).num_chances;
    }
    return options == end ? nullptr : options;
}

} // namespace branchwise
