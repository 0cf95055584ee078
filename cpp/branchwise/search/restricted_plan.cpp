#include "branchwise/search/restricted_plan.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "branchwise/support/key_hash.hpp"

namespace branchwise {

RestrictedPlan::RestrictedPlan(ResidualLayout const& layout)
    : layout_(layout), residual_(layout) {}

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
        Frame const& frame = frames_[depth_ - 1];
        if (known_[index_of(frame.state)].is_known) {
            --depth_; // It was opened twice.
            continue;
        }
        if (!frame.is_expanded) {
            look();
            if (states_->size() > most_states) {
                return false;
            }
            expand_opened();
        }
        if (!frame.is_ranked) {
            if (waits_for(&Frame::lessened)) {
                continue;
            }
            rank(frames_[depth_ - 1]);
        }
        if (!waits_for(&Frame::children)) {
            settle(frames_[depth_ - 1]);
            --depth_;
        }
    }
    return true;
}

// Values only rise, so those of other states that go by them are no less than said.
bool RestrictedPlan::widen(std::span<Word const* const> plan) {
    std::vector<StateId> states;
    bool is_new = false;
    for (Word const* const key : plan) {
        states.push_back(enter(key));
        is_new |= !known_[index_of(states.back())].is_wide;
    }
    if (is_new) {
        for (StateId const state : states) {
            known_[index_of(state)].is_known = false;
            known_[index_of(state)].is_wide = true;
        }
        open(enter(root_.data()));
    }
    return is_new;
}

void RestrictedPlan::begin(Word const* root, Focus focus) {
    focus_ = focus;
    root_.assign(root, root + layout_.key_words());
    states_.emplace(layout_);
    known_.clear();
    opened_.clear();
    round_ = 0;
    depth_ = 0;
    open(enter(root));
}

StateId RestrictedPlan::enter(Word const* key) {
    StateId const state = states_->enter(key, residual_);
    if (opened_.size() < states_->size()) {
        known_.resize(states_->size());
        opened_.resize(states_->size());
    }
    return state;
}

void RestrictedPlan::open(StateId state) {
    if (depth_ == frames_.size()) {
        frames_.emplace_back();
    }
    Frame& frame = frames_[depth_++];
    frame.state = state;
    frame.is_expanded = false;
    frame.is_ranked = false;
}

// Open those of the last frame's children that nothing is known of, each once.
bool RestrictedPlan::waits_for(std::vector<StateId> Frame::* children) {
    std::size_t const own = depth_ - 1;
    ++round_;
    for (std::size_t i = 0; i < (frames_[own].*children).size(); ++i) {
        StateId const child = (frames_[own].*children)[i];
        if (!known_[index_of(child)].is_known && opened_[index_of(child)] != round_) {
            opened_[index_of(child)] = round_;
            open(child);
        }
    }
    return depth_ - 1 > own;
}

// All that were opened together, as 64 steps take little longer than one.
void RestrictedPlan::expand_opened() {
    std::size_t first = depth_;
    while (first > 0 && !frames_[first - 1].is_expanded) {
        --first;
    }
    std::span const opened = std::span(frames_).subspan(first, depth_ - first);
    for (std::size_t i = 0; i < opened.size(); i += num_lanes) {
        set_aside(opened.subspan(i, std::min(num_lanes, opened.size() - i)));
    }
    steps_.clear();
    std::for_each(opened.rbegin(), opened.rend(),
                  [this](Frame& frame) { add_steps(frame); });
    take_steps();
    std::size_t first_step = 0;
    std::for_each(opened.rbegin(), opened.rend(), [&](Frame& frame) {
        keep(frame, first_step);
        first_step += frame.first_children.back() * (frame.has_aside() ? 2 : 1);
    });
}

// To every child, and then again with less left, if anything is set aside. Keys stay
// where they are until all steps are taken.
void RestrictedPlan::add_steps(Frame& frame) {
    Instance const& instance = layout_.instance();
    Word const* const key = states_->key(frame.state);
    frame.actions.clear();
    frame.first_children.clear();
    residual_.load(key);
    residual_.available(frame.actions);
    std::size_t const first = steps_.size();
    for (AvailableAction const action : frame.actions) {
        frame.first_children.push_back(steps_.size() - first);
        InstanceAction const& taken = instance.actions[action.action];
        for (std::uint32_t outcome = 0; outcome < taken.num_outcomes; ++outcome) {
            if (taken.variants[action.variant].can_happen(outcome)) {
                steps_.push_back({key, action.action, action.variant, outcome});
            }
        }
    }
    std::size_t const last = steps_.size();
    frame.first_children.push_back(last - first);
    for (std::size_t i = first; frame.has_aside() && i < last; ++i) {
        steps_.push_back(steps_[i]);
        steps_.back().aside = frame.aside.data();
    }
}

void RestrictedPlan::set_aside(std::span<Frame> frames) {
    steps_.clear();
    for (Frame const& frame : frames) {
        steps_.push_back({states_->key(frame.state)});
    }
    residual_.lanes().refresh(steps_);
    for (std::size_t lane = 0; lane < frames.size(); ++lane) {
        set_aside(frames[lane], lane);
    }
}

// Of what no way to any reward needs, which can still be had.
void RestrictedPlan::set_aside(Frame& frame, std::size_t lane) {
    Instance const& instance = layout_.instance();
    residual_.load(states_->key(frame.state));
    frame.aside.resize(instance.budget.size());
    for (std::size_t r = 0; r < frame.aside.size(); ++r) {
        std::int64_t most = 0;
        for (std::size_t i = 0; i < instance.rewards.size(); ++i) {
            NodeRef const when = layout_.reward(i);
            if (instance.rewards[i].value > residual_.held() && !when.is_negated &&
                residual_.is_undecided(when.node)) {
                std::int64_t const cost =
                    residual_.lanes().cost(index_of(when.node), r, lane);
                most = cost <= residual_.left(r) ? std::max(most, cost) : most;
            }
        }
        std::int64_t const slack = residual_.left(r) - most;
        frame.aside[r] = slack / 16 * focus_.aside + slack % 16 * focus_.aside / 16;
    }
}

void RestrictedPlan::take_steps() {
    gains_.assign(steps_.size(), 0);
    keys_.resize(steps_.size() * layout_.key_words());
    for (std::size_t first = 0; first < steps_.size(); first += num_lanes) {
        std::size_t const count = std::min(num_lanes, steps_.size() - first);
        residual_.lanes().take(std::span(steps_).subspan(first, count),
                               &keys_[first * layout_.key_words()]);
        residual_.lanes().for_each_gained([&](std::uint32_t reward, Word lanes) {
            for_each_bit(lanes, [&](std::size_t lane) {
                gains_[first + lane] += layout_.instance().rewards[reward].value;
            });
        });
    }
}

// Children in full have numbers once it is known which of them are wanted.
void RestrictedPlan::keep(Frame& frame, std::size_t first_step) {
    std::size_t const num_words = layout_.key_words();
    std::size_t const num_children = frame.first_children.back();
    auto const from = gains_.begin() + static_cast<std::ptrdiff_t>(first_step);
    frame.gains.assign(from, from + static_cast<std::ptrdiff_t>(num_children));
    Word const* const keys = keys_.data() + first_step * num_words;
    frame.keys.assign(keys, keys + num_children * num_words);
    frame.lessened.clear();
    Word const* const lessened = keys + (frame.has_aside() ? frame.keys.size() : 0);
    for (std::size_t i = 0; i < num_children; ++i) {
        frame.lessened.push_back(enter(lessened + i * num_words));
    }
    frame.is_expanded = true;
}

// Leave the actions that look best, those that looked as good before first; or all.
void RestrictedPlan::rank(Frame& frame) {
    std::size_t const num_words = layout_.key_words();
    std::vector<std::size_t> order(frame.actions.size());
    std::vector<double> looks(frame.actions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = 0; i < order.size(); ++i) {
        looks[i] = worth(frame, i, frame.lessened);
    }
    bool const is_wide = known_[index_of(frame.state)].is_wide;
    std::size_t const width =
        is_wide ? order.size() : std::min<std::size_t>(focus_.width, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(width),
                      order.end(), [&](std::size_t a, std::size_t b) {
                          return looks[a] != looks[b] ? looks[a] > looks[b] : a < b;
                      });
    std::vector<AvailableAction> actions;
    std::vector<std::size_t> first_children;
    std::vector<double> gains;
    frame.children.clear();
    for (std::size_t k = 0; k < width; ++k) {
        std::size_t const i = order[k];
        actions.push_back(frame.actions[i]);
        first_children.push_back(gains.size());
        for (std::size_t c = frame.first_children[i]; c < frame.first_children[i + 1];
             ++c) {
            frame.children.push_back(enter(&frame.keys[c * num_words]));
            gains.push_back(frame.gains[c]);
        }
    }
    first_children.push_back(gains.size());
    frame.actions = std::move(actions);
    frame.first_children = std::move(first_children);
    frame.gains = std::move(gains);
    frame.is_ranked = true;
}

double RestrictedPlan::worth(Frame const& frame, std::size_t action,
                             std::vector<StateId> const& children) const {
    AvailableAction const taken = frame.actions[action];
    InstanceAction const& lowered = layout_.instance().actions[taken.action];
    Variant const& variant = lowered.variants[taken.variant];
    std::size_t child = frame.first_children[action];
    double expected = -variant.charge;
    for (std::size_t i = 0; i < variant.probabilities.size(); ++i) {
        if (variant.can_happen(i)) {
            double const gain = frame.gains[child] - lowered.charge_of(i);
            double const value = known_[index_of(children[child])].value;
            expected += variant.probabilities[i] * (gain + value);
            ++child;
        }
    }
    return expected;
}

void RestrictedPlan::settle(Frame const& frame) {
    Known& found = known_[index_of(frame.state)];
    found.value = states_->reward(frame.state);
    found.is_known = true;
    for (std::size_t i = 0; i < frame.actions.size(); ++i) {
        double const value = worth(frame, i, frame.children);
        if (value > found.value) {
            found.value = value;
            found.chosen = frame.actions[i];
            found.acts = true;
        }
    }
}

std::optional<AvailableAction> RestrictedPlan::action(Word const* key) {
    Known const& found = known_[index_of(enter(key))];
    return found.acts ? std::optional(found.chosen) : std::nullopt;
}

} // namespace branchwise
