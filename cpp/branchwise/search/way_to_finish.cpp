#include "branchwise/search/way_to_finish.hpp"

#include <algorithm>
#include <limits>

namespace branchwise {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

// What costs nothing is not for nothing: it takes a step.
constexpr double step = 1e-6;

// In a circle efforts settle after a few rounds; more would not make a guess better.
constexpr std::size_t most_rounds = 8;

} // namespace

WayToFinish::WayToFinish(ResidualLayout const& layout)
    : layout_(layout), efforts_(layout.nodes().size()) {}

double WayToFinish::charge(std::size_t action) const {
    Variant const& variant = layout_.instance().actions[action].variants.back();
    return variant.charge + step;
}

// What is decided of an undecided `all` holds, and of an undecided `any` does not; an
// action of which something is undecided can still be taken.
double WayToFinish::effort(Residual const& residual, NodeRef ref) const {
    return residual.is_undecided(ref.node) && !ref.is_negated
               ? efforts_[index_of(ref.node)]
               : 0;
}

double WayToFinish::guess(Residual const& residual, NodeId node) const {
    ResidualNode const& what = layout_.node(node);
    double result = 0;
    switch (what.kind) {
    case ResidualNode::Kind::literal: {
        auto const& variant = layout_.instance().actions[what.action].variants.back();
        bool const is_outcome = what.outcome < variant.probabilities.size();
        double const likely = is_outcome ? variant.probabilities[what.outcome] : 1;
        result = charge(what.action) / std::max(likely, step) +
                 effort(residual, what.allowed);
        break;
    }
    case ResidualNode::Kind::all:
        for (NodeRef const part : what.inside) {
            result += effort(residual, part);
        }
        break;
    case ResidualNode::Kind::any:
        result = endless;
        for (NodeRef const part : what.inside) {
            if (residual.is_undecided(part.node)) {
                result = std::min(result, effort(residual, part));
            }
        }
        break;
    case ResidualNode::Kind::at_least:
        result = step;
        break;
    }
    return result;
}

// A node comes after what it is made of, but for circles.
void WayToFinish::guess_efforts(Residual const& residual) {
    std::fill(efforts_.begin(), efforts_.end(), endless);
    bool is_new = true;
    for (std::size_t round = 0; is_new && round < most_rounds; ++round) {
        is_new = false;
        residual.for_each_undecided([&](std::size_t node) {
            double const found = guess(residual, static_cast<NodeId>(node));
            is_new |= found < efforts_[node];
            efforts_[node] = std::min(efforts_[node], found);
        });
        is_new &= layout_.is_cyclic();
    }
}

std::uint32_t WayToFinish::choice(Residual const& residual,
                                  std::span<AvailableAction const> actions) {
    guess_efforts(residual);
    NodeRef at = layout_.finish();
    // No way is longer than there are nodes; one in a circle leads nowhere.
    for (std::size_t i = 0; i < efforts_.size(); ++i) {
        if (at.is_negated || !residual.is_undecided(at.node)) {
            break;
        }
        ResidualNode const& what = layout_.node(at.node);
        if (what.kind == ResidualNode::Kind::literal) {
            for (std::size_t a = 0; a < actions.size(); ++a) {
                if (actions[a].action == what.action) {
                    return static_cast<std::uint32_t>(a);
                }
            }
            at = what.allowed;
            continue;
        }
        bool const wants_all = what.kind == ResidualNode::Kind::all;
        NodeRef next{};
        double least = endless;
        bool is_found = false;
        for (NodeRef const part : what.inside) {
            double const cost = effort(residual, part);
            bool const is_open = residual.is_undecided(part.node) && !part.is_negated;
            if (is_open && (!is_found || (!wants_all && cost < least))) {
                next = part;
                least = cost;
                is_found = true;
            }
        }
        if (!is_found) {
            break;
        }
        at = next;
    }
    return 0;
}

} // namespace branchwise
