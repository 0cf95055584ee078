#include "branchwise/search/bounds/likely_way.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace branchwise {

namespace {

using Kind = ResidualNode::Kind;

constexpr double out_of_reach = std::numeric_limits<double>::infinity();

} // namespace

LikelyWay::LikelyWay(ResidualLayout const& layout,
                     std::vector<std::vector<double>> chances)
    : layout_(layout), chances_(std::move(chances)), weights_(layout.nodes().size()),
      parts_(layout.nodes().size(), no_part),
      is_taken_(layout.instance().actions.size()), is_collected_(layout.nodes().size()),
      taste_(layout.instance().actions.size()) {}

double LikelyWay::chance_of(ResidualNode const& literal) const {
    if (literal.outcome == ResidualNode::no_outcome ||
        literal.outcome == ResidualNode::again) {
        return 1;
    }
    auto const& action = layout_.instance().actions[literal.action];
    return chances_[literal.action][literal.outcome - index_of(action.first_outcome)];
}

// In a circle of conditions a part may come later; there no way leads through it.
double LikelyWay::weight_of(Residual const& residual, std::size_t node,
                            NodeRef ref) const {
    if (ref.is_negated || !residual.is_undecided(ref.node)) {
        return 0;
    }
    return index_of(ref.node) < node ? weights_[index_of(ref.node)] : out_of_reach;
}

double LikelyWay::weight_of_literal(Residual const& residual, std::size_t node,
                                    double thrift) const {
    ResidualNode const& literal = layout_.nodes()[node];
    double const chance = chance_of(literal);
    double weight = weight_of(residual, node, literal.allowed);
    if (chance <= 0) {
        return out_of_reach;
    }
    if (is_taken_[literal.action] != 0) {
        return weight; // It is on the way in any case.
    }
    // Weights add up where probabilities multiply.
    double own = -std::log(chance);
    for (std::size_t r = 0; r < layout_.instance().budget.size(); ++r) {
        double const price = static_cast<double>(residual.cheapest(literal.action, r));
        own += thrift * price / std::max(1.0, static_cast<double>(residual.left(r)));
    }
    return weight + taste_[literal.action] * own;
}

// One sweep upwards: an `all` weighs as much as its parts together, an `any` as its
// lightest part. Parts that share an action count it twice, so the result is a guess;
// what it is worth is worked out from the actions that were collected.
void LikelyWay::weigh(Residual const& residual, double thrift) {
    residual.for_each_undecided([&](std::size_t index) {
        ResidualNode const& node = layout_.nodes()[index];
        if (node.kind == Kind::literal) {
            weights_[index] = weight_of_literal(residual, index, thrift);
            return;
        }
        bool const is_all = node.kind == Kind::all;
        double result = is_all ? 0 : out_of_reach;
        parts_[index] = no_part;
        for (std::uint32_t i = 0; i < node.inside.size(); ++i) {
            if (!residual.is_undecided(node.inside[i].node)) {
                continue;
            }
            double const part = weight_of(residual, index, node.inside[i]);
            if (is_all) {
                result += part;
            } else if (part < result) {
                result = part;
                parts_[index] = i;
            }
        }
        // That a counter compares so may take nothing, or what is not known here.
        bool const is_free = node.kind == Kind::at_least && result == out_of_reach;
        weights_[index] = is_free ? 0 : result;
    });
}

void LikelyWay::collect(Residual const& residual, std::size_t goal) {
    std::fill(is_collected_.begin(), is_collected_.end(), 0);
    literals_.clear();
    pending_.assign(1, static_cast<std::uint32_t>(goal));
    auto const want = [&](NodeRef ref) {
        if (!ref.is_negated && residual.is_undecided(ref.node)) {
            pending_.push_back(static_cast<std::uint32_t>(index_of(ref.node)));
        }
    };
    while (!pending_.empty()) {
        std::uint32_t const index = pending_.back();
        pending_.pop_back();
        if (std::exchange(is_collected_[index], 1) != 0) {
            continue;
        }
        ResidualNode const& node = layout_.nodes()[index];
        if (node.kind == Kind::literal) {
            literals_.push_back(index);
            want(node.allowed);
        } else if (node.kind == Kind::all) {
            std::for_each(node.inside.begin(), node.inside.end(), want);
        } else if (parts_[index] != no_part) {
            want(node.inside[parts_[index]]);
        }
    }
    std::fill(is_taken_.begin(), is_taken_.end(), 0);
    for (std::uint32_t const literal : literals_) {
        is_taken_[layout_.nodes()[literal].action] = 1;
    }
}

bool LikelyWay::is_affordable(Residual const& residual) const {
    for (std::size_t r = 0; r < layout_.instance().budget.size(); ++r) {
        std::int64_t left = residual.left(r);
        for (std::size_t a = 0; a < is_taken_.size() && left >= 0; ++a) {
            left -= is_taken_[a] != 0 ? residual.cheapest(a, r) : 0;
        }
        if (left < 0) {
            return false;
        }
    }
    return true;
}

// Two outcomes of one action do not come true together.
double LikelyWay::chance() const {
    double result = 1;
    std::vector<std::uint8_t> is_met(is_taken_.size());
    for (std::uint32_t const index : literals_) {
        ResidualNode const& literal = layout_.nodes()[index];
        if (literal.outcome != ResidualNode::no_outcome &&
            literal.outcome != ResidualNode::again) {
            result *=
                std::exchange(is_met[literal.action], 1) == 0 ? chance_of(literal) : 0;
        }
    }
    return result;
}

// If it costs too much, look for one that makes more use of what is on it, then for a
// thriftier one; once one is found, look again in the first way.
bool LikelyWay::try_goal(Residual const& residual, std::size_t reward, Pursuit& best) {
    std::fill(is_taken_.begin(), is_taken_.end(), 0);
    std::size_t const goal = index_of(layout_.reward(reward).node);
    double const gain = layout_.instance().rewards[reward].value - residual.held();
    double thrift = 0;
    std::size_t num_again = 0;
    bool shares = true;
    for (std::size_t i = 0; i < most_thrifty && num_again < most_again; ++i) {
        weigh(residual, thrift);
        if (weights_[goal] == out_of_reach) {
            return true; // None at all, for any taste.
        }
        collect(residual, goal);
        double const worth = residual.held() + gain * chance();
        if (!is_affordable(residual)) {
            shares = !shares;
            if (shares) {
                thrift = thrift == 0 ? 1 : 4 * thrift;
                std::fill(is_taken_.begin(), is_taken_.end(), 0);
            }
            continue;
        }
        ++num_again;
        if (worth > best.worth) {
            best.worth = worth;
            best.actions.clear();
            for (std::uint32_t const literal : literals_) {
                best.actions.push_back(literal);
            }
        }
    }
    return num_again > 0;
}

// Where ways share much, weights that count all of it every time mislead. What weighs a
// little more or less leads elsewhere: the same on every machine.
void LikelyWay::vary_taste(std::size_t number) {
    std::uint64_t mixed = number;
    for (double& taste : taste_) {
        mixed = mixed * 6364136223846793005U + 1442695040888963407U;
        double const share = static_cast<double>(mixed >> 32U) * 0x1p-32;
        taste = number == 0 ? 1 : 0.25 + 1.5 * share;
    }
}

Pursuit LikelyWay::find(Residual const& residual) {
    Pursuit best;
    best.worth = residual.held();
    for (std::size_t i = 0; i < layout_.instance().rewards.size(); ++i) {
        NodeRef const ref = layout_.reward(i);
        if (!ref.is_negated && residual.is_undecided(ref.node) &&
            layout_.instance().rewards[i].value > residual.held()) {
            bool is_settled = false;
            for (std::size_t number = 0; number < most_tries && !is_settled; ++number) {
                vary_taste(number);
                is_settled = try_goal(residual, i, best);
            }
        }
    }
    // What is likely to fail comes first: then the rest of the budget is still there
    // for another way.
    std::stable_sort(best.actions.begin(), best.actions.end(),
                     [this](std::uint32_t a, std::uint32_t b) {
                         return chance_of(layout_.nodes()[a]) <
                                chance_of(layout_.nodes()[b]);
                     });
    for (std::uint32_t& action : best.actions) {
        action = layout_.nodes()[action].action;
    }
    return best;
}

} // namespace branchwise
