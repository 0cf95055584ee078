"""A planning problem as a document: facts are counters of one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Final

from branchwise.errors import FormatError, Issue
from branchwise.formats.document.nodes import MapNode
from branchwise.formats.foreign.draft import Draft, Part
from branchwise.formats.foreign.ppddl import formula as logic
from branchwise.formats.foreign.ppddl.costs import Costs
from branchwise.formats.foreign.ppddl.grounding import (
    GroundAction,
    Reachable,
    atoms_in,
    ground_actions,
)
from branchwise.formats.foreign.ppddl.lists import Group, groups_of
from branchwise.formats.foreign.ppddl.planning import (
    Atom,
    Planning,
    domain_wanted,
    kind_of,
    name_of,
    planning_of,
)
from branchwise.formats.place import Place
from branchwise.formats.source_file import file_bytes
from branchwise.formats.source_text import decode, excerpt, refuse
from branchwise.model.conditions.condition import Condition, all_of, any_of
from branchwise.model.conditions.quantity import CounterValue

_STEPS: Final = 20
_MOST_GUARDS: Final = 6
_MOST_FILES: Final = 100
_LONGEST_LABEL: Final = 60
_ENDINGS: Final = (".pddl", ".ppddl")

Effect = tuple[tuple[Atom, bool], ...]
"""Facts that come to hold, or no longer do."""


def document_nodes(data: bytes, source: str) -> tuple[MapNode, list[Issue]]:
    """Read a problem with its domain as a document; the issues are assumptions."""
    domain, problem = _definitions(decode(data, source), source)
    return _Reading(planning_of(domain, problem), source, domain.place).document()


def _definitions(text: str, source: str) -> tuple[Group, Group]:
    """Return the domain and the problem; the domain may stand in a file beside."""
    found = {kind_of(group): group for group in groups_of(text, source)}
    if "problem" not in found:
        what = "there is no problem in this file"
        if "domain" in found:
            what = f"this is the domain {excerpt(name_of(found['domain']))}, of which "
            what += "there may be many problems"
        fix = "give the file of the problem: `(define (problem ...) ...)`"
        raise refuse(Place(source, 1, 1), what, fix)
    problem = found["problem"]
    if "domain" in found:
        return found["domain"], problem
    wanted = domain_wanted(problem)
    for path in _beside(Path(source)):
        domain = _domain_in(path, wanted)
        if domain is not None:
            return domain, problem
    what = f"the domain {excerpt(wanted)} is neither in this file nor in one beside it"
    fix = "put the file of the domain into the same folder: `domain.pddl`, say"
    raise refuse(problem.place, what, fix)


def _beside(path: Path) -> Iterator[Path]:
    """Yield files that may have the domain of a problem, the likeliest first."""
    if not path.is_file():
        return
    names = [path.stem.replace("problem", "domain"), "domain", f"{path.stem}-domain"]
    named = [path.with_name(f"{n}{e}") for n in names for e in _ENDINGS]
    others = sorted(p for p in path.parent.iterdir() if p.suffix.lower() in _ENDINGS)
    for each in dict.fromkeys([*named, *others[:_MOST_FILES]]):
        if each != path and each.is_file():
            yield each


def _domain_in(path: Path, wanted: str) -> Group | None:
    """Return the domain of a name, if a file has it."""
    try:
        groups = groups_of(decode(file_bytes(path), str(path)), str(path))
        domains = [each for each in groups if kind_of(each) == "domain"]
    except FormatError:
        return None
    return next((each for each in domains if name_of(each) == wanted), None)


class _Reading:
    """Turns a planning problem into a document."""

    def __init__(self, planning: Planning, source: str, domain: Place) -> None:
        self._planning, self._source, self._domain = planning, source, domain
        self._draft = Draft(planning.place, planning.name)
        self._grounder = logic.Grounder(planning)
        self._costs = Costs(planning)
        self._names: dict[Atom, str] = {}
        self._has_costs = self._is_least = False

    def document(self) -> tuple[MapNode, list[Issue]]:
        """Return the document, and what was assumed."""
        planning, draft = self._planning, self._draft
        assert planning.goal is not None
        goal = self._grounder.formula(planning.goal, {})
        found = Reachable(self._actions(), planning.init)
        self._check_goal(found.settled(goal) if found.may(goal) else logic.FALSE)
        goal = found.settled(goal)
        relevant = _relevant(found, goal)
        self._weigh(found.actions)
        for atom in sorted(relevant):
            self._names[atom] = draft.free_name(" ".join(atom))
            start = int(atom in planning.init)
            draft.counter(self._names[atom], "0..1", start, planning.place)
        for action in found.actions:
            self._add(action, found)
        self._aim(self._condition(goal))
        self._assume()
        return draft.node(), draft.issues

    def _actions(self) -> list[GroundAction]:
        return ground_actions(self._planning, self._grounder, self._costs)

    def _weigh(self, actions: list[GroundAction]) -> None:
        """Decide what costs count for: a resource, unless all are as steps are."""
        costs = {action.cost for action in actions}
        has_costs = costs != {0} and (self._costs.is_reward or len(costs) > 1)
        is_sure = all(len(action.cases) == 1 for action in actions)
        self._is_least = self._costs.is_least and is_sure and costs != {0}
        self._has_costs = has_costs or self._is_least
        budget: dict[str, Part] = {"steps": _STEPS}
        if self._has_costs:
            budget["cost"] = "unlimited"
        self._draft.say("budget", budget)
        if self._is_least or (self._costs.is_reward and has_costs):
            self._draft.say("cost_weight", {"cost": 1})

    def _aim(self, goal: Condition) -> None:
        planning, draft = self._planning, self._draft
        assert planning.goal is not None
        if self._is_least:
            draft.say("finish", goal)
            draft.say("objective", "least-cost")
            return
        worth = planning.goal_reward if self._costs.is_reward else Fraction(1)
        draft.reward(goal, worth, planning.goal.place)

    def _check_goal(self, goal: logic.Formula) -> None:
        place = self._planning.place
        if goal == logic.FALSE:
            what = "nothing leads to the goal: its probability is 0"
            raise refuse(place, what, "check the goal, `:init` and the actions")
        if goal == logic.TRUE:
            what = "the goal holds from the start: its probability is 1"
            raise refuse(place, what, "check the goal and `:init`")

    def _add(self, action: GroundAction, found: Reachable) -> None:
        """Add an action: several, where effects depend on what holds."""
        changes = (each for each in action.changes() if each.atom in self._names)
        guards = {found.settled(change.when) for change in changes}
        guards -= {logic.TRUE, logic.FALSE}
        if len(guards) > _MOST_GUARDS:
            what = f"{excerpt(action.name)} has more than {_MOST_GUARDS} effects that "
            what += "depend on what holds"
            raise refuse(action.place, what, "split the action in several")
        precondition = found.settled(action.precondition)
        order = sorted(guards, key=repr)
        for truth in product((True, False), repeat=len(order)):
            true = dict(zip(order, truth, strict=True))
            when = (
                each if is_so else logic.negated(each) for each, is_so in true.items()
            )
            requires = logic.every(precondition, *when)
            chances = self._chances(action.cases, found, true)
            if requires != logic.FALSE and any(chances):
                self._add_one(action, requires, chances)

    def _chances(
        self,
        cases: Iterable[logic.Case],
        found: Reachable,
        true: Mapping[logic.Formula, bool],
    ) -> dict[Effect, Fraction]:
        """Return how likely each effect is; of no effect, the empty one."""
        chances: dict[Effect, Fraction] = defaultdict(Fraction)
        for case in cases:
            effect: dict[Atom, bool] = {}
            for change in case.changes:
                when = found.settled(change.when)
                if change.atom in self._names and true.get(when, when == logic.TRUE):
                    # What is added and deleted at once holds afterwards.
                    effect[change.atom] = change.holds or effect.get(change.atom, False)
            chances[tuple(sorted(effect.items()))] += case.probability
        return chances

    def _add_one(
        self,
        action: GroundAction,
        requires: logic.Formula,
        chances: dict[Effect, Fraction],
    ) -> None:
        common = set.intersection(*map(set, chances))
        outcomes: dict[str, Part] = {}
        for number, (effect, chance) in enumerate(chances.items(), 1):
            label = self._label(effect, common, number, outcomes)
            changes = {self._names[atom]: 1 if holds else -1 for atom, holds in effect}
            said: dict[str, Part] = {"probability": chance, "effects": changes}
            outcomes[label] = said if changes else chance
        document: dict[str, Part] = {"attempts": "unlimited", "outcomes": outcomes}
        if self._has_costs:
            document["cost"] = {"steps": 1, "cost": action.cost}
        if requires != logic.TRUE:
            document["requires"] = self._condition(requires)
        self._draft.action(self._draft.free_name(action.name), document, action.place)

    def _label(
        self, effect: Effect, common: set[tuple[Atom, bool]], number: int, known: object
    ) -> str:
        """Return what is special about an outcome, in words."""
        special = [each for each in effect if each not in common]
        words = ", ".join(
            self._names[atom] if holds else f"not {self._names[atom]}"
            for atom, holds in special
        )
        label = words or ("done" if number == 1 else "otherwise")
        assert isinstance(known, dict)
        is_fine = len(label) <= _LONGEST_LABEL and label not in known
        return label if is_fine else f"case {number}"

    def _condition(self, formula: logic.Formula) -> Condition:
        match formula:
            case logic.Fact(atom):
                return CounterValue(self._names[atom]).equals(1)
            case logic.Negated(logic.Fact(atom)):
                return CounterValue(self._names[atom]).equals(0)
            case logic.Every(parts):
                return all_of(*map(self._condition, parts))
            case logic.Some(parts):
                return any_of(*map(self._condition, parts))
        raise TypeError(f"no condition: {formula!r}")

    def _assume(self) -> None:
        draft, planning = self._draft, self._planning
        what = f"the goal is to be reached within {_STEPS} steps"
        typed = "--budget steps=8" if self._has_costs else "--budget 8"
        draft.assume(planning.place, what, f"say another number: `{typed}`")
        if self._domain.source != self._source:
            name = Path(self._domain.source).name
            what = f"the domain is the one in {excerpt(name)}"
            draft.assume(planning.place, what, "put both into one file, if it is not")
        self._assume_costs()
        for section in [*planning.left_out, *self._costs.left_out]:
            what = f"{excerpt(f'({section.head} ...)')} is left out: a plan makes the "
            what += "probability of the goal largest"
            draft.assume(section.place, what, "say other values by hand in YAML")
        changes = list(self._costs.changes_left_out())
        if changes:
            what = "numbers that actions change are left out, but for what an action "
            what += f"surely costs ({len(changes)} times)"
            draft.assume(changes[0].place, what, "say costs by hand in YAML")

    def _assume_costs(self) -> None:
        draft, costs = self._draft, self._costs
        metric = self._planning.metric
        place = self._planning.place if metric is None else metric.place
        if self._is_least:
            what = "the goal is to be reached for the least cost; no outcome is left "
            what += "to chance"
            draft.assume(place, what, "limit what is spent: `--budget cost=30`, say")
        elif costs.is_reward:
            what = "a plan makes the reward of the goal, less costs of actions, largest"
            draft.assume(place, what, "say other rewards by hand in YAML")
        elif costs.is_least or self._has_costs:
            what = (
                "costs of actions do not decide: a plan makes the probability of the "
            )
            what += "goal largest"
            fix = "nothing, if this is meant"
            if self._has_costs:
                fix = "limit what is spent: `--budget cost=30`, say"
            draft.assume(place, what, fix)


def _relevant(found: Reachable, goal: logic.Formula) -> set[Atom]:
    """Keep the actions that may matter to the goal; return the facts that may."""
    relevant = set(atoms_in(goal))
    kept: list[GroundAction] = []
    waiting = found.actions
    while True:
        useful = [
            each
            for each in waiting
            if any(change.atom in relevant for change in each.changes())
        ]
        asked: set[Atom] = set()
        for action in [*kept, *useful]:
            asked |= {*atoms_in(found.settled(action.precondition))}
            for change in action.changes():
                if change.atom in relevant:
                    asked |= {*atoms_in(found.settled(change.when))}
        kept += useful
        taken = set(map(id, useful))
        waiting = [each for each in waiting if id(each) not in taken]
        if asked <= relevant and not useful:
            found.actions = kept
            return relevant
        relevant |= asked
