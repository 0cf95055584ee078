#include "branchwise/search/explorer.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace branchwise {

namespace {

// Few for a single thread, so that they are still at hand when they are kept; more for
// several, which have to wait for each other after each block.
std::size_t most_in_a_block(std::size_t num_threads) {
    constexpr std::size_t alone = 512;
    constexpr std::size_t for_each = 1024;
    constexpr std::size_t most = 4096;
    return num_threads == 1 ? alone : std::min(most, for_each * num_threads);
}

} // namespace

std::span<StateId const> Explorer::Block::group(std::size_t number) const {
    std::size_t const first = number * in_a_group;
    return std::span(pending).subspan(first,
                                      std::min(in_a_group, pending.size() - first));
}

std::size_t Explorer::Block::num_unknown() const {
    std::size_t total = 0;
    for (std::size_t i = 0; i < num_groups(); ++i) {
        total += successors[i].num_unknown;
    }
    return total;
}

Explorer::Explorer(CanonicalGraph& graph, ThreadTeam& team)
    : graph_(graph), team_(team),
      residuals_(Residual::several(graph.layout(), team.size())),
      pace_(most_in_a_block(team.size())) {}

// By falling rank: an action lowers the rank, so that all parents of a state come
// before it. In reverse that is the order in which states are scored, children first.
bool Explorer::explore(StateId root, RunWatch& watch) {
    make_blocks();
    if (root == root_) {
        resume();
    } else {
        begin(root);
    }
    root_ = no_state; // Without memory for what follows there is no going on.
    while (!by_rank_.empty()) {
        if (!expand_rank(watch)) {
            root_ = root;
            return false;
        }
    }
    std::reverse(order_.begin(), order_.end());
    return true;
}

void Explorer::make_blocks() {
    now_.successors.resize(most_in_a_block(team_.size()) / in_a_group);
    next_.successors.resize(most_in_a_block(team_.size()) / in_a_group);
}

std::optional<std::uint64_t> Explorer::next_rank() {
    make_blocks();
    meet_new();
    return by_rank_.empty() ? std::nullopt : std::optional(by_rank_.begin()->first);
}

bool Explorer::expand_rank(RunWatch& watch) {
    std::vector<StateId> const states = std::move(by_rank_.begin()->second);
    by_rank_.erase(by_rank_.begin());
    std::size_t const num_done = expand_all(states, watch);
    order_.append(std::span(states).first(num_done));
    if (num_done < states.size()) {
        // They do not lead to each other, so that no others have their rank.
        by_rank_[graph_.rank(states.back())].assign(
            states.begin() + static_cast<std::ptrdiff_t>(num_done), states.end());
        return false;
    }
    return true;
}

void Explorer::begin(StateId root) {
    order_.clear();
    by_rank_.clear();
    num_known_ = graph_.size();
    is_met_.assign(num_known_, false);
    is_met_[index_of(root)] = true;
    meet(root);
}

// What was met stays so. What is new since then is met once an edge leads there.
void Explorer::resume() {
    is_met_.resize(num_known_, true);
    num_known_ = graph_.size();
    is_met_.resize(num_known_, false);
}

// States of equal rank do not lead to each other: what one leads to can be worked out
// before others are kept. Threads look up what is known while nothing is kept.
std::size_t Explorer::expand_all(std::span<StateId const> states, RunWatch& watch) {
    auto const derive = [this](std::size_t task, std::size_t thread) {
        graph_.derive(next_.group(task), residuals_[thread], next_.successors[task]);
    };
    std::size_t num_done = 0;
    begin(next_, states);
    team_.share_singly(next_.num_groups(), derive);
    while (!next_.states.empty()) {
        std::swap(now_, next_);
        team_.share_singly(
            now_.num_groups(), [this](std::size_t task, std::size_t thread) {
                graph_.look_up(now_.successors[task], residuals_[thread]);
            });
        begin(next_, states);
        if (!watch.has_room(graph_.bytes_to_pack_keys())) {
            break;
        }
        graph_.make_room_for_keys(now_.num_unknown());
        bool const goes_on = team_.share_beside([&] { return keep(now_, watch); },
                                                next_.num_groups(), derive);
        pace_.end();
        if (!goes_on) {
            break;
        }
        num_done += now_.states.size();
    }
    return num_done;
}

void Explorer::begin(Block& block, std::span<StateId const>& states) {
    block.states = states.first(std::min(pace_.begin(), states.size()));
    states = states.subspan(block.states.size());
    block.pending.clear();
    std::copy_if(block.states.begin(), block.states.end(),
                 std::back_inserter(block.pending),
                 [this](StateId state) { return !graph_.is_expanded(state); });
}

bool Explorer::keep(Block const& block, RunWatch& watch) {
    for (std::size_t i = 0; i < block.pending.size(); ++i) {
        Successors const& successors = block.successors[i / in_a_group];
        Successors::Part const& part = successors.parts[i % in_a_group];
        if (!watch.has_room(graph_.bytes_to_keep(part))) {
            return false;
        }
        graph_.keep(block.pending[i], successors, part, residuals_[0]);
        // After each, as a number of states is a limit that no clock may move.
        if (!watch.allows(graph_.size())) {
            return false;
        }
        bool const ends_group = i % in_a_group == in_a_group - 1;
        if (ends_group && !watch.look({graph_.size(), 0, -1, "exploring"})) {
            return false;
        }
    }
    meet_children(block);
    return watch.look({graph_.size(), 0, -1, "exploring"});
}

void Explorer::meet(StateId state) {
    by_rank_[graph_.rank(state)].push_back(state);
}

// What is new is met in the order of its numbers, which is that of the edges that lead
// there. Only where there were states before, edges have to be looked at for these.
void Explorer::meet_children(Block const& block) {
    bool const is_first = is_met_.size() <= 1;
    for (std::size_t i = 0; !is_first && i < block.states.size(); ++i) {
        graph_.for_each_option(block.states[i], [this](Option const& option) {
            for (StateId const child : option.children) {
                if (index_of(child) < is_met_.size() && !is_met_[index_of(child)]) {
                    is_met_[index_of(child)] = true;
                    meet(child);
                } else if (index_of(child) == num_known_) {
                    ++num_known_;
                    meet(child);
                }
            }
        });
    }
    meet_new();
}

void Explorer::meet_new() {
    while (num_known_ < graph_.size()) {
        meet(static_cast<StateId>(num_known_++));
    }
}

} // namespace branchwise
