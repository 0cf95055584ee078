#include "branchwise/paper/states/condition_tests.hpp"

#include <algorithm>
#include <cassert>

namespace branchwise {

namespace {

using Kind = Condition::Kind;

} // namespace

// A condition becomes a comparison of masks: "these bits, of those". Facts of an `all`
// are bits to have, negated ones bits not to have, and all of them fit into one
// comparison per word. What does not, an `any` inside or a negated `all`, is a test of
// its own.
TestId ConditionTests::add(ConditionId condition) {
    Draft wishes = draft();
    want_all(wishes, condition);
    return finish(wishes, true);
}

TestId ConditionTests::add_untried(ConditionId condition, ActionId action) {
    Draft wishes = draft();
    want_all(wishes, condition);
    add_bits(wishes.unwanted,
             {Kind::attempted, static_cast<std::uint32_t>(action), {}});
    return finish(wishes, true);
}

GatedTest ConditionTests::gated(TestId test) const {
    // In words beyond the first there may be more to test.
    return {test, layout_.num_words() == 1 ? gate(nodes_[index_of(test)]) : Gate{}};
}

// A gate decides most conditions with two comparisons; `is_all` if it decides for good,
// so that the test itself need not be run.
Gate ConditionTests::gate(Node const& node) const {
    assert(node.is_all && !node.is_negated);
    Gate gate;
    if (node.first_part != node.last_part) {
        gate.mask = parts_[node.first_part].mask;
        gate.wanted = parts_[node.first_part].wanted;
    }
    gate.is_all = node.first_inner == node.last_inner;
    if (node.first_inner + 1 == node.last_inner) {
        Node const& inner = nodes_[index_of(inner_[node.first_inner])];
        bool const is_choice = !inner.is_all && !inner.is_negated &&
                               inner.first_inner == inner.last_inner &&
                               inner.first_part != inner.last_part;
        gate.any = is_choice ? parts_[inner.first_part].mask : Gate::open;
        gate.is_all = is_choice;
    }
    return gate;
}

ConditionTests::Draft ConditionTests::draft() const {
    return {std::vector<Word>(layout_.num_words()),
            std::vector<Word>(layout_.num_words()),
            {}};
}

void ConditionTests::want_all(Draft& wishes, ConditionId id) {
    Condition const& condition = instance_.conditions[id];
    switch (condition.kind) {
    case Kind::attempted:
        if (instance_.actions[condition.subject].num_outcomes > 1) {
            Draft either = draft();
            want_any(either, id);
            wishes.inner.push_back(finish(either, false));
            break;
        }
        [[fallthrough]];
    case Kind::happened:
        add_bits(wishes.wanted, condition);
        break;
    case Kind::all:
        std::ranges::for_each(condition.inside,
                              [&](auto inner) { want_all(wishes, inner); });
        break;
    case Kind::any: {
        Draft either = draft();
        want_any(either, id);
        wishes.inner.push_back(finish(either, false));
        break;
    }
    case Kind::negation:
        want_none(wishes, condition.inside[0]);
        break;
    case Kind::again:
    case Kind::at_least:
        assert(false); // Outcome vectors have no counters.
        break;
    }
}

void ConditionTests::want_none(Draft& wishes, ConditionId id) {
    Condition const& condition = instance_.conditions[id];
    switch (condition.kind) {
    case Kind::attempted:
    case Kind::happened:
        add_bits(wishes.unwanted, condition);
        break;
    case Kind::all: {
        Draft both = draft();
        want_all(both, id);
        wishes.inner.push_back(finish(both, true, true));
        break;
    }
    case Kind::any:
        std::ranges::for_each(condition.inside,
                              [&](auto inner) { want_none(wishes, inner); });
        break;
    case Kind::negation:
        want_all(wishes, condition.inside[0]);
        break;
    case Kind::again:
    case Kind::at_least:
        assert(false); // Outcome vectors have no counters.
        break;
    }
}

void ConditionTests::want_any(Draft& wishes, ConditionId id) {
    Condition const& condition = instance_.conditions[id];
    if (condition.kind == Kind::any) {
        std::ranges::for_each(condition.inside,
                              [&](auto inner) { want_any(wishes, inner); });
    } else if (condition.kind == Kind::happened || condition.kind == Kind::attempted) {
        add_bits(wishes.wanted, condition);
    } else {
        wishes.inner.push_back(add(id));
    }
}

void ConditionTests::add_bits(std::vector<Word>& words, Condition const& fact) const {
    std::uint32_t first = fact.subject;
    std::uint32_t last = first + 1;
    if (fact.kind == Kind::attempted) {
        InstanceAction const& action = instance_.actions[fact.subject];
        first = static_cast<std::uint32_t>(action.first_outcome);
        last = first + action.num_outcomes;
    }
    for (std::uint32_t outcome = first; outcome < last; ++outcome) {
        BitField const field = layout_.happened(OutcomeId{outcome});
        words[field.word] |= field.mask();
    }
}

TestId ConditionTests::finish(Draft const& wishes, bool is_all, bool is_negated) {
    Node node{is_all,
              is_negated,
              static_cast<std::uint32_t>(parts_.size()),
              0,
              static_cast<std::uint32_t>(inner_.size()),
              0};
    for (std::uint32_t word = 0; word < wishes.wanted.size(); ++word) {
        Word const wanted = wishes.wanted[word];
        Word const unwanted = wishes.unwanted[word];
        if ((wanted & unwanted) != 0) {
            // Nothing is both: no word, masked with nothing, is one.
            parts_.push_back({word, 0, 1});
        } else if ((wanted | unwanted) != 0) {
            parts_.push_back({word, wanted | unwanted, wanted});
        }
    }
    inner_.insert(inner_.end(), wishes.inner.begin(), wishes.inner.end());
    node.last_part = static_cast<std::uint32_t>(parts_.size());
    node.last_inner = static_cast<std::uint32_t>(inner_.size());
    nodes_.push_back(node);
    return static_cast<TestId>(nodes_.size() - 1);
}

} // namespace branchwise
