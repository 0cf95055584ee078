#include "branchwise/full_graph.hpp"

#include <algorithm>
#include <cmath>

#include "branchwise/frontier.hpp"

namespace branchwise {

void FullGraph::generate(RewardingFilter const* filter) {
    switch (rules_.layout().num_words()) {
    case 1:
        return generate_keys<1>(filter);
    case 2:
        return generate_keys<2>(filter);
    case 4:
        return generate_keys<4>(filter);
    default:
        return generate_keys<0>(filter);
    }
}

template <std::size_t Width>
void FullGraph::generate_keys(RewardingFilter const* filter) {
    Frontier<Width> frontier(rules_, filter, crew_);
    layers_.emplace_back(0);
    frontier.start(layers_.back());
    num_states_ = 1;
    while (layers_.back().size() > 0) {
        layers_.emplace_back(crew_.part_bits(layers_.back().size()));
        Layer& here = layers_[layers_.size() - 2];
        Layer& below = layers_.back();
        frontier.expand(here, below, num_states_);
        most_bytes_ = std::max(most_bytes_, bytes() + frontier.bytes());
        here.shrink();
        num_states_ += below.size();
        frontier.descend();
    }
    tolerance_ = 1e-12 * largest_reward();
}

/// Before there are scores, of all states.
double FullGraph::largest_reward() const {
    double largest = 0;
    for (Layer const& layer : layers_) {
        for (std::size_t i = 0; i < layer.num_parts(); ++i) {
            auto const& rewards = layer.part(i).scores;
            for (std::size_t state = 0; state < rewards.size(); ++state) {
                largest = std::max(largest, std::abs(rewards[state]));
            }
        }
    }
    return largest;
}

void FullGraph::score() {
    scratch_.assign(crew_.size(), std::vector<double>(rules_.num_actions()));
    for (std::size_t depth = layers_.size() - 1; depth-- > 0;) {
        Layer& layer = layers_[depth];
        crew_.share(layer, "reduced graph", num_states_,
                    [&](std::size_t part, std::size_t first, std::size_t last,
                        std::size_t thread) {
                        score_range(layer.part(part), layers_[depth + 1], first, last,
                                    scratch_[thread].data());
                    });
    }
}

void FullGraph::score_range(LayerPart& part, Layer const& below, std::size_t first,
                            std::size_t last, double* scratch) const {
    if (below.num_parts() == 1) {
        double const* const scores = below.part(0).scores.data();
        score_states(part, first, last, scratch,
                     [=](Code child) { return scores[child]; });
    } else {
        score_states(part, first, last, scratch, [&](Code child) {
            return below.part(below.part_of(child)).scores[below.state_of(child)];
        });
    }
}

template <typename ScoreOf>
void FullGraph::score_states(LayerPart& part, std::size_t first, std::size_t last,
                             double* scratch, ScoreOf score_of) const {
    Code* options = &part.options[part.starts[first / LayerPart::between_starts]];
    for (std::size_t state = first; state < last; ++state) {
        if (OptionHead::move(*options) == StateRules::no_move) {
            *options++ |= OptionHead::stops;
        } else {
            options = score_state(part.scores[state], options, scratch, score_of);
        }
    }
}

/// Score a state that has its reward, and give where its options end.
template <typename ScoreOf>
Code* FullGraph::score_state(double& score, Code* options, double* scores,
                             ScoreOf score_of) const {
    double best = score;
    Code* code = options;
    double* next = scores;
    for (bool is_last = false; !is_last;) {
        is_last = (*code & OptionHead::last) != 0;
        Move const& move = rules_.move(OptionHead::move(*code++));
        double expected = 0;
        for (PossibleOutcome const& chance : move.chances) {
            expected += chance.probability * score_of(*code++);
        }
        *next = expected - move.charge;
        best = std::max(best, *next++);
    }
    *options |= is_optimal(score, best) ? OptionHead::stops : 0;
    score = best;
    while (scores != next) {
        *options |= is_optimal(*scores++, best) ? OptionHead::optimal : 0;
        options += 1 + rules_.move(OptionHead::move(*options)).num_chances;
    }
    return code;
}

Code const* FullGraph::find_options(Layer const& layer, Code state) const {
    LayerPart const& part = layer.part(layer.part_of(state));
    std::size_t const number = layer.state_of(state);
    Code const* options =
        &part.options[part.starts[number / LayerPart::between_starts]];
    for (std::size_t i = 0; i < number % LayerPart::between_starts; ++i) {
        options = end_of(options);
    }
    return options;
}

std::size_t FullGraph::bytes() const {
    std::size_t total = 0;
    for (Layer const& layer : layers_) {
        total += layer.bytes();
    }
    return total;
}

} // namespace branchwise
