#include "branchwise/search/canonical_engine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "branchwise/search/rounding.hpp"
#include "branchwise/support/large_array.hpp"

namespace branchwise {

namespace {

constexpr double tie = 1e-12;

constexpr double most_of_all = std::numeric_limits<double>::infinity();

// What scoring takes for every spot: its score, its choice, what its tree measures, and
// a bit.
constexpr std::size_t bytes_to_score =
    sizeof(double) + sizeof(std::uint32_t) + sizeof(NodeCount) + sizeof(std::uint8_t);

} // namespace

CanonicalEngine::CanonicalEngine(Instance instance, std::size_t num_threads,
                                 Look const& look, CanonicalGraph::LargeSizes large)
    : instance_(std::move(instance)), layout_(instance_, look), graph_(layout_, large),
      team_(num_threads), explorer_(graph_, team_) {
    start(instance_.budget);
}

// An action that is left out is one that cannot happen, which is what keys are made
// for: so all starts are states of one graph, and share what they lead to.
void CanonicalEngine::start(std::span<std::int64_t const> budget,
                            std::span<std::uint8_t const> left_out) {
    Residual residual(layout_);
    whole_ = enter_start(residual, budget, {});
    start_ = left_out.empty() ? whole_ : enter_start(residual, budget, left_out);
    note_tolerance();
    deepening_.reset(); // Ties are others.
    early_scores_.reset();
}

// Whatever is left out, ties are by the rewards of the whole.
CanonicalEngine::Start
CanonicalEngine::enter_start(Residual& residual, std::span<std::int64_t const> budget,
                             std::span<std::uint8_t const> left_out) {
    std::vector<Word> key(layout_.key_words());
    residual.start(budget, key.data(), left_out);
    std::vector<std::uint32_t> gained;
    residual.lanes().for_each_gained(
        [&](std::uint32_t reward, Word) { gained.push_back(reward); });
    if (left_out.empty()) {
        note_largest(residual, gained);
    }
    std::uint32_t const gain = graph_.gain_of(gained);
    graph_.restore_index();
    return {graph_.enter(key.data(), residual), gain};
}

// Scoring does without what states are found by.
bool CanonicalEngine::can_find_states(RunWatch& watch) {
    if (!watch.has_room(graph_.bytes_to_restore_index())) {
        return false;
    }
    graph_.restore_index();
    return true;
}

double CanonicalEngine::whole_bound(RunWatch& watch) {
    Faced const whole = worst_case().start(whole_.state);
    searcher().bound_root(whole, watch);
    return searcher().upper(whole) + graph_.gain_value(whole_.gain);
}

void CanonicalEngine::note_largest(Residual const& residual,
                                   std::span<std::uint32_t const> gained) {
    double largest = residual.held();
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        bool const is_certain =
            std::find(gained.begin(), gained.end(), i) != gained.end();
        if (is_certain || residual.is_undecided(layout_.reward(i).node) ||
            instance_.rewards[i].group != no_group) {
            double const size = std::abs(instance_.rewards[i].value);
            largest = instance_.is_sum ? largest + size : std::max(largest, size);
        }
    }
    largest_ = largest + instance_.most_paid;
    if (instance_.must_finish()) {
        // There may be nothing but costs.
        largest_ = std::max(largest_, instance_.dearest_charge());
    }
}

// Where one must finish, a score may have all charges on the way in it.
double CanonicalEngine::rounding() const {
    std::uint64_t const num_actions = graph_.rank(whole_.state);
    double const charged = instance_.must_finish() ? static_cast<double>(num_actions) *
                                                         instance_.dearest_charge()
                                                   : 0;
    return rounding_of_scores(instance_, num_actions, largest_ + charged);
}

// Scores are tied when they differ by less than this share of the largest reward; and
// for exact arithmetic, by no more than rounding may have parted them.
void CanonicalEngine::note_tolerance() {
    tolerance_ = tie * largest_;
    if (is_exact_) {
        tolerance_ = std::max(tolerance_, widths_of_rounding * rounding());
    }
}

void CanonicalEngine::set_exact(bool is_exact) {
    if (is_exact_ != is_exact) {
        is_exact_ = is_exact;
        note_tolerance();
        forget_bounds(); // They may be too narrow.
    }
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
    finishing_.reset();
    early_scores_.reset();
}

// So many deviations that there is one for every action are as good as endless.
WorstCase CanonicalEngine::worst_case() const {
    bool const is_enough = deviations_ > 0 && deviations_ >= graph_.rank(start_.state);
    return {graph_, is_enough ? WorstCase::endless : deviations_, tolerance_};
}

bool CanonicalEngine::explore(Objective objective, RunWatch& watch) {
    scores_.reset();
    return has_memory(watch, [&] {
        return can_find_states(watch) && explorer_.explore(start_.state, watch) &&
               score_explored(objective, watch);
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
    if (graph_.release_index()) {
        explorer_.rest();
        give_back_freed_memory();
    }
    if (!watch.has_room(explorer_.children_first().size() * num_layers *
                        bytes_to_score)) {
        return false;
    }
    RunProgress const progress{graph_.size(), 0, -1, "exploring"};
    return take(score_states(graph_, worst_case(), explorer_.children_first(),
                             objective, team_, [&] { return watch.look(progress); }));
}

std::optional<Found> CanonicalEngine::finish_early(Objective objective,
                                                   RunWatch& watch) {
    scores_.reset();
    if (!finishing_) {
        finishing_ = std::make_unique<FinishingPlan>(graph_, team_);
    }
    Faced const start = start_of_plan();
    bool const has_plan = has_memory(watch, [&] {
        if (!can_find_states(watch)) {
            return false;
        }
        auto scores =
            finishing_->work_out(start_.state, worst_case(), objective, watch);
        if (!scores || std::isinf(scores->score(start))) {
            return false;
        }
        double const before = early_scores_ ? upper_bound() : most_of_all;
        early_uppers_ = finishing_->uppers(worst_case(), objective);
        double& upper = early_uppers_[worst_case().spot(start)];
        upper = std::min(upper, before); // What is expanded later may loosen it.
        early_scores_ = std::make_shared<CanonicalScores const>(std::move(*scores));
        return true;
    });
    if (!has_plan && !early_scores_) {
        return std::nullopt; // nor is there one from an earlier run
    }
    bool const is_proven = upper_bound() - lower_bound() <= tolerance_;
    return is_proven ? Found::optimum : Found::plan;
}

bool CanonicalEngine::can_deepen() const {
    return deviations_ == 0 && !is_exact_ && Deepening::fits(layout_);
}

double CanonicalEngine::affordable_share() const {
    Residual residual(layout_);
    KeyBuffer buffer;
    residual.load(graph_.key(start_.state, buffer));
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
    bool const is_done = has_memory(watch, [&] {
        if (!can_find_states(watch)) {
            return false;
        }
        if (!deepening_) {
            deepening_ = std::make_unique<Deepening>(graph_, tolerance_);
        }
        if (!deepening_->solve(start_.state, watch) ||
            !deepening_->follow_ties(start_.state, watch)) {
            return false;
        }
        // What only searching needs makes room for scores.
        if (graph_.release_index()) {
            if (search_) {
                search_->rest(true);
            }
            give_back_freed_memory();
        }
        if (!watch.has_room(worst_case().num_spots() * bytes_to_score)) {
            return false;
        }
        auto const uppers = deepening_->uppers();
        // Without bounds: if this is broken off, the plan in hand is another one.
        return score(deepening_->children_first(), {uppers.begin(), uppers.end()},
                     objective, watch, {graph_.size(), 0, -1, "settling ties"});
    });
    if (!is_done && watch.ending() != Ending::memory) {
        (void)has_memory(watch, [&] {
            learn_from_deepening();
            return true;
        });
    }
    return is_done;
}

// What was found out until it was broken off is for the search to go on with.
void CanonicalEngine::learn_from_deepening() {
    graph_.restore_index();
    deepening_->follow_plan(start_.state);
    searcher().learn(deepening_->uppers(), deepening_->slack(),
                     deepening_->children_first());
}

Found CanonicalEngine::search(double share, Objective objective, RunWatch& watch) {
    scores_.reset();
    if (!can_find_states(watch)) {
        throw std::bad_alloc();
    }
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
            auto const& followed = searcher().children_first();
            return score(followed, known_of(followed), objective, watch, progress);
        });
    return is_scored ? Found::tree : Found::optimum;
}

// What the search knows of states besides those that it followed; and of those, unless
// they are to be worked out exactly, that some are worth no more than stopping.
std::vector<double> CanonicalEngine::known_of(std::span<Faced const> followed) {
    auto const uppers = searcher().uppers();
    std::vector<double> known(uppers.begin(), uppers.end());
    WorstCase const worst = worst_case();
    for (std::size_t i = 0; is_exact_ && i < followed.size(); ++i) {
        known[worst.spot(followed[i])] = std::numeric_limits<double>::infinity();
    }
    return known;
}

bool CanonicalEngine::score(std::span<Faced const> children_first,
                            std::vector<double> known, Objective objective,
                            RunWatch& watch, RunProgress const& progress) {
    return take(score_states(graph_, worst_case(), children_first, std::move(known),
                             objective, team_, [&] { return watch.look(progress); }));
}

bool CanonicalEngine::take(std::optional<CanonicalScores> scores) {
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
        if (is_exact_) {
            search_->follow_exactly(margin_of_bounds * largest_);
        }
    }
    return *search_;
}

ScoreGraph CanonicalEngine::score_graph() const {
    auto const children_first = explorer_.children_first();
    std::vector<StateId> const states(children_first.rbegin(), children_first.rend());
    ScoreGraph result = score_graph_of(graph_, states);
    result.root_gain = graph_.gain_value(start_.gain);
    return result;
}

double CanonicalEngine::lower_bound() const {
    Faced const start = start_of_plan();
    if (!scores_ && early_scores_) {
        return early_scores_->score(start);
    }
    return scores_ ? scores_->score(start) : search_->lower(start);
}

double CanonicalEngine::upper_bound() const {
    Faced const start = start_of_plan();
    if (!scores_ && early_scores_) {
        return early_uppers_[worst_case().spot(start)];
    }
    return scores_ ? scores_->score(start) : search_->upper(start);
}

Bound CanonicalEngine::bound(StateId state, bool is_rough) {
    Residual residual(layout_);
    KeyBuffer buffer;
    residual.refresh(graph_.key(state, buffer));
    return searcher().bound(residual, is_rough);
}

std::size_t CanonicalEngine::bytes() const {
    return graph_.bytes() + (search_ ? search_->bytes() : 0) +
           (deepening_ ? deepening_->bytes() : 0);
}

} // namespace branchwise
