#include "branchwise/best_first.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "branchwise/canonical_scores.hpp"

namespace branchwise {

BestFirst::BestFirst(CanonicalGraph& graph, ThreadTeam& team,
                     WorstCase const& worst_case)
    : graph_(graph), team_(team), worst_case_(worst_case),
      tolerance_(worst_case.tolerance()),
      information_(graph.layout(), worst_case.threat(),
                   [this] {
                       if (watch_ != nullptr && !watch_->look(progress_)) {
                           throw Stopped("the run must end");
                       }
                   }),
      residuals_(team.size(), Residual(graph.layout())), successors_(most_at_once) {}

bool BestFirst::close_gap(Faced root, double share, RunWatch& watch) {
    OnWatch const on_watch(watch_, watch);
    begin(root, "searching");
    bool is_closed = false;
    return comes_to_end([&] {
               if (next_pursuit_ == 0) {
                   begin_plan(root);
               }
               bound_state(root.state);
               note_progress(root, "searching");
               is_closed = search(root, share, "searching");
           }) &&
           is_closed;
}

bool BestFirst::search(Faced root, double share, char const* stage) {
    while (gap(root) > std::max(share * std::abs(upper(root)), tolerance_)) {
        if (graph_.num_expanded() >= next_pursuit_) {
            std::size_t const most = std::max(least_pursued, graph_.num_expanded() / 8);
            pursue(root, std::min(most, most_pursued));
            next_pursuit_ = 2 * graph_.num_expanded();
        }
        bool const is_done = search_once(root);
        note_progress(root, stage);
        if (!is_done) {
            return false;
        }
    }
    return true;
}

// Whatever ends it, what was found out is passed up.
bool BestFirst::search_once(Faced root) {
    bool is_done = false;
    bool const is_walked = comes_to_end([&] {
        walk_best_plan(root);
        if (tips_.empty()) {
            evaluate_walked();
        }
        keep_heaviest_tips();
        is_done = work_out_tips(false);
    });
    if (!is_walked) {
        sort_children_first();
    }
    back_up_walked();
    return is_done;
}

// The best plan ends nowhere that is open, and yet there is a gap: it comes from
// options that were not evaluated, because another one was as good within a tie. Once
// all are, either the bounds of the plan meet, or another plan looks best, and that one
// has tips.
void BestFirst::evaluate_walked() {
    for (Faced const faced : order_) {
        if (graph_.is_expanded(faced.state)) {
            evaluate_all(faced);
        }
    }
}

void BestFirst::look() {
    if (!watch_->look(progress_)) {
        throw Stopped("the run must end");
    }
}

bool BestFirst::follow_ties(Faced root, RunWatch& watch) {
    OnWatch const on_watch(watch_, watch);
    begin(root, "settling ties");
    return comes_to_end([&] {
        do {
            do {
                walk_ties(root);
                note_progress(root, "settling ties");
            } while (!close_walked_gaps());
            if (!work_out_tips(true)) {
                throw Stopped("the run must end");
            }
            back_up_walked();
        } while (!tips_.empty());
    });
}

// The adversary does not come everywhere, so that bounds may be wide where the plan
// still needs to know what to do. To close the gap there is less work than to follow
// all that may be optimal. True if there was nothing to do.
bool BestFirst::close_walked_gaps() {
    std::vector<Faced> open;
    std::copy_if(order_.rbegin(), order_.rend(), std::back_inserter(open),
                 [this](Faced faced) { return gap(faced) > tolerance_; });
    for (Faced const faced : open) {
        if (!search(faced, 0, "settling ties")) {
            throw Stopped("the run must end");
        }
    }
    return open.empty();
}

// Collect what can be reached from the root by following options, children first.
template <typename Follow>
void BestFirst::walk(Faced root, Follow follow) {
    order_.assign(1, root);
    tips_.clear();
    ++num_walks_;
    walked_[spot(root)] = num_walks_;
    for (std::size_t i = 0; i < order_.size(); ++i) {
        look();
        follow(order_[i], [&](Faced child) {
            if (walked_[spot(child)] != num_walks_) {
                walked_[spot(child)] = num_walks_;
                order_.push_back(child);
            }
        });
    }
    sort_children_first();
}

void BestFirst::sort_children_first() {
    std::sort(order_.begin(), order_.end(), [this](Faced a, Faced b) {
        std::uint64_t const rank = graph_.rank(a.state);
        std::uint64_t const other = graph_.rank(b.state);
        return rank != other ? rank < other : spot(a) < spot(b);
    });
}

void BestFirst::walk_best_plan(Faced root) {
    walk(root, [this](Faced faced, auto meet) {
        best_[spot(faced)] = CanonicalScores::stop;
        if (gap(faced) <= 0) {
            return;
        }
        if (!graph_.is_expanded(faced.state)) {
            tips_.push_back({faced, 0});
            return;
        }
        evaluate_until_one_is_as_good(faced);
        best_[spot(faced)] = best_option(faced);
        std::uint32_t number = 0;
        graph_.for_each_option(faced.state, [&](Option const& option) {
            if (number++ == best_[spot(faced)]) {
                worst_case_.for_each_child(option, faced.strikes, lower_,
                                           [&](Faced child, double odds) {
                                               if (odds > 0) {
                                                   meet(child);
                                               }
                                           });
            }
        });
    });
    add_up_reach();
}

void BestFirst::add_up_reach() {
    for (Faced const faced : order_) {
        reach_[spot(faced)] = 0;
    }
    reach_[spot(order_.back())] = 1;
    for (std::size_t i = order_.size(); i-- > 0;) {
        Faced const faced = order_[i];
        std::uint32_t number = 0;
        if (best_[spot(faced)] != CanonicalScores::stop) {
            graph_.for_each_option(faced.state, [&](Option const& option) {
                if (number++ == best_[spot(faced)]) {
                    worst_case_.for_each_child(
                        option, faced.strikes, lower_, [&](Faced child, double odds) {
                            reach_[spot(child)] += odds * reach_[spot(faced)];
                        });
                }
            });
        }
    }
    for (Tip& tip : tips_) {
        tip.weight = reach_[spot(tip.faced)] * gap(tip.faced);
    }
}

// Where most of the gap comes from; more of them where the plan is large, as walking
// it takes its time.
void BestFirst::keep_heaviest_tips() {
    std::sort(tips_.begin(), tips_.end(), [this](Tip const& a, Tip const& b) {
        return a.weight != b.weight ? a.weight > b.weight
                                    : spot(a.faced) < spot(b.faced);
    });
    double total = 0;
    for (Tip const& tip : tips_) {
        total += tip.weight;
    }
    std::size_t const at_least = 1 + order_.size() / 16;
    double covered = 0;
    std::size_t count = 0;
    while (count < tips_.size() && (count < at_least || covered < total / 2)) {
        covered += tips_[count++].weight;
    }
    tips_.resize(count);
}

// Stopping beats acting when both are optimal.
bool BestFirst::is_end(Faced faced) const {
    return upper(faced) - graph_.reward(faced.state) <= tolerance_;
}

void BestFirst::walk_ties(Faced root) {
    walk(root, [this](Faced faced, auto meet) {
        if (is_end(faced)) {
            return;
        }
        if (!graph_.is_expanded(faced.state)) {
            tips_.push_back({faced, 0});
            return;
        }
        evaluate_all(faced);
        graph_.for_each_option(faced.state, [&](Option const& option) {
            if (lower(faced) - upper_of(option, faced) <= tolerance_) {
                take_possible_answers(option, faced, meet);
            }
        });
    });
}

// Whether the adversary strikes must be known where the bounds do not tell.
template <typename Meet>
void BestFirst::take_possible_answers(Option const& option, Faced faced,
                                      Meet meet) const {
    auto const strikes = faced.strikes;
    bool const can_strike = worst_case_.can_strike(option, strikes);
    auto const nominal = [&](std::span<double const> bounds) {
        return worst_case_.nominal(option, strikes, bounds);
    };
    auto const struck = [&](std::span<double const> bounds) {
        return worst_case_.struck(option, strikes, bounds);
    };
    if (!can_strike || nominal(lower_) - struck(upper_) <= tolerance_) {
        for (StateId const child : option.children) {
            meet(Faced{child, strikes});
        }
    }
    if (can_strike && nominal(upper_) - struck(lower_) > tolerance_) {
        for (StateId const child : option.children) {
            meet(Faced{child, worst_case_.after_strike(strikes)});
        }
    }
}

bool BestFirst::work_out_tips(bool follows_ties) {
    for (std::span<Tip const> rest(tips_); !rest.empty();) {
        std::size_t const size = std::min(pace_.begin(), rest.size());
        if (!work_out(rest.first(size), follows_ties)) {
            return false;
        }
        rest = rest.subspan(size);
    }
    return true;
}

bool BestFirst::work_out(std::span<Tip const> tips, bool follows_ties) {
    team_.share(tips.size(), [&](std::size_t task, std::size_t thread) {
        StateId const state = tips[task].faced.state;
        if (!graph_.is_expanded(state)) {
            graph_.expand(state, residuals_[thread], successors_[task]);
        }
    });
    pace_.end();
    for (std::size_t i = 0; i < tips.size(); ++i) {
        Faced const faced = tips[i].faced;
        // The same state may be a tip with other strikes left.
        if (!graph_.is_expanded(faced.state)) {
            keep(faced.state, successors_[i]);
        }
        if (!follows_ties) {
            evaluate_until_one_is_as_good(faced);
        }
        progress_.num_states = graph_.size();
        if (!watch_->look(progress_)) {
            return false;
        }
    }
    return true;
}

void BestFirst::back_up_walked() {
    for (Faced const faced : order_) {
        if (graph_.is_expanded(faced.state)) {
            back_up(faced);
        }
    }
}

} // namespace branchwise
