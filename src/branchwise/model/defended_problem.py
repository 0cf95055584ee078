"""What is left of a problem once defenses are in place: a problem again."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import combinations

from branchwise.errors import did_you_mean
from branchwise.model.action import Action
from branchwise.model.budget import UNLIMITED, Amounts
from branchwise.model.conditions.condition import NEVER
from branchwise.model.defense import Defense
from branchwise.model.outcome import Outcome
from branchwise.model.problem import Problem


def defended(problem: Problem, chosen: Iterable[str]) -> Problem:
    """
    Return the problem that these defenses leave to the attacker.

    Parameters
    ----------
    problem
        A problem without contradictions, with defenses.
    chosen
        The names of those that are in place, in any order. Their budget is not looked
        at, but no two of them may exclude each other.

    Returns
    -------
    Problem
        An ordinary problem, without defenses: what they forbid can never be taken,
        and costs and probabilities are as they leave them.

    Examples
    --------
    >>> from branchwise.model.problem import Reward
    >>> phish = Action("phish", outcomes={"clicked": 0.4, "ignored": 0.6})
    >>> filter = Defense("filter", scales={"phish": {"clicked": 0.5}})
    >>> problem = Problem([phish], [Reward("phish=clicked", 9)], defenses=[filter])
    >>> [
    ...     float(o.probability)
    ...     for o in defended(problem, ["filter"]).actions[0].outcomes
    ... ]
    [0.2, 0.8]
    """
    names = {chosen} if isinstance(chosen, str) else set(chosen)
    known = [defense.name for defense in problem.defenses]
    for name in sorted(names.difference(known)):
        raise ValueError(f"there is no defense {name!r}{did_you_mean(name, known)}")
    found = [defense for defense in problem.defenses if defense.name in names]
    for one, other in combinations(found, 2):
        if not one.is_compatible(other):
            raise ValueError(f"{one.name!r} and {other.name!r} exclude each other")
    return left_by(problem, found)


def left_by(problem: Problem, defenses: Sequence[Defense]) -> Problem:
    """
    Return what defenses leave of a problem, even of such as exclude each other.

    No two of them may change the probabilities of one action, nor together scale every
    outcome of one.
    """
    return replace(
        problem,
        actions=tuple(hardened(action, defenses) for action in problem.actions),
        defenses=(),
        defense_budget=UNLIMITED,
    )


def hardened(action: Action, defenses: Sequence[Defense]) -> Action:
    """
    Return an action as defenses leave it; in which order they come does not matter.

    What one of them forbids is forbidden, what they raise adds up, changes come before
    what scales them, and scales multiply.
    """
    touching = [defense for defense in defenses if action.name in defense.touched]
    if not touching:
        return action
    raises = [d.raises[action.name] for d in touching if action.name in d.raises]
    hard = action.with_costs(lambda cost: reduce(Amounts.plus, raises, cost))
    given = (
        replace(g, outcomes=g.outcomes and _probabilities(action, g.outcomes, touching))
        for g in hard.given
    )
    is_forbidden = any(action.name in defense.forbids for defense in touching)
    left = _probabilities(action, action.outcomes, touching)
    own = {outcome.label: outcome for outcome in action.outcomes}
    return replace(
        hard,
        # What an outcome does besides stays with it.
        outcomes=tuple(
            own[o.label].with_probability(o.probability, low=o.low, high=o.high)
            for o in left
        ),
        requires=NEVER if is_forbidden else action.requires,
        given=tuple(given),
    )


def _scaled(
    probabilities: Sequence[Outcome],
    labels: Sequence[str],
    left: Sequence[tuple[str, Fraction]],
) -> tuple[Outcome, ...]:
    """
    Leave outcomes only a share of their probability; the others take what is lost.

    They take it in proportion, or in equal parts where none of them could happen. What
    is left is said by labels, of which one may come several times.
    """
    before = {outcome.label: outcome.probability for outcome in probabilities}
    after = {label: before.get(label, Fraction(0)) for label in labels}
    for label, share in left:
        after[label] *= share
    lost = 1 - sum(after.values(), Fraction(0))
    named = {label for label, _ in left}
    takers = {label: after[label] for label in labels if label not in named}
    total = sum(takers.values(), Fraction(0))
    for label, probability in takers.items() if lost else ():
        share = probability / total if total else Fraction(1, len(takers))
        after[label] += lost * share
    return tuple(Outcome(label, number) for label, number in after.items())


def _probabilities(
    action: Action, probabilities: tuple[Outcome, ...], defenses: Collection[Defense]
) -> tuple[Outcome, ...]:
    """Return probabilities as defenses leave them; untouched ones stay as they are."""
    name, labels = action.name, action.labels
    changed = next((d.changes[name] for d in defenses if name in d.changes), None)
    left = [pair for d in defenses for pair in d.scales.get(name, {}).items()]
    if changed is not None:
        given = {outcome.label: outcome for outcome in changed}
        probabilities = tuple(given.get(label) or Outcome(label, 0) for label in labels)
    return _scaled(probabilities, labels, left) if left else probabilities
