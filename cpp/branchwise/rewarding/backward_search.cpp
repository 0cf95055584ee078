#include "branchwise/rewarding/backward_search.hpp"

#include <algorithm>
#include <utility>

namespace branchwise {

BackwardSearch::BackwardSearch(Instance const& instance,
                               std::vector<std::int64_t> const& attempts,
                               ConditionTerms& terms)
    : instance_(instance), terms_(terms), ways_(instance.num_outcomes()),
      rivals_(instance.num_outcomes(), terms.none()) {
    // An action that is taken once has one outcome, so its others are rivals of it.
    for (std::size_t i = 0; i < instance.actions.size(); ++i) {
        OutcomeSet const& outcomes = terms.outcomes(i);
        if (attempts[i] != 1) {
            repeated_.push_back({outcomes, attempts[i]});
            continue;
        }
        outcomes.for_each([&](std::size_t outcome) {
            rivals_[outcome] = outcomes;
            rivals_[outcome].remove(outcome);
        });
    }
    for (InstanceAction const& action : instance.actions) {
        add_ways(action);
    }
}

/// Each clause counts where it is the first to hold.
void BackwardSearch::add_ways(InstanceAction const& action) {
    Terms earlier{Term(terms_.none(), terms_.none())};
    for (Variant const& variant : action.variants) {
        Terms const here = terms_.both(earlier, terms_.of(variant.when));
        add_ways(action, variant, terms_.both(here, terms_.of(action.allowed)));
        if (&variant != &action.variants.back()) {
            earlier = terms_.both(earlier, terms_.of(variant.when, false));
        }
    }
}

void BackwardSearch::add_ways(InstanceAction const& action, Variant const& variant,
                              Terms const& terms) {
    for (Term const& term : terms) {
        OutcomeSet const rivals = rivals_of(term.needs);
        for (std::size_t i = 0; i < action.num_outcomes; ++i) {
            // An outcome cannot need itself, and avoids itself at first anyway.
            std::size_t const outcome = index_of(action.first_outcome) + i;
            if (variant.can_happen(i) && !term.needs.has(outcome)) {
                OutcomeSet avoids = term.avoids;
                avoids.remove(outcome);
                ways_[outcome].push_back({num_ways_++, term.needs, std::move(avoids),
                                          rivals, &variant.price});
            }
        }
    }
}

/// The outcomes that some of these leave no attempt for.
OutcomeSet BackwardSearch::rivals_of(OutcomeSet const& needs) const {
    OutcomeSet rivals = terms_.none();
    needs.for_each([&](std::size_t outcome) { rivals |= rivals_[outcome]; });
    return rivals;
}

/// Are the actions that are taken several times often enough?
bool BackwardSearch::has_attempts(OutcomeSet const& needs) const {
    return std::ranges::all_of(repeated_, [&](Repeated const& each) {
        return std::cmp_less_equal((needs & each.outcomes).size(), each.attempts);
    });
}

void BackwardSearch::reach(std::uint32_t goal, ConditionId when,
                           std::vector<Derivation>& found) {
    for (Term const& final : terms_.of(when)) {
        if (final.needs.meets(rivals_of(final.needs)) || !has_attempts(final.needs)) {
            continue;
        }
        links_.clear();
        std::vector<Partial> pending{{final.needs, final.needs, instance_.budget, 0}};
        while (!pending.empty()) {
            Partial const partial = std::move(pending.back());
            pending.pop_back();
            if (!partial.open.is_empty()) {
                grow(partial, pending);
            } else if (has_order(partial, final)) {
                found.push_back({goal, &final, reasons(partial), partial.needs});
                if (found.size() > most_sets) {
                    throw TooManyToList();
                }
            }
        }
    }
}

/// Find every reason for the first outcome that lacks one.
void BackwardSearch::grow(Partial const& partial, std::vector<Partial>& grown) {
    std::size_t const outcome = partial.open.first();
    for (Way const& way : ways_[outcome]) {
        if (++num_steps_ > most_steps) {
            throw TooManyToList();
        }
        terms_.look();
        Partial next{partial.needs | way.needs, way.needs, partial.left, 0};
        bool is_affordable = true;
        for (std::size_t i = 0; i < next.left.size(); ++i) {
            next.left[i] -= (*way.price)[i];
            is_affordable = is_affordable && next.left[i] >= 0;
        }
        if (is_affordable && !next.needs.meets(way.rivals) &&
            has_attempts(next.needs)) {
            next.open -= partial.needs;
            next.open |= partial.open;
            next.open.remove(outcome);
            links_.push_back({outcome, &way, partial.last});
            next.last = links_.size();
            grown.push_back(std::move(next));
        }
    }
}

/// What must have happened before each outcome: what it needs, and what avoids it.
std::vector<BackwardSearch::Wait> BackwardSearch::waits(Partial const& partial) const {
    std::vector<Wait> waits;
    for (std::size_t at = partial.last; at != 0; at = links_[at - 1].before) {
        waits.push_back({links_[at - 1].outcome, links_[at - 1].way->needs});
    }
    for (std::size_t at = partial.last; at != 0; at = links_[at - 1].before) {
        Link const& link = links_[at - 1];
        for (Wait& wait : waits) {
            if (link.way->avoids.has(wait.outcome)) {
                wait.before.add(link.outcome);
            }
        }
    }
    return waits;
}

/// Can the outcomes happen in some order? Each comes after all it needs and before all
/// it avoids; the goal comes last, so nothing it avoids may be among them.
bool BackwardSearch::has_order(Partial const& partial, Term const& final) const {
    if (final.avoids.meets(partial.needs)) {
        return false;
    }
    std::vector<Wait> const all = waits(partial);
    OutcomeSet done = terms_.none();
    for (std::size_t round = 0; round < all.size() && done != partial.needs; ++round) {
        for (Wait const& wait : all) {
            if (wait.before.is_within(done)) {
                done.add(wait.outcome);
            }
        }
    }
    return done == partial.needs;
}

std::vector<std::uint32_t> BackwardSearch::reasons(Partial const& partial) const {
    std::vector<std::uint32_t> result;
    for (std::size_t at = partial.last; at != 0; at = links_[at - 1].before) {
        result.push_back(links_[at - 1].way->reason);
    }
    std::ranges::sort(result);
    return result;
}

} // namespace branchwise
