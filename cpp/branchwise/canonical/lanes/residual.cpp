#include "branchwise/canonical/lanes/residual.hpp"

#include <algorithm>

namespace branchwise {

namespace {

using Kind = ResidualNode::Kind;

} // namespace

Residual::Residual(ResidualLayout const& layout)
    : layout_(layout), instance_(layout.instance()),
      num_resources_(std::max<std::size_t>(1, instance_.budget.size())),
      undecided_(layout.node_words()), attempts_(instance_.actions.size(), 1),
      tails_(instance_.actions.size()), left_(num_resources_),
      counts_(instance_.counters.size()), is_secured_(instance_.rewards.size()),
      knowledge_(instance_), cheapest_(instance_.actions.size() * num_resources_),
      is_live_((instance_.actions.size() + 63) / 64), holds_(layout.nodes().size()),
      literals_(layout.node_words()), fickle_(layout.node_words()),
      actions_(layout.nodes().size()), lanes_(layout) {
    for (std::size_t i = 0; i < layout.nodes().size(); ++i) {
        if (layout.nodes()[i].kind == Kind::literal) {
            set_bit(literals_.data(), i);
            actions_[i] = layout.nodes()[i].action;
        }
    }
    find_fickle();
    for (std::size_t a = 0; a < instance_.actions.size(); ++a) {
        for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
            cheapest_[a * num_resources_ + r] =
                instance_.actions[a].variants.back().price[r];
        }
    }
}

std::vector<Residual> Residual::several(ResidualLayout const& layout,
                                        std::size_t count) {
    std::vector<Residual> result;
    result.reserve(count);
    while (result.size() < count) {
        result.emplace_back(layout);
    }
    return result;
}

void Residual::start(std::span<std::int64_t const> budget, Word* key,
                     std::span<std::uint8_t const> left_out) {
    lanes_.start(budget, key, left_out);
    load(key);
}

void Residual::refresh(Word const* key) {
    load(key);
    lanes_.refresh(key);
    for (std::size_t i = 0; i < layout_.conditioned().size(); ++i) {
        for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
            cheapest_[layout_.conditioned()[i] * num_resources_ + r] =
                lanes_.cheapest(i, r);
        }
    }
}

void Residual::load(Word const* key) {
    std::copy(key, key + undecided_.size(), undecided_.begin());
    // The last word may also hold fields.
    if (std::size_t const used = layout_.nodes().size() % 64; used != 0) {
        undecided_.back() &= (Word{1} << used) - 1;
    }
    for (std::uint32_t const a : layout_.repeatable()) {
        attempts_[a] = static_cast<std::int64_t>(layout_.attempts_field(a).read(key));
    }
    for (std::uint32_t const a : layout_.conditioned()) {
        tails_[a] = static_cast<std::uint32_t>(layout_.tail_field(a).read(key));
    }
    for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
        left_[r] = static_cast<std::int64_t>(layout_.left_field(r).read(key));
    }
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        counts_[i] = static_cast<std::int64_t>(layout_.counter_field(i).read(key));
    }
    for (std::size_t i = 0; instance_.has_hidden() && i < is_secured_.size(); ++i) {
        is_secured_[i] = layout_.secured_field(i).read(key) != 0 ? 1 : 0;
    }
    knowledge_.start_over(counts_);
    held_ = static_cast<std::uint32_t>(layout_.held_field().read(key));
}

// What a state offers now: the actions that can be taken, the reward for stopping.

// Open literals have not come up, so without negations and counters no open `any`
// holds, nor an `all` that asks for a literal.
void Residual::find_fickle() {
    for (std::size_t i = 0; layout_.has_negation() && i < layout_.nodes().size(); ++i) {
        ResidualNode const& node = layout_.nodes()[i];
        auto const may_hold = [&](NodeRef ref) { return is_fickle(ref); };
        bool const is_any = node.kind == Kind::any;
        if (node.kind != Kind::literal &&
            (!is_any ||
             std::any_of(node.inside.begin(), node.inside.end(), may_hold))) {
            set_bit(fickle_.data(), i);
        }
    }
    for (std::size_t i = 0; layout_.has_negation() && i < instance_.rewards.size();
         ++i) {
        if (is_fickle(layout_.reward(i))) {
            fickle_rewards_.push_back(layout_.reward(i));
        }
    }
}

void Residual::evaluate_now() {
    for_each_bit(undecided_, fickle_, [&](std::size_t index) {
        ResidualNode const& node = layout_.nodes()[index];
        if (node.kind == Kind::at_least) {
            holds_[index] = counts_[node.counter] >= node.threshold ? 1 : 0;
            return;
        }
        bool const decisive = node.kind == Kind::any;
        bool const is_settled =
            std::any_of(node.inside.begin(), node.inside.end(), [&](NodeRef ref) {
                return is_undecided(ref.node) && holds_now(ref) == decisive;
            });
        holds_[index] = is_settled == decisive ? 1 : 0;
    });
}

bool Residual::holds_now(NodeRef ref) const {
    return (holds_[index_of(ref.node)] != 0) != ref.is_negated;
}

std::uint32_t Residual::variant_now(std::size_t action) const {
    for (std::uint32_t k = 0; k < tails_[action]; ++k) {
        NodeRef const ref = layout_.clause(action, k);
        if (is_undecided(ref.node) && holds_now(ref)) {
            return k;
        }
    }
    return tails_[action];
}

// Those that may still make a difference.
void Residual::find_live() {
    std::fill(is_live_.begin(), is_live_.end(), 0);
    for (std::size_t w = 0; w < literals_.size(); ++w) {
        for_each_bit(undecided_[w] & literals_[w], [&](std::size_t bit) {
            set_bit(is_live_.data(), actions_[w * 64 + bit]);
        });
    }
}

// With the dearest outcomes, however unlikely.
bool Residual::affords(std::size_t action, std::uint32_t variant) const {
    LaneView const& tables = layout_.lane_tables().view();
    std::size_t const number = tables.actions[action].first_variant + variant;
    std::int64_t const* const prices = tables.prices + number * tables.num_limited;
    std::int64_t const* const dearest =
        tables.dearest_outcomes == nullptr
            ? nullptr
            : tables.dearest_outcomes + action * tables.num_limited;
    for (std::size_t r = 0; r < tables.num_limited; ++r) {
        if (prices[r] + (dearest == nullptr ? 0 : dearest[r]) > left_[r]) {
            return false;
        }
    }
    return true;
}

void Residual::available(std::vector<AvailableAction>& actions) {
    evaluate_now();
    find_live();
    for_each_bit(is_live_, [&](std::size_t a) {
        NodeRef const allowed = layout_.allowed(a);
        if (is_undecided(allowed.node) && !holds_now(allowed)) {
            return;
        }
        std::uint32_t const variant = variant_now(a);
        if (affords(a, variant)) {
            actions.push_back({static_cast<std::uint32_t>(a), variant});
        }
    });
}

std::uint32_t Residual::level_at(Word const* key) {
    auto result = static_cast<std::uint32_t>(layout_.held_field().read(key));
    for (std::uint32_t const reward : rewards_at(key)) {
        result = std::max(result, layout_.level_of(reward));
    }
    return result;
}

// Does the key leave it open whether a reward is paid that is not certain?
bool Residual::may_pay_at(Word const* key) const {
    return std::any_of(
        fickle_rewards_.begin(), fickle_rewards_.end(), [&](NodeRef reward) {
            ResidualNode const& node = layout_.node(reward.node);
            bool const waits =
                !reward.is_negated && node.kind == Kind::all &&
                std::any_of(node.inside.begin(), node.inside.end(), [&](NodeRef part) {
                    return !is_fickle(part) && has_bit(key, index_of(part.node));
                });
            return !waits && has_bit(key, index_of(reward.node));
        });
}

// Without negations and counters nothing holds that is not certain.
std::vector<std::uint32_t> Residual::rewards_at(Word const* key) {
    std::vector<std::uint32_t> result;
    if (!may_pay_at(key)) {
        return result;
    }
    load(key);
    evaluate_now();
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        NodeRef const ref = layout_.reward(i);
        if (is_undecided(ref.node) && holds_now(ref)) {
            result.push_back(static_cast<std::uint32_t>(i));
        }
    }
    return result;
}

bool Residual::may_stop(Word const* key) {
    if (!instance_.must_finish() || layout_.finished_field().read(key) != 0) {
        return true;
    }
    load(key);
    evaluate_now();
    NodeRef const ref = layout_.finish();
    return is_undecided(ref.node) && holds_now(ref);
}

double Residual::probability(AvailableAction const& action, std::size_t outcome) {
    InstanceAction const& own = instance_.actions[action.action];
    Variant const& variant = own.variants[action.variant];
    return variant.likelihoods.empty()
               ? variant.probabilities[outcome]
               : knowledge_.chance(own.group, variant.likelihoods[outcome]);
}

// Rewards that are certain but for hidden facts are paid in the end, not on the way.
double Residual::stop_value(Word const* key) {
    auto rewards = rewards_at(key);
    load(key);
    for (std::uint32_t i = 0; i < is_secured_.size(); ++i) {
        if (is_secured_[i] != 0) {
            rewards.push_back(i);
        }
    }
    return instance_.is_sum ? expected_sum(rewards) : expected_best(rewards);
}

double Residual::expected_sum(std::span<std::uint32_t const> rewards) {
    double total = 0;
    for (std::uint32_t const i : rewards) {
        InstanceReward const& reward = instance_.rewards[i];
        total += reward.group == no_group
                     ? reward.value
                     : reward.value * knowledge_.chance(reward.group, reward.given);
    }
    return total;
}

// The best of what is paid, for each way that hidden facts may be.
double Residual::expected_best(std::span<std::uint32_t const> rewards) {
    double sure = held();
    std::uint32_t group = no_group;
    for (std::uint32_t const i : rewards) {
        InstanceReward const& reward = instance_.rewards[i];
        if (reward.group == no_group) {
            sure = std::max(sure, reward.value);
        } else {
            group = reward.group;
        }
    }
    if (group == no_group) {
        return sure;
    }
    auto const weights = knowledge_.weights(group);
    double total = 0;
    for (std::size_t h = 0; h < weights.size(); ++h) {
        double best = sure;
        for (std::uint32_t const i : rewards) {
            InstanceReward const& reward = instance_.rewards[i];
            if (reward.group != no_group && reward.given[h] > 0) {
                best = std::max(best, reward.value);
            }
        }
        total += weights[h] * best;
    }
    return total;
}

} // namespace branchwise
