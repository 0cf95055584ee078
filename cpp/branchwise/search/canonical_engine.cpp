#include "branchwise/search/canonical_engine.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

namespace branchwise {

namespace {

constexpr double tie = 1e-12;

// What scoring takes for every spot: where it stands, its score, its choice, what its
// tree measures, and a bit.
constexpr std::size_t bytes_to_score = sizeof(Faced) + sizeof(double) +
                                       sizeof(std::uint32_t) + sizeof(NodeCount) +
                                       sizeof(std::uint8_t);

} // namespace

CanonicalEngine::CanonicalEngine(Instance instance, std::size_t num_threads)
    : instance_(std::move(instance)), layout_(instance_), graph_(layout_),
      team_(num_threads), explorer_(graph_, team_) {
    start(instance_.budget);
}

void CanonicalEngine::start(std::span<std::int64_t const> budget) {
    Residual residual(layout_);
    std::vector<Word> key(layout_.key_words());
    residual.start(budget, key.data());
    std::vector<std::uint32_t> gained;
    residual.lanes().for_each_gained(
        [&](std::uint32_t reward, Word) { gained.push_back(reward); });
    note_tolerance(residual, gained);
    root_gain_ = graph_.gain_of(gained);
    root_ = graph_.enter(key.data(), residual);
    deepening_.reset(); // Ties are others.
}

// Scores are tied when they differ by less than this share of the largest reward that
// can be had at all.
void CanonicalEngine::note_tolerance(Residual const& residual,
                                     std::span<std::uint32_t const> gained) {
    double largest = residual.held();
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        bool const is_certain =
            std::find(gained.begin(), gained.end(), i) != gained.end();
        if (is_certain || residual.is_undecided(layout_.reward(i).node)) {
            double const size = std::abs(instance_.rewards[i].value);
            largest = instance_.is_sum ? largest + size : std::max(largest, size);
        }
    }
    tolerance_ = tie * largest;
}

// The graph is about what can happen, not about how likely it is: it stays. Plans that
// were made before keep the scores they have.
void CanonicalEngine::change_probabilities(std::size_t action,
                                           std::span<Variant const> variants) {
    auto& own = instance_.actions[action].variants;
    for (std::size_t k = 0; k < own.size(); ++k) {
        own[k].probabilities = variants[k].probabilities;
        own[k].spread = variants[k].spread;
        own[k].cost = variants[k].cost;
        own[k].charge = variants[k].charge;
    }
    forget_bounds();
}

void CanonicalEngine::change_rewards(Instance const& instance) {
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        instance_.rewards[i].value = instance.rewards[i].value;
    }
    layout_.value_levels();
    graph_.value_again();
    forget_bounds();
}

void CanonicalEngine::face(std::uint32_t deviations) {
    deviations_ = deviations;
    forget_bounds();
}

// They hold no more.
void CanonicalEngine::forget_bounds() {
    search_.reset();
    deepening_.reset();
}

// So many deviations that there is one for every action are as good as endless.
WorstCase CanonicalEngine::worst_case() const {
    bool const is_enough = deviations_ > 0 && deviations_ >= graph_.rank(root_);
    return {graph_, is_enough ? WorstCase::endless : deviations_, tolerance_};
}

bool CanonicalEngine::explore(Objective objective, RunWatch& watch) {
    scores_.reset();
    return has_memory(watch, [&] {
        return explorer_.explore(root_, watch) && score_explored(objective, watch);
    });
}

// Returns what `work` returns, or false if there is no memory for it: the run must
// end.
template <typename Work>
bool CanonicalEngine::has_memory(RunWatch& watch, Work work) {
    try {
        return work();
    } catch (std::bad_alloc const&) {
        watch.end(Ending::memory);
        return false;
    }
}

bool CanonicalEngine::score_explored(Objective objective, RunWatch& watch) {
    std::size_t const num_layers = worst_case().num_layers();
    if (!watch.has_room(explorer_.children_first().size() * num_layers *
                        bytes_to_score)) {
        return false;
    }
    std::vector<Faced> children_first;
    children_first.reserve(explorer_.children_first().size() * num_layers);
    for (StateId const state : explorer_.children_first()) {
        for (std::uint32_t deviations = 0; deviations < num_layers; ++deviations) {
            children_first.push_back({state, deviations});
        }
    }
    return score(children_first, {}, objective, watch,
                 {graph_.size(), 0, -1, "exploring"});
}

bool CanonicalEngine::can_deepen() const {
    return deviations_ == 0 && Deepening::fits(layout_);
}

double CanonicalEngine::affordable_share() const {
    Residual residual(layout_);
    residual.load(graph_.key(root_));
    double share = 1;
    for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
        double total = 0;
        for (std::size_t a = 0; a < instance_.actions.size(); ++a) {
            auto const& literals = layout_.literals(a);
            bool const may_help =
                std::any_of(literals.begin(), literals.end(), [&](NodeId literal) {
                    return residual.is_undecided(literal);
                });
            total += may_help ? static_cast<double>(residual.cheapest(a, r)) : 0.0;
        }
        auto const left = static_cast<double>(residual.left(r));
        share = total > 0 ? std::min(share, left / total) : share;
    }
    return share;
}

bool CanonicalEngine::deepen(Objective objective, RunWatch& watch) {
    scores_.reset();
    return has_memory(watch, [&] {
        if (!deepening_) {
            deepening_ = std::make_unique<Deepening>(graph_, tolerance_);
        }
        if (!deepening_->solve(root_, watch) ||
            !deepening_->follow_ties(root_, watch) ||
            !watch.has_room(worst_case().num_spots() * bytes_to_score)) {
            return false;
        }
        auto const uppers = deepening_->uppers();
        double const optimum = deepening_->upper(root_);
        return score(deepening_->children_first(), {uppers.begin(), uppers.end()},
                     objective, watch,
                     {graph_.size(), optimum, optimum, "settling ties"});
    });
}

Found CanonicalEngine::search(double share, Objective objective, RunWatch& watch) {
    scores_.reset();
    Found const found = search_plan(share, objective, watch);
    search_->rest(watch.ending() == Ending::memory);
    return found;
}

Found CanonicalEngine::search_plan(double share, Objective objective, RunWatch& watch) {
    Faced const start = start_of_plan();
    if (!searcher().close_gap(start, share, watch) || share > 0) {
        double const gap = searcher().upper(start) - searcher().lower(start);
        return gap <= tolerance_ ? Found::optimum : Found::plan;
    }
    if (!searcher().follow_ties(start, watch)) {
        return Found::optimum;
    }
    RunProgress const progress{graph_.size(), searcher().lower(start),
                               searcher().upper(start), "settling ties"};
    bool const is_scored =
        watch.has_room(worst_case().num_spots() * bytes_to_score) &&
        has_memory(watch, [&] {
            auto const uppers = searcher().uppers();
            return score(searcher().children_first(), {uppers.begin(), uppers.end()},
                         objective, watch, progress);
        });
    return is_scored ? Found::tree : Found::optimum;
}

bool CanonicalEngine::score(std::span<Faced const> children_first,
                            std::vector<double> known, Objective objective,
                            RunWatch& watch, RunProgress const& progress) {
    auto scores = score_states(graph_, worst_case(), children_first, std::move(known),
                               objective, team_, [&] { return watch.look(progress); });
    if (scores) {
        scores_ = std::make_shared<CanonicalScores const>(std::move(*scores));
    }
    return scores.has_value();
}

// The number of deviations that are kept apart may depend on where to start.
BestFirst& CanonicalEngine::searcher() {
    std::size_t const num_layers = worst_case().num_layers();
    if (!search_ || search_->worst_case().num_layers() != num_layers ||
        search_->worst_case().threat() != worst_case().threat()) {
        search_ = std::make_unique<BestFirst>(graph_, team_, worst_case());
    }
    return *search_;
}

ScoreGraph CanonicalEngine::score_graph() const {
    auto const children_first = explorer_.children_first();
    std::vector<StateId> const states(children_first.rbegin(), children_first.rend());
    ScoreGraph result = score_graph_of(graph_, states);
    result.root_gain = graph_.gain_value(root_gain_);
    return result;
}

double CanonicalEngine::lower_bound() const {
    Faced const start = start_of_plan();
    return scores_ ? scores_->score(start) : search_->lower(start);
}

double CanonicalEngine::upper_bound() const {
    Faced const start = start_of_plan();
    return scores_ ? scores_->score(start) : search_->upper(start);
}

Bound CanonicalEngine::bound(StateId state, bool is_rough) {
    Residual residual(layout_);
    residual.refresh(graph_.key(state));
    return searcher().bound(residual, is_rough);
}

std::size_t CanonicalEngine::bytes() const {
    return graph_.bytes() + (search_ ? search_->bytes() : 0) +
           (deepening_ ? deepening_->bytes() : 0);
}

} // namespace branchwise
