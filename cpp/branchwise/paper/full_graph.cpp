#include "branchwise/paper/full_graph.hpp"

#include <algorithm>
#include <cmath>

#include "branchwise/paper/frontier.hpp"

namespace branchwise {

// Keys of the common widths have code in which the width is a constant.
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
        here.shrink(); // Its options are complete: nothing will be added.
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

// From the last layer up: the children of a layer are all in the next one.
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
    // With one part a child is just a number, which spares two shifts per branch.
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
    for (std::size_t state = first; state < last; ++state) {
        Code* const options = part.begin(state);
        Code const* const end = part.end(state);
        if (options != end) {
            double const reward = part.scores[state];
            double const best = score_options(reward, options, end, scratch, score_of);
            part.scores[state] = best;
            mark_options(reward, best, options, end, scratch);
        }
    }
}

/// Write down the scores of the options of a state; returns the best there is.
template <typename ScoreOf>
double FullGraph::score_options(double reward, Code* options, Code const* end,
                                double* scores, ScoreOf score_of) const {
    double best = reward;
    while (options != end) {
        Move const& move = rules_.move(OptionHead::move(*options++));
        double const* const probabilities = rules_.probabilities(move);
        double expected = 0;
        for (std::size_t i = 0; i < move.num_chances; ++i) {
            expected += probabilities[i] * score_of(*options++);
        }
        *scores = expected - move.charge;
        best = std::max(best, *scores++);
    }
    return best;
}

/// Mark what is as good as the best.
void FullGraph::mark_options(double reward, double best, Code* options, Code const* end,
                             double const* scores) const {
    *options |= is_optimal(reward, best) ? OptionHead::stops : 0;
    while (options != end) {
        *options |= is_optimal(*scores++, best) ? OptionHead::optimal : 0;
        options += 1 + rules_.move(OptionHead::move(*options)).num_chances;
    }
}

std::size_t FullGraph::bytes() const {
    std::size_t total = 0;
    for (Layer const& layer : layers_) {
        total += layer.bytes();
    }
    return total;
}

} // namespace branchwise
