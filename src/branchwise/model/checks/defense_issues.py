"""Defenses that contradict themselves, each other, or the actions they speak of."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from branchwise.errors import Issue, Path, did_you_mean
from branchwise.model.checks.features.hidden import plain_issues
from branchwise.model.checks.issue import about, listed, shown, ticked
from branchwise.model.checks.naming import Mentions, name_issues, repeated_issues
from branchwise.model.checks.probability import outcomes_issues
from branchwise.model.checks.spending import amounts_issues
from branchwise.model.defense import Defense
from branchwise.model.problem import Problem

_MOST_DEFENSES = 500
# A search for a combination may end early: it is then taken for a sound one.
_MOST_COMBINATIONS = 2_000


def defense_issues(problem: Problem, mentions: Mentions) -> Iterator[Issue]:
    """Find everything that keeps the defenses of a problem from meaning something."""
    if problem.defense_budget < 0:
        what = f"the defender's budget is {shown(problem.defense_budget)}, less than 0"
        fix = "write a number of at least 0, or `unlimited`"
        yield about(("defense_budget",), what, fix)
    yield from repeated_issues(problem.defenses, "defense")
    if len(problem.defenses) > _MOST_DEFENSES:
        what = f"there are {len(problem.defenses):,} defenses; each is compared with "
        what += f"all others, so that there may be {_MOST_DEFENSES:,}"
        yield about(("defenses",), what, "leave out those that matter least")
        return
    checks = _Checks(problem, mentions)
    for defense in problem.defenses:
        yield from checks.defense(defense)
    for one, other in combinations(problem.defenses, 2):
        if one.name != other.name and one.is_compatible(other):
            yield from _both_change(one, other)
    yield from _nothing_left(problem)


class _Checks:
    """What can be said of a defense on its own."""

    def __init__(self, problem: Problem, mentions: Mentions) -> None:
        self._problem = problem
        self._actions = {action.name: action for action in problem.actions}
        self._names = [defense.name for defense in problem.defenses]
        self._mentions = mentions

    def defense(self, defense: Defense) -> Iterator[Issue]:
        path: Path = ("defenses", defense.name)
        yield from name_issues(path, defense.name, "defense")
        if defense.cost < 0:
            what = f"the cost is {shown(defense.cost)}, less than 0"
            yield about((*path, "cost"), what, "write a number of at least 0")
        if not defense.touched:
            fix = "add `forbids: [a1]`, `raises`, `changes` or `scales`, or remove it"
            yield about(path, "this defense has no effect", fix, culprit=defense.name)
        yield from self._excludes(defense, path)
        yield from self._effects(defense, path)

    def _excludes(self, defense: Defense, path: Path) -> Iterator[Issue]:
        for index, name in enumerate(defense.excludes):
            place = (*path, "excludes", index)
            if name == defense.name:
                what, fix = "a defense cannot exclude itself", "remove it"
                yield about(place, what, fix, culprit=name)
            elif name not in self._names:
                hint = did_you_mean(name, self._names)
                nearest = hint.removeprefix("; did you mean ").removesuffix("?")
                others = [n for n in self._names if n != defense.name]
                known = nearest or (listed(others, "or") if others else "")
                what = f"there is no defense {ticked(name)}{hint}"
                fix = f"write {known}, or remove it" if known else "remove it"
                yield about(place, what, fix, culprit=name)

    def _effects(self, defense: Defense, path: Path) -> Iterator[Issue]:
        for index, name in enumerate(defense.forbids):
            yield from self._known((*path, "forbids", index), name)
        for name, more in defense.raises.items():
            place = (*path, "raises", name)
            yield from self._known(place, name)
            yield from amounts_issues(place, more, self._problem.budget)
            if any(more.interval(resource) for resource in more.named):
                what = "what a defense adds to a cost has no interval"
                yield about(place, what, "write one number for each resource")
        for name, probabilities in defense.changes.items():
            place = (*path, "changes", name)
            yield from self._known(place, name)
            yield from outcomes_issues(place, probabilities)
            yield from plain_issues(place, probabilities, "a defense")
            yield from self._labels(place, name, [o.label for o in probabilities])
        for name, left in defense.scales.items():
            place = (*path, "scales", name)
            yield from self._known(place, name)
            yield from self._labels(place, name, left)
            yield from _share_issues(place, left)

    def _known(self, path: Path, name: str) -> Iterator[Issue]:
        if name not in self._actions:
            yield self._mentions.unknown_action(path, name)

    def _labels(self, path: Path, name: str, labels: Iterable[str]) -> Iterator[Issue]:
        action = self._actions.get(name)
        for label in dict.fromkeys(labels if action else ()):
            if action and label not in action.labels:
                yield self._mentions.unknown_outcome((*path, label), name, label)


def _share_issues(path: Path, left: Mapping[str, Fraction]) -> Iterator[Issue]:
    for label, share in left.items():
        if not 0 <= share <= 1:
            what = f"{shown(share)} of the probability of {ticked(label)} "
            what += "cannot be left"
            fix = "write a number from 0 to 1, or give all probabilities "
            fix += "under `changes`"
            yield about((*path, label), what, fix)


def _both_change(one: Defense, other: Defense) -> Iterator[Issue]:
    """Of two defenses with probabilities of their own, it is open which count."""
    for action in other.changes:
        if action in one.changes:
            what = f"{ticked(one.name)} and {ticked(other.name)} both give "
            what += f"{ticked(action)} other probabilities, and both may be chosen"
            fix = f"write `excludes: [{one.name}]` here, or `scales` instead"
            yield about(("defenses", other.name, "changes", action), what, fix)


def _nothing_left(problem: Problem) -> Iterator[Issue]:
    """Find defenses that together scale every outcome of an action."""
    by_action: dict[str, list[Defense]] = {}
    for defense in problem.defenses:
        for name in defense.scales:
            by_action.setdefault(name, []).append(defense)
    for action in problem.actions if by_action else ():
        together = _covering(action.labels, action.name, by_action.get(action.name, []))
        if not together:
            continue
        path: Path = ("defenses", together[-1].name, "scales", action.name)
        scale = "scales" if len(together) == 1 else "together scale"
        what = f"{listed(d.name for d in together)} {scale} every outcome of "
        what += f"{ticked(action.name)}: none is left to take what they lose"
        fix = "leave one of the outcomes out"
        if len(together) > 1:
            fix += f", or write `excludes: [{together[0].name}]`"
        yield about(path, what, fix, culprit=action.name)


def _covering(
    labels: Sequence[str], action: str, scaling: Sequence[Defense]
) -> list[Defense]:
    """Find few compatible defenses that scale every outcome; none if there are none."""
    pending: list[tuple[list[Defense], frozenset[str]]] = [([], frozenset(labels))]
    for _ in range(_MOST_COMBINATIONS):
        if not pending:
            break
        chosen, uncovered = pending.pop(0)
        if not uncovered:
            return sorted(chosen, key=scaling.index)
        label = min(uncovered, key=labels.index)
        for defense in scaling:
            scales = label in defense.scales[action]
            if scales and all(map(defense.is_compatible, chosen)):
                left = uncovered - frozenset(defense.scales[action])
                pending.append(([*chosen, defense], left))
    return []
