#include "branchwise/canonical/residual.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "branchwise/canonical/simplifier.hpp"

namespace branchwise {

namespace {

using Kind = ResidualNode::Kind;

NodeId node_id(std::size_t index) {
    return static_cast<NodeId>(index);
}

} // namespace

Residual::Residual(ResidualLayout const& layout)
    : layout_(layout), instance_(layout.instance()),
      num_resources_(std::max<std::size_t>(1, instance_.budget.size())),
      undecided_(layout.node_words()), attempts_(instance_.actions.size(), 1),
      tails_(instance_.actions.size()), left_(num_resources_),
      cheapest_(instance_.actions.size() * num_resources_),
      dearest_(instance_.actions.size() * num_resources_),
      cost_(layout.nodes().size() * num_resources_),
      rest_(layout.nodes().size() * num_resources_), part_rest_(num_resources_),
      nothing_(num_resources_), wanted_(undecided_.size()),
      wants_not_(undecided_.size()), is_useful_((instance_.actions.size() + 63) / 64),
      is_live_(is_useful_.size()), holds_(layout.nodes().size()), set_reach_(layout),
      raw_key_(layout.key_words()), memory_(layout.key_words()) {
    for (std::size_t a = 0; a < instance_.actions.size(); ++a) {
        tails_[a] =
            static_cast<std::uint32_t>(instance_.actions[a].variants.size() - 1);
        for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
            Price const price = instance_.actions[a].variants.back().price[r];
            cheapest_[a * num_resources_ + r] = price;
            dearest_[a * num_resources_ + r] = price;
        }
    }
}

void Residual::simplify() {
    if (num_resources_ == 1) {
        Simplifier<1>(*this).simplify();
    } else {
        Simplifier<0>(*this).simplify();
    }
}

void Residual::refresh() {
    if (num_resources_ == 1) {
        Simplifier<1>(*this).refresh();
    } else {
        Simplifier<0>(*this).refresh();
    }
}

void Residual::start(std::span<std::int64_t const> budget) {
    gained_.clear();
    held_ = 0;
    std::copy(budget.begin(), budget.end(), left_.begin());
    std::fill(undecided_.begin(), undecided_.end(), 0);
    for (std::size_t i = 0; i < layout_.nodes().size(); ++i) {
        set_bit(undecided_.data(), i);
    }
    for (std::size_t a = 0; a < instance_.actions.size(); ++a) {
        attempts_[a] = instance_.actions[a].attempts;
        tails_[a] =
            static_cast<std::uint32_t>(instance_.actions[a].variants.size() - 1);
    }
    for (std::size_t i = 0; i < layout_.nodes().size(); ++i) {
        ResidualNode const& node = layout_.nodes()[i];
        if (node.kind != Kind::literal && node.inside.empty()) {
            decide(node_id(i), node.kind == Kind::all);
        }
    }
    for (std::size_t a = 0; a < instance_.actions.size(); ++a) {
        if (instance_.actions[a].attempts == 0) {
            kill(a);
        }
        for (NodeId const literal : layout_.literals(a)) {
            if (!layout_.is_possible(literal)) {
                decide(literal, false);
            }
        }
    }
    propagate();
    simplify();
}

void Residual::load(Word const* key) {
    gained_.clear();
    pending_.clear(); // Memory may have run out in the middle of it.
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
    held_ = static_cast<std::uint32_t>(layout_.held_field().read(key));
}

void Residual::store(Word* key) const {
    write(key, [this](std::uint32_t action) { return is_useful(action); });
}

// Which actions are kept makes a difference to the key, and only to that.
template <typename IsKept>
void Residual::write(Word* key, IsKept is_kept) const {
    std::fill(key, key + layout_.key_words(), 0);
    std::copy(undecided_.begin(), undecided_.end(), key);
    for (std::uint32_t const a : layout_.repeatable()) {
        if (is_kept(a)) {
            layout_.attempts_field(a).write(key, static_cast<Word>(attempts_[a]));
        }
    }
    for (std::uint32_t const a : layout_.conditioned()) {
        if (is_kept(a)) {
            layout_.tail_field(a).write(key, tails_[a]);
        }
    }
    for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
        layout_.left_field(r).write(key, static_cast<Word>(left_[r]));
    }
    layout_.held_field().write(key, held_);
}

void Residual::take(AvailableAction action, std::uint32_t outcome, Word* key) {
    gained_.clear();
    InstanceAction const& taken = instance_.actions[action.action];
    Variant const& variant = taken.variants[action.variant];
    for (std::size_t r = 0; r < instance_.budget.size(); ++r) {
        left_[r] -= variant.price[r];
        assert(left_[r] >= 0);
    }
    bool const is_last = taken.attempts == 1 || --attempts_[action.action] == 0;
    auto const happened =
        static_cast<std::uint32_t>(index_of(taken.first_outcome)) + outcome;
    for (NodeId const literal : layout_.literals(action.action)) {
        std::uint32_t const subject = layout_.node(literal).outcome;
        bool const is_true = subject == ResidualNode::no_outcome || subject == happened;
        if (is_true || is_last) {
            decide(literal, is_true);
        }
    }
    propagate();
    write(key, [](std::uint32_t) { return true; });
    memory_.prefetch(key);
}

void Residual::simplify(Word* key) {
    gained_.clear();
    if (Word const* const known = memory_.find(key)) {
        std::copy_n(known, layout_.key_words(), key);
        return;
    }
    std::copy_n(key, layout_.key_words(), raw_key_.begin());
    load(key);
    simplify();
    store(key);
    if (gained_.empty()) { // The memory has no place for gains.
        memory_.remember(raw_key_.data(), key);
    }
}

// A decided node counts as undecided until it has reported to its parents, or one that
// waits for several would take those yet to come for what it wants them to be.
void Residual::decide(NodeId node, bool is_true) {
    if (is_undecided(node)) {
        pending_.push_back({node, is_true});
    }
}

// First come, first served: what settles a gate was pending before the last of those
// that leave it open, which alone would settle it the other way.
void Residual::propagate() {
    for (std::size_t next = 0; next < pending_.size(); ++next) {
        auto const [id, is_true] = pending_[next];
        if (is_undecided(id)) {
            undecided_[index_of(id) / 64] &= ~(Word{1} << (index_of(id) % 64));
            report_to_owners(layout_.node(id), is_true);
            report_to_parents(layout_.node(id), is_true);
        }
    }
    pending_.clear();
}

void Residual::report_to_owners(ResidualNode const& node, bool is_true) {
    for (NodeOwner const& owner : node.owners) {
        bool const holds = is_true != owner.is_negated;
        switch (owner.kind) {
        case NodeOwner::Kind::reward:
            if (holds && instance_.is_sum) {
                gained_.push_back(owner.subject);
            } else if (holds) {
                held_ = std::max(held_, layout_.level_of(owner.subject));
            }
            break;
        case NodeOwner::Kind::allowed:
            if (!holds) {
                kill(owner.subject);
            }
            break;
        case NodeOwner::Kind::clause:
            if (holds) {
                tails_[owner.subject] = std::min(tails_[owner.subject], owner.clause);
            }
            break;
        }
    }
}

void Residual::report_to_parents(ResidualNode const& node, bool is_true) {
    for (NodeRef const ref : node.parents) {
        if (!is_undecided(ref.node)) {
            continue;
        }
        ResidualNode const& parent = layout_.node(ref.node);
        bool const decisive = parent.kind == Kind::any;
        if ((is_true != ref.is_negated) == decisive) {
            decide(ref.node, decisive);
        } else if (std::none_of(
                       parent.inside.begin(), parent.inside.end(),
                       [this](NodeRef each) { return is_undecided(each.node); })) {
            decide(ref.node, !decisive);
        }
    }
}

void Residual::kill(std::size_t action) {
    for (NodeId const literal : layout_.literals(action)) {
        decide(literal, false);
    }
}

std::uint64_t Residual::rank() const {
    std::uint64_t total = 0;
    for (Word const word : undecided_) {
        total += static_cast<std::uint64_t>(std::popcount(word));
    }
    for (std::uint32_t const a : layout_.repeatable()) {
        total += static_cast<std::uint64_t>(attempts_[a]);
    }
    return total;
}

// What a state offers now: the actions that can be taken, the reward for stopping.

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
