#include "branchwise/search/restricted_plan.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "branchwise/support/key_hash.hpp"

namespace branchwise {

RestrictedPlan::RestrictedPlan(ResidualLayout const& layout)
    : layout_(layout), residual_(layout), aside_(layout.instance().budget.size()) {}

// A state is opened, and waits until what it leads to is known with less left; then the
// best of its actions are chosen, and it waits for what these lead to in full. On a
// stack of its own, as plans may be longer than the call stack is deep.
bool RestrictedPlan::work_out(Word const* root, Focus focus, std::size_t most_states,
                              std::function<void()> const& look) {
    bool const is_same = states_ && focus == focus_ &&
                         is_same_key(root, root_.data(), layout_.key_words());
    if (!is_same) {
        begin(root, focus);
    }
    while (depth_ > 0) {
        look();
        if (states_->size() > most_states) {
            return false;
        }
        Frame& frame = frames_[depth_ - 1];
        if (is_known_[index_of(frame.state)]) {
            --depth_; // It was opened twice.
            continue;
        }
        if (frame.first_children.empty()) {
            expand(frame);
        }
        std::size_t const num_full = frame.gains.size();
        if (!frame.is_ranked) {
            if (waits_for(num_full, frame.children.size())) {
                continue;
            }
            rank(frame);
        }
        // The frames may have moved.
        Frame& ranked = frames_[depth_ - 1];
        if (!waits_for(0, ranked.first_children.back())) {
            settle(frames_[depth_ - 1]);
            --depth_;
        }
    }
    return true;
}

void RestrictedPlan::begin(Word const* root, Focus focus) {
    focus_ = focus;
    root_.assign(root, root + layout_.key_words());
    states_.emplace(layout_);
    values_.clear();
    is_known_.clear();
    chosen_.clear();
    acts_.clear();
    depth_ = 0;
    open(enter(root));
}

StateId RestrictedPlan::enter(Word const* key) {
    StateId const state = states_->enter(key, residual_);
    values_.resize(states_->size());
    is_known_.resize(states_->size());
    chosen_.resize(states_->size());
    acts_.resize(states_->size());
    return state;
}

void RestrictedPlan::open(StateId state) {
    if (depth_ == frames_.size()) {
        frames_.emplace_back();
    }
    Frame& frame = frames_[depth_++];
    frame.state = state;
    frame.is_ranked = false;
    frame.actions.clear();
    frame.first_children.clear();
    frame.children.clear();
    frame.gains.clear();
}

// Open those of the last frame's children that nothing is known of.
bool RestrictedPlan::waits_for(std::size_t first, std::size_t last) {
    std::size_t const own = depth_ - 1;
    for (std::size_t i = first; i < last; ++i) {
        StateId const child = frames_[own].children[i];
        if (!is_known_[index_of(child)]) {
            open(child);
        }
    }
    return depth_ - 1 > own;
}

void RestrictedPlan::expand(Frame& frame) {
    Instance const& instance = layout_.instance();
    // The key may move when states are added.
    std::vector<Word> const key(states_->key(frame.state),
                                states_->key(frame.state) + layout_.key_words());
    set_aside(key.data());
    residual_.available(frame.actions);
    steps_.clear();
    for (AvailableAction const action : frame.actions) {
        frame.first_children.push_back(steps_.size());
        InstanceAction const& taken = instance.actions[action.action];
        for (std::uint32_t outcome = 0; outcome < taken.num_outcomes; ++outcome) {
            if (taken.variants[action.variant].can_happen(outcome)) {
                steps_.push_back({key.data(), action.action, action.variant, outcome});
            }
        }
    }
    frame.first_children.push_back(steps_.size());
    std::size_t const num_full = steps_.size();
    for (std::size_t i = 0; i < num_full; ++i) {
        steps_.push_back(steps_[i]);
        steps_.back().aside = aside_.data();
    }
    frame.gains.assign(num_full, 0);
    keys_.resize(steps_.size() * layout_.key_words());
    for (std::size_t first = 0; first < steps_.size(); first += num_lanes) {
        std::size_t const count = std::min(num_lanes, steps_.size() - first);
        residual_.lanes().take(std::span(steps_).subspan(first, count),
                               &keys_[first * layout_.key_words()]);
        residual_.lanes().for_each_gained([&](std::uint32_t reward, Word lanes) {
            for_each_bit(lanes, [&](std::size_t lane) {
                if (first + lane < num_full) {
                    frame.gains[first + lane] += instance.rewards[reward].value;
                }
            });
        });
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        frame.children.push_back(enter(&keys_[i * layout_.key_words()]));
    }
}

// Of what no way to any reward needs, which can still be had.
void RestrictedPlan::set_aside(Word const* key) {
    Instance const& instance = layout_.instance();
    residual_.refresh(key);
    for (std::size_t r = 0; r < aside_.size(); ++r) {
        std::int64_t most = 0;
        for (std::size_t i = 0; i < instance.rewards.size(); ++i) {
            NodeRef const when = layout_.reward(i);
            if (instance.rewards[i].value > residual_.held() && !when.is_negated &&
                residual_.is_undecided(when.node)) {
                std::int64_t const cost =
                    residual_.lanes().cost(index_of(when.node), r);
                most = cost <= residual_.left(r) ? std::max(most, cost) : most;
            }
        }
        std::int64_t const slack = residual_.left(r) - most;
        aside_[r] = slack / 16 * focus_.aside + slack % 16 * focus_.aside / 16;
    }
}

// Leave the actions that look best, those that looked as good before first.
void RestrictedPlan::rank(Frame& frame) {
    std::vector<std::size_t> order(frame.actions.size());
    std::vector<double> looks(frame.actions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = 0; i < order.size(); ++i) {
        looks[i] = worth(frame, i, false);
    }
    std::size_t const width = std::min<std::size_t>(focus_.width, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(width),
                      order.end(), [&](std::size_t a, std::size_t b) {
                          return looks[a] != looks[b] ? looks[a] > looks[b] : a < b;
                      });
    Frame best;
    best.state = frame.state;
    best.is_ranked = true;
    for (std::size_t k = 0; k < width; ++k) {
        std::size_t const i = order[k];
        best.actions.push_back(frame.actions[i]);
        best.first_children.push_back(best.children.size());
        for (std::size_t c = frame.first_children[i]; c < frame.first_children[i + 1];
             ++c) {
            best.children.push_back(frame.children[c]);
            best.gains.push_back(frame.gains[c]);
        }
    }
    best.first_children.push_back(best.children.size());
    frame = std::move(best);
}

double RestrictedPlan::worth(Frame const& frame, std::size_t action,
                             bool is_in_full) const {
    AvailableAction const taken = frame.actions[action];
    InstanceAction const& lowered = layout_.instance().actions[taken.action];
    Variant const& variant = lowered.variants[taken.variant];
    std::size_t child = frame.first_children[action];
    double expected = -variant.charge;
    for (std::size_t i = 0; i < variant.probabilities.size(); ++i) {
        if (variant.can_happen(i)) {
            StateId const next =
                frame.children[is_in_full ? child : frame.gains.size() + child];
            double const gain = frame.gains[child] - lowered.charge_of(i);
            expected += variant.probabilities[i] * (gain + values_[index_of(next)]);
            ++child;
        }
    }
    return expected;
}

void RestrictedPlan::settle(Frame const& frame) {
    std::size_t const at = index_of(frame.state);
    double best = states_->reward(frame.state);
    for (std::size_t i = 0; i < frame.actions.size(); ++i) {
        double const found = worth(frame, i, true);
        if (found > best) {
            best = found;
            chosen_[at] = frame.actions[i];
            acts_[at] = true;
        }
    }
    values_[at] = best;
    is_known_[at] = true;
}

std::optional<AvailableAction> RestrictedPlan::action(Word const* key) {
    std::size_t const at = index_of(enter(key));
    return acts_[at] ? std::optional(chosen_[at]) : std::nullopt;
}

} // namespace branchwise
