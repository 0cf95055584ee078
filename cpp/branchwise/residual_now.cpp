// What a state offers now: the actions that can be taken, the reward for stopping.

#include <algorithm>

#include "branchwise/residual.hpp"

namespace branchwise {

namespace {

using Kind = ResidualNode::Kind;

} // namespace

// Open literals have not come up, so without negations no open gate holds.
void Residual::evaluate_now() {
    if (!layout_.has_negation()) {
        return;
    }
    for_each_undecided([&](std::size_t index) {
        ResidualNode const& node = layout_.nodes()[index];
        bool const decisive = node.kind == Kind::any;
        bool const is_settled =
            std::any_of(node.inside.begin(), node.inside.end(), [&](NodeRef ref) {
                return is_undecided(ref.node) && holds_now(ref) == decisive;
            });
        bool const holds = is_settled ? decisive : !decisive;
        holds_[index] = node.kind != Kind::literal && holds ? 1 : 0;
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
    for_each_undecided([this](std::size_t index) {
        ResidualNode const& node = layout_.nodes()[index];
        if (node.kind == Kind::literal) {
            set_bit(is_live_.data(), node.action);
        }
    });
}

bool Residual::affords(Variant const& variant) const {
    for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
        if (variant.price[r] > left_[r]) {
            return false;
        }
    }
    return true;
}

void Residual::available(std::vector<AvailableAction>& actions) {
    actions.clear();
    evaluate_now();
    find_live();
    for_each_bit(is_live_, [&](std::size_t a) {
        NodeRef const allowed = layout_.allowed(a);
        if (is_undecided(allowed.node) && !holds_now(allowed)) {
            return;
        }
        std::uint32_t const variant = variant_now(a);
        if (affords(instance_.actions[a].variants[variant])) {
            actions.push_back({static_cast<std::uint32_t>(a), variant});
        }
    });
}

double Residual::reward() {
    evaluate_now();
    double total = instance_.is_sum ? 0.0 : held();
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        NodeRef const ref = layout_.reward(i);
        if (is_undecided(ref.node) && holds_now(ref)) {
            double const value = instance_.rewards[i].value;
            total = instance_.is_sum ? total + value : std::max(total, value);
        }
    }
    return total;
}

} // namespace branchwise
