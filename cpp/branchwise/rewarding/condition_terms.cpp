#include "branchwise/rewarding/condition_terms.hpp"

#include <algorithm>
#include <cassert>

namespace branchwise {

ConditionTerms::ConditionTerms(Instance const& instance, std::size_t limit,
                               RunWatch& watch)
    : instance_(instance), limit_(limit), watch_(watch),
      possible_(instance.num_outcomes()), known_(2 * instance.conditions.size()) {
    for (InstanceAction const& action : instance.actions) {
        OutcomeSet& own = outcomes_.emplace_back(none());
        for (std::size_t i = 0; i < action.num_outcomes; ++i) {
            std::size_t const outcome = index_of(action.first_outcome) + i;
            possible_[outcome] = std::ranges::any_of(
                action.variants, [i](Variant const& v) { return v.can_happen(i); });
            if (possible_[outcome]) {
                own.add(outcome);
            }
        }
    }
}

Terms const& ConditionTerms::of(ConditionId condition, bool holds) {
    std::optional<Terms>& known = known_[2 * index_of(condition) + (holds ? 1 : 0)];
    if (!known) {
        known = work_out(instance_.conditions[condition], holds);
    }
    return *known;
}

Terms ConditionTerms::work_out(Condition const& condition, bool holds) {
    switch (condition.kind) {
    case Condition::Kind::happened: {
        OutcomeSet outcomes = none();
        if (possible_[condition.subject]) {
            outcomes.add(condition.subject);
        }
        return literal(outcomes, holds);
    }
    case Condition::Kind::attempted:
        return literal(outcomes_[condition.subject], holds);
    case Condition::Kind::negation:
        return of(condition.inside[0], !holds);
    case Condition::Kind::all:
        return holds ? all_of(condition.inside, holds)
                     : any_of(condition.inside, holds);
    case Condition::Kind::again:
    case Condition::Kind::at_least:
        assert(false); // Rewarding sets have no counters.
        break;
    case Condition::Kind::any:
        break;
    }
    return holds ? any_of(condition.inside, holds) : all_of(condition.inside, holds);
}

/// The ways for one of the outcomes to have happened, or for none.
Terms ConditionTerms::literal(OutcomeSet const& outcomes, bool holds) const {
    Terms terms;
    if (!holds) {
        terms.emplace_back(none(), outcomes);
        return terms;
    }
    outcomes.for_each([&](std::size_t outcome) {
        OutcomeSet needs = none();
        needs.add(outcome);
        terms.emplace_back(std::move(needs), none());
    });
    return terms;
}

Terms ConditionTerms::any_of(std::vector<ConditionId> const& inside, bool holds) {
    std::set<Term> found;
    for (ConditionId const part : inside) {
        for (Term const& term : of(part, holds)) {
            add(found, term);
        }
    }
    return minimal(found);
}

Terms ConditionTerms::all_of(std::vector<ConditionId> const& inside, bool holds) {
    Terms found{Term(none(), none())};
    for (ConditionId const part : inside) {
        found = both(found, of(part, holds));
    }
    return found;
}

// Terms that need and avoid the same outcome can never hold. Dropping covered terms on
// the way keeps the product from growing with every part.
Terms ConditionTerms::both(Terms const& some, Terms const& others) {
    if (some.size() == 1 && some[0].size == 0) {
        return others;
    }
    std::set<Term> joined;
    for (Term const& a : some) {
        look();
        for (Term const& b : others) {
            Term term(a.needs | b.needs, a.avoids | b.avoids);
            if (!term.needs.meets(term.avoids)) {
                add(joined, std::move(term));
            }
        }
    }
    return minimal(joined);
}

void ConditionTerms::add(std::set<Term>& terms, Term term) const {
    terms.insert(std::move(term));
    if (terms.size() > limit_) {
        throw TooManyToList();
    }
}

/// Leave out the terms that another one covers.
Terms ConditionTerms::minimal(std::set<Term> const& terms) {
    Terms kept;
    for (Term const& term : terms) {
        look();
        if (std::ranges::none_of(
                kept, [&](Term const& other) { return other.covers(term); })) {
            kept.push_back(term);
        }
    }
    return kept;
}

void ConditionTerms::look() {
    if (!watch_.goes_on({.stage = "rewarding sets"})) {
        throw RunStopped(watch_.ending());
    }
}

} // namespace branchwise
