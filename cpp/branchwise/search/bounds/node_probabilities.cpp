#include "branchwise/search/bounds/node_probabilities.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

// The bound goes up the undecided nodes once. An example: `scan` succeeds with 0.5,
// `mail` with 0.4, `admin` with 0.8 and requires one of the two; all cost 1, and 2 is
// left. By the units that may be spent, 0, 1 or 2, a node can be had with probability
// at most
//
//     scan=ok               0   0.5   0.5     must: the draw of scan, one unit
//     mail=ok               0   0.4   0.4     must: the draw of mail, one unit
//     scan=ok or mail=ok    0   0.7   0.7     1 - 0.5 * 0.6; no must of both
//     admin=ok              0   0     0.56    0.8 * 0.7, less its own unit
//
// The musts of `admin=ok` alone, its own draw and unit, would allow 0.8 from one unit
// on. What it requires shares no action with them, is therefore independent of them,
// and lowers that: with two units to 0.8 * 0.7, with one unit to 0.8 * 0. That the
// budget does not pay for both scan and mail is lost; with a reward of 10 the bound is
// 5.6, the optimum is 4.

namespace branchwise {

namespace {

using Kind = ResidualNode::Kind;

using Bits = std::vector<Word>;

void unite(Bits const& more, Bits& bits) {
    std::transform(bits.begin(), bits.end(), more.begin(), bits.begin(),
                   std::bit_or<>());
}

Bits shared(Bits bits, Bits const& other) {
    std::transform(bits.begin(), bits.end(), other.begin(), bits.begin(),
                   std::bit_and<>());
    return bits;
}

bool share_nothing(Bits const& one, Bits const& other) {
    for (std::size_t w = 0; w < one.size(); ++w) {
        if ((one[w] & other[w]) != 0) {
            return false;
        }
    }
    return true;
}

} // namespace

NodeProbabilities::NodeProbabilities(ResidualLayout const& layout, Draws const& draws)
    : layout_(layout), prices_(layout.instance().actions.size()),
      no_action_((prices_.size() + 63) / 64), known_(layout.nodes().size()) {
    for (std::size_t a = 0; a < draws.size(); ++a) {
        draws_.insert(draws_.end(), draws[a].begin(), draws[a].end());
        actions_.insert(actions_.end(), draws[a].size(), a);
    }
    no_outcome_.resize((draws_.size() + 63) / 64);
    std::vector<std::uint32_t> subjects(prices_.size(), ResidualNode::no_outcome);
    for (ResidualNode const& node : layout.nodes()) {
        if (node.kind == Kind::literal && node.outcome != ResidualNode::no_outcome &&
            node.outcome != ResidualNode::again) {
            auto& subject = subjects[node.action];
            is_monotone_ &=
                subject == ResidualNode::no_outcome || subject == node.outcome;
            subject = node.outcome;
        }
    }
    for (Known& known : known_) {
        clear(known);
    }
}

void NodeProbabilities::clear(Known& known) const {
    known.drawn = no_outcome_;
    known.paid = no_action_;
    known.support = no_action_;
    known.anys.clear();
}

void NodeProbabilities::work_out(Residual const& residual) {
    measure(residual);
    residual.for_each_undecided([&](std::size_t node) {
        clear(known_[node]);
        switch (layout_.nodes()[node].kind) {
        case Kind::literal:
            work_out_literal(residual, node);
            break;
        case Kind::all:
            work_out_all(residual, node);
            break;
        case Kind::any:
            work_out_any(residual, node);
            break;
        case Kind::at_least: // free, whatever it takes
            known_[node].probabilities.assign(num_units_ + 1, 1);
            break;
        }
    });
}

// One resource is enough for a bound: the one that pays for the fewest actions. Costs
// are rounded down to so many units that there are few of them.
void NodeProbabilities::measure(Residual const& residual) {
    auto const& instance = layout_.instance();
    std::fill(prices_.begin(), prices_.end(), 0);
    num_units_ = 0;
    double scarcest = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < instance.budget.size(); ++r) {
        double total = 0;
        for (std::size_t a = 0; a < prices_.size(); ++a) {
            total += static_cast<double>(residual.cheapest(a, r));
        }
        double const share = static_cast<double>(residual.left(r)) / total;
        if (total <= 0 || share >= scarcest) {
            continue;
        }
        scarcest = share;
        auto const left = static_cast<std::size_t>(residual.left(r));
        std::size_t const unit = left / most_units + 1;
        num_units_ = left / unit;
        for (std::size_t a = 0; a < prices_.size(); ++a) {
            prices_[a] = static_cast<std::size_t>(residual.cheapest(a, r)) / unit;
        }
    }
}

// In a circle of conditions a part may come later; then it counts as free.
bool NodeProbabilities::is_open(Residual const& residual, std::size_t node,
                                NodeRef ref) const {
    return !ref.is_negated && residual.is_undecided(ref.node) &&
           index_of(ref.node) < node;
}

void NodeProbabilities::add(Known const& part, Known& whole) const {
    unite(part.drawn, whole.drawn);
    unite(part.paid, whole.paid);
    unite(part.support, whole.support);
    for (std::uint32_t const any : part.anys) {
        if (std::find(whole.anys.begin(), whole.anys.end(), any) == whole.anys.end()) {
            whole.anys.push_back(any);
        }
    }
}

void NodeProbabilities::work_out_literal(Residual const& residual, std::size_t node) {
    ResidualNode const& literal = layout_.nodes()[node];
    Known& known = known_[node];
    if (is_open(residual, node, literal.allowed)) {
        add(known_[index_of(literal.allowed.node)], known);
    }
    set_bit(known.paid.data(), literal.action);
    set_bit(known.support.data(), literal.action);
    if (literal.outcome != ResidualNode::no_outcome &&
        literal.outcome != ResidualNode::again) {
        set_bit(known.drawn.data(), literal.outcome);
    }
    combine(node);
}

void NodeProbabilities::work_out_all(Residual const& residual, std::size_t node) {
    for (NodeRef const ref : layout_.nodes()[node].inside) {
        if (is_open(residual, node, ref)) {
            add(known_[index_of(ref.node)], known_[node]);
        }
    }
    combine(node);
}

// All musts come true; or some `any` do that share no action, and those musts that they
// do not depend on.
void NodeProbabilities::combine(std::size_t node) {
    Known& known = known_[node];
    known.probabilities.assign(num_units_ + 1, 0);
    double const drawn = product(known.drawn, no_action_);
    for (std::size_t left = price(known.paid, no_action_); left <= num_units_; ++left) {
        known.probabilities[left] = drawn;
    }
    for (std::uint32_t const first : known.anys) {
        Bits support = known_[first].support;
        std::vector<std::uint32_t> apart{first};
        for (std::uint32_t const any : known.anys) {
            Bits const& more = known_[any].support;
            if (share_nothing(support, more)) {
                unite(more, support);
                apart.push_back(any);
            }
        }
        lower_to(known, apart, support);
    }
}

void NodeProbabilities::lower_to(Known& known, std::span<std::uint32_t const> apart,
                                 Bits const& support) const {
    double const more = product(known.drawn, support);
    std::size_t const paid = price(known.paid, support);
    for (std::size_t left = paid; left <= num_units_; ++left) {
        double probability = more;
        for (std::uint32_t const any : apart) {
            probability *= known_[any].probabilities[left - paid];
        }
        known.probabilities[left] = std::min(known.probabilities[left], probability);
    }
    std::fill_n(known.probabilities.begin(), std::min(paid, num_units_ + 1), 0.0);
}

// What all parts need is a must of the whole. A part that is for free leaves none.
void NodeProbabilities::work_out_any(Residual const& residual, std::size_t node) {
    Known& known = known_[node];
    bool is_first = true;
    bool is_free = false;
    for (NodeRef const ref : layout_.nodes()[node].inside) {
        if (!residual.is_undecided(ref.node)) {
            continue;
        }
        is_free |= !is_open(residual, node, ref);
        Known const& part = known_[index_of(ref.node)];
        known.drawn = is_first ? part.drawn : shared(known.drawn, part.drawn);
        known.paid = is_first ? part.paid : shared(known.paid, part.paid);
        unite(part.support, known.support);
        is_first = false;
    }
    if (is_free) {
        clear(known);
        known.probabilities.assign(num_units_ + 1, 1);
    } else {
        known.anys.push_back(static_cast<std::uint32_t>(node));
        unite_parts(residual, node);
    }
}

// Once the musts have come true, the parts are what is left of them.
void NodeProbabilities::unite_parts(Residual const& residual, std::size_t node) {
    Known& known = known_[node];
    double const common = product(known.drawn, no_action_);
    known.probabilities.assign(num_units_ + 1, 0);
    for (std::size_t left = 0; left <= num_units_ && common > 0; ++left) {
        double missed = 1;
        double total = 0;
        for (NodeRef const ref : layout_.nodes()[node].inside) {
            if (residual.is_undecided(ref.node)) {
                double const probability =
                    known_[index_of(ref.node)].probabilities[left];
                double const part = std::min(1.0, probability / common);
                missed *= 1 - part;
                total += part;
            }
        }
        known.probabilities[left] = common * united(missed, total);
    }
}

double NodeProbabilities::united(double missed, double total) const {
    return is_monotone_ ? 1 - missed : std::min(1.0, total);
}

// Draws of different actions are independent. Those of one action may come with each
// other, so only the least likely one counts; they stand in a row.
double NodeProbabilities::product(Bits const& outcomes, Bits const& except) const {
    double result = 1;
    double least = 1;
    std::size_t action = 0;
    for_each_bit(outcomes, [&](std::size_t outcome) {
        if (has_bit(except.data(), actions_[outcome])) {
            return;
        }
        if (actions_[outcome] != action) {
            result *= std::exchange(least, 1);
            action = actions_[outcome];
        }
        least = std::min(least, draws_[outcome]);
    });
    return result * least;
}

std::size_t NodeProbabilities::price(Bits const& actions, Bits const& except) const {
    std::size_t result = 0;
    for_each_bit(actions, [&](std::size_t action) {
        result += has_bit(except.data(), action) ? 0 : prices_[action];
    });
    return result;
}

double NodeProbabilities::of_any(Residual const& residual,
                                 std::span<NodeRef const> nodes) const {
    double missed = 1;
    double total = 0;
    for (NodeRef const ref : nodes) {
        bool const is_free = ref.is_negated || !residual.is_undecided(ref.node);
        double const probability =
            is_free ? 1 : known_[index_of(ref.node)].probabilities[num_units_];
        missed *= 1 - probability;
        total += probability;
    }
    return united(missed, total);
}

} // namespace branchwise
