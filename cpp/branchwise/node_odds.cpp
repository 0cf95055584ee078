#include "branchwise/node_odds.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <utility>

namespace branchwise {

namespace {

using Kind = ResidualNode::Kind;

bool share_nothing(std::vector<Word> const& one, std::vector<Word> const& other) {
    for (std::size_t w = 0; w < one.size(); ++w) {
        if ((one[w] & other[w]) != 0) {
            return false;
        }
    }
    return true;
}

} // namespace

NodeOdds::NodeOdds(ResidualLayout const& layout, Draws draws)
    : layout_(layout), draws_(std::move(draws)),
      best_draws_(layout.instance().actions.size()), prices_(best_draws_.size()),
      nobody_((best_draws_.size() + 63) / 64), known_(layout.nodes().size()) {
    std::vector<std::uint32_t> subjects(best_draws_.size(), ResidualNode::no_outcome);
    for (ResidualNode const& node : layout.nodes()) {
        if (node.kind == Kind::literal && node.outcome != ResidualNode::no_outcome) {
            auto& subject = subjects[node.action];
            is_monotone_ &=
                subject == ResidualNode::no_outcome || subject == node.outcome;
            subject = node.outcome;
            auto const first =
                index_of(layout.instance().actions[node.action].first_outcome);
            best_draws_[node.action] = std::max(
                best_draws_[node.action], draws_[node.action][node.outcome - first]);
        }
    }
    for (Known& known : known_) {
        clear(known);
    }
}

void NodeOdds::clear(Known& known) const {
    known.drawn = nobody_;
    known.paid = nobody_;
    known.support = nobody_;
    known.anys.clear();
}

void NodeOdds::work_out(Residual const& residual) {
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
        }
    });
}

// One resource is enough for a bound: the one that pays for the fewest actions. Costs
// are rounded down to so many units that there are few of them.
void NodeOdds::measure(Residual const& residual) {
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
bool NodeOdds::is_open(Residual const& residual, std::size_t node, NodeRef ref) const {
    return !ref.is_negated && residual.is_undecided(ref.node) &&
           index_of(ref.node) < node;
}

void NodeOdds::add(Known const& part, Known& whole) const {
    for (std::size_t w = 0; w < nobody_.size(); ++w) {
        whole.drawn[w] |= part.drawn[w];
        whole.paid[w] |= part.paid[w];
        whole.support[w] |= part.support[w];
    }
    for (std::uint32_t const any : part.anys) {
        if (std::find(whole.anys.begin(), whole.anys.end(), any) == whole.anys.end()) {
            whole.anys.push_back(any);
        }
    }
}

void NodeOdds::work_out_literal(Residual const& residual, std::size_t node) {
    ResidualNode const& literal = layout_.nodes()[node];
    Known& known = known_[node];
    if (is_open(residual, node, literal.allowed)) {
        add(known_[index_of(literal.allowed.node)], known);
    }
    set_bit(known.paid.data(), literal.action);
    set_bit(known.support.data(), literal.action);
    if (literal.outcome != ResidualNode::no_outcome) {
        set_bit(known.drawn.data(), literal.action);
    }
    combine(node);
}

void NodeOdds::work_out_all(Residual const& residual, std::size_t node) {
    for (NodeRef const ref : layout_.nodes()[node].inside) {
        if (is_open(residual, node, ref)) {
            add(known_[index_of(ref.node)], known_[node]);
        }
    }
    combine(node);
}

// All musts come true; or some `any` do that share no action, and those musts that they
// do not depend on.
void NodeOdds::combine(std::size_t node) {
    Known& known = known_[node];
    known.odds.assign(num_units_ + 1, 0);
    double const drawn = product(known.drawn, nobody_);
    for (std::size_t left = price(known.paid, nobody_); left <= num_units_; ++left) {
        known.odds[left] = drawn;
    }
    for (std::uint32_t const first : known.anys) {
        Actions support = known_[first].support;
        std::vector<std::uint32_t> apart{first};
        for (std::uint32_t const any : known.anys) {
            Actions const& more = known_[any].support;
            if (share_nothing(support, more)) {
                std::transform(support.begin(), support.end(), more.begin(),
                               support.begin(), std::bit_or<>());
                apart.push_back(any);
            }
        }
        lower_to(known, apart, support);
    }
}

void NodeOdds::lower_to(Known& known, std::span<std::uint32_t const> apart,
                        Actions const& support) const {
    double const more = product(known.drawn, support);
    std::size_t const paid = price(known.paid, support);
    for (std::size_t left = paid; left <= num_units_; ++left) {
        double odds = more;
        for (std::uint32_t const any : apart) {
            odds *= known_[any].odds[left - paid];
        }
        known.odds[left] = std::min(known.odds[left], odds);
    }
    std::fill_n(known.odds.begin(), std::min(paid, num_units_ + 1), 0.0);
}

// What all parts need is a must of the whole. A part that is for free leaves none.
void NodeOdds::work_out_any(Residual const& residual, std::size_t node) {
    Known& known = known_[node];
    bool is_first = true;
    bool is_free = false;
    for (NodeRef const ref : layout_.nodes()[node].inside) {
        if (!residual.is_undecided(ref.node)) {
            continue;
        }
        is_free |= !is_open(residual, node, ref);
        Known const& part = known_[index_of(ref.node)];
        for (std::size_t w = 0; w < nobody_.size(); ++w) {
            known.drawn[w] = is_first ? part.drawn[w] : known.drawn[w] & part.drawn[w];
            known.paid[w] = is_first ? part.paid[w] : known.paid[w] & part.paid[w];
            known.support[w] |= part.support[w];
        }
        is_first = false;
    }
    if (is_free) {
        clear(known);
        known.odds.assign(num_units_ + 1, 1);
    } else {
        known.anys.push_back(static_cast<std::uint32_t>(node));
        unite_parts(residual, node);
    }
}

// Once the musts have come true, the parts are what is left of them.
void NodeOdds::unite_parts(Residual const& residual, std::size_t node) {
    Known& known = known_[node];
    double const common = product(known.drawn, nobody_);
    known.odds.assign(num_units_ + 1, 0);
    for (std::size_t left = 0; left <= num_units_ && common > 0; ++left) {
        double missed = 1;
        double total = 0;
        for (NodeRef const ref : layout_.nodes()[node].inside) {
            if (residual.is_undecided(ref.node)) {
                double const odds = known_[index_of(ref.node)].odds[left];
                double const part = std::min(1.0, odds / common);
                missed *= 1 - part;
                total += part;
            }
        }
        known.odds[left] = common * united(missed, total);
    }
}

double NodeOdds::united(double missed, double total) const {
    return is_monotone_ ? 1 - missed : std::min(1.0, total);
}

double NodeOdds::product(Actions const& actions, Actions const& except) const {
    double result = 1;
    for (std::size_t w = 0; w < actions.size(); ++w) {
        for (Word word = actions[w] & ~except[w]; word != 0; word &= word - 1) {
            result *=
                best_draws_[w * 64 + static_cast<std::size_t>(std::countr_zero(word))];
        }
    }
    return result;
}

std::size_t NodeOdds::price(Actions const& actions, Actions const& except) const {
    std::size_t result = 0;
    for (std::size_t w = 0; w < actions.size(); ++w) {
        for (Word word = actions[w] & ~except[w]; word != 0; word &= word - 1) {
            result +=
                prices_[w * 64 + static_cast<std::size_t>(std::countr_zero(word))];
        }
    }
    return result;
}

double NodeOdds::of_any(Residual const& residual,
                        std::span<NodeRef const> nodes) const {
    double missed = 1;
    double total = 0;
    for (NodeRef const ref : nodes) {
        bool const is_free = ref.is_negated || !residual.is_undecided(ref.node);
        double const odds = is_free ? 1 : known_[index_of(ref.node)].odds[num_units_];
        missed *= 1 - odds;
        total += odds;
    }
    return united(missed, total);
}

} // namespace branchwise
