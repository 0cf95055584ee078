"""Attack flows, in whatever file: steps, conditions and operators, and what follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from branchwise.errors import Issue
from branchwise.formats.document.nodes import MapNode
from branchwise.formats.foreign.draft import Draft, Part
from branchwise.formats.place import Place
from branchwise.formats.source_text import refuse
from branchwise.model.conditions import condition as conditions

Kind = Literal["action", "condition", "AND", "OR"]

_DONE: Final = "done"
_FAILED: Final = "failed"
_TRUE: Final = "true"
_FALSE: Final = "false"
_CHANCES: Final = {"action": "0.9", "condition": "0.5"}
_MOST_JOINED: Final = 20_000
_MOST_STEPS: Final = 5_000


@dataclass(frozen=True, slots=True)
class Step:
    """A node of a flow."""

    # An action of the attacker, a condition, or an operator that joins what leads here.
    kind: Kind
    name: str
    place: Place
    # What is known of an action: its `outcomes`, the first of which is success, its
    # `cost` and the like.
    said: Mapping[str, Part]
    value: Part | None = None  # What reaching it is worth, if that is known
    # Of a condition: which outcome of the actions before it makes it true, where it is
    # not their success.
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """An arrow of a flow; from a condition, where it is true or where it is false."""

    start: str
    end: str
    is_true: bool = True


@dataclass(frozen=True, slots=True)
class Flow:
    """A flow: its nodes by their identifiers, and the arrows between them."""

    name: str
    place: Place
    steps: Mapping[str, Step]
    links: Iterable[Link]
    said: Mapping[str, Part]
    num_others: int = 0


def flow_document(flow: Flow) -> tuple[MapNode, list[Issue]]:
    """Return the document of a flow; the issues say what was assumed."""
    return _Writing(flow).document()


class _Writing:
    """Turns arrows into conditions."""

    def __init__(self, flow: Flow) -> None:
        if len(flow.steps) > _MOST_STEPS:
            what = (
                f"the flow has {len(flow.steps):,} steps, conditions and operators; at "
            )
            what += f"most {_MOST_STEPS:,} are read"
            raise refuse(flow.place, what, "take a part of the flow")
        self._flow = flow
        self._draft = Draft(flow.place, flow.name)
        self._names = {
            key: self._draft.free_name(step.name)
            for key, step in flow.steps.items()
            if step.kind == "action" or self._is_looked_at(key)
        }
        self._num_joined = 0
        self._num_guessed = 0
        self._num_worth_guessed = 0

    def document(self) -> tuple[MapNode, list[Issue]]:
        """Return the document, and what was assumed."""
        flow, draft = self._flow, self._draft
        for key, part in flow.said.items():
            draft.say(key, part)
        for key, name in self._names.items():
            self._add(key, name)
        if not draft.num_actions:
            what = "the flow has no action"
            raise refuse(flow.place, what, "add an `attack-action`")
        if flow.said.get("objective") != "least-cost":
            self._add_rewards()
        self._assume()
        return draft.node(), draft.issues

    # What leads where.

    @cached_property
    def _before(self) -> dict[str, list[Link]]:
        found: dict[str, list[Link]] = {key: [] for key in self._flow.steps}
        for link in dict.fromkeys(self._flow.links):
            if link.start in found and link.end in found:
                found[link.end].append(link)
        return found

    @cached_property
    def _starts(self) -> dict[str, set[bool]]:
        """From what steps arrows start, and on which side."""
        found: dict[str, set[bool]] = {}
        for links in self._before.values():
            for link in links:
                found.setdefault(link.start, set()).add(link.is_true)
        return found

    def _is_looked_at(self, key: str) -> bool:
        """Whether a condition depends on no action, so that one has to look."""
        step = self._flow.steps[key]
        if step.kind != "condition":
            return False
        before = [self._flow.steps[link.start] for link in self._before[key]]
        if not before:
            return step.value is None
        has_action = any(each.kind == "action" for each in before)
        return False in self._starts.get(key, ()) and not has_action

    def _reached(
        self, key: str, within: frozenset[str], *, is_true: bool = True
    ) -> conditions.Condition:
        """Return the condition that a step is reached, and comes out so."""
        self._num_joined += 1
        step = self._flow.steps[key]
        if self._num_joined > _MOST_JOINED:
            what = "operators and conditions are joined in more ways than can be "
            raise refuse(step.place, f"{what}written out", "take a part of the flow")
        if step.kind == "action":
            return conditions.Happened(self._names[key], self._success(key))
        if key in self._names:
            return conditions.Happened(self._names[key], _TRUE if is_true else _FALSE)
        if key in within:
            return conditions.NEVER  # What leads back to itself adds nothing.
        if step.kind == "condition" and not is_true:
            return conditions.any_of(*self._failures(key))
        within |= {key}
        parts = [
            self._outcome(link, step, within)
            if step.outcome
            else self._reached(link.start, within, is_true=link.is_true)
            for link in self._before[key]
        ]
        return (
            conditions.all_of(*parts)
            if step.kind == "AND"
            else conditions.any_of(*parts)
        )

    def _outcome(
        self, link: Link, step: Step, within: frozenset[str]
    ) -> conditions.Condition:
        if self._flow.steps[link.start].kind == "action":
            return conditions.Happened(self._names[link.start], step.outcome)
        return self._reached(link.start, within, is_true=link.is_true)

    def _failures(self, key: str) -> list[conditions.Condition]:
        """Return the outcomes of actions that make a condition false."""
        wanted = self._flow.steps[key].outcome
        found: list[conditions.Condition] = []
        for link in self._before[key]:
            if self._flow.steps[link.start].kind == "action":
                true = wanted or self._success(link.start)
                labels = [each for each in self._labels(link.start) if each != true]
                name = self._names[link.start]
                found += (conditions.Happened(name, label) for label in labels)
        return found

    def _labels(self, key: str) -> list[str]:
        outcomes = self._flow.steps[key].said.get("outcomes")
        if isinstance(outcomes, Mapping):
            return list(outcomes)
        return [_DONE, _FAILED]

    def _success(self, key: str) -> str:
        return self._labels(key)[0]

    # The document.

    @cached_property
    def _usual_cost(self) -> str:
        return self._draft.parameter("cost of a step", 1, self._flow.place)

    def _add(self, key: str, name: str) -> None:
        step = self._flow.steps[key]
        parts = [
            self._reached(link.start, frozenset(), is_true=link.is_true)
            for link in self._before[key]
        ]
        said = dict(step.said)
        if parts and (requires := conditions.any_of(*parts)) != conditions.ALWAYS:
            said["requires"] = requires
        if "outcomes" not in said:
            labels = (_DONE, _FAILED) if step.kind == "action" else (_TRUE, _FALSE)
            usual = _CHANCES[step.kind]
            chance = self._draft.parameter(f"chance of {name}", usual, step.place)
            said["outcomes"] = {labels[0]: chance, labels[1]: "rest"}
            self._num_guessed += 1
        if "cost" not in said:
            said["cost"] = self._usual_cost if step.kind == "action" else 0
        self._draft.action(name, said, step.place)

    def _add_rewards(self) -> None:
        """Add a reward for each end of the flow, or for what is said to be worth it."""
        steps = self._flow.steps
        ends = [key for key, step in steps.items() if step.value is not None]
        if not ends:
            ends = [
                key
                for key, step in steps.items()
                if step.kind in ("action", "condition") and key not in self._starts
            ]
            self._num_worth_guessed = len(ends)
        if not ends:
            what = "the flow has no end: every step leads to another, round a circle"
            fix = "let what the attacker wants lead to nothing else"
            raise refuse(self._flow.place, what, fix)
        if self._num_worth_guessed:
            self._draft.say("combine", "sum")
        for key in ends:
            step = steps[key]
            value = step.value
            if value is None:
                wish = f"worth of {self._names.get(key, step.name)}"
                value = self._draft.parameter(wish, 1, step.place)
            when = step.said.get("when") or self._reached(key, frozenset())
            self._draft.reward(when, value, step.place, step.said.get("per"))

    def _assume(self) -> None:
        draft, place = self._draft, self._flow.place
        if self._num_guessed:
            what = "how likely steps succeed and conditions hold is not said for "
            what += (
                f"{self._num_guessed} of them; each has a parameter, `chance of ...`: "
            )
            what += f"{_CHANCES['action']}, and {_CHANCES['condition']} for conditions"
            draft.assume(place, what, 'say better: `--set "chance of ..."=0.2`')
        if "_usual_cost" in self.__dict__:
            what = "what steps cost is not said; each costs what the parameter "
            what += "`cost of a step` says, 1"
            draft.assume(place, what, "limit what is spent with `--budget 10`, say")
        if self._num_worth_guessed:
            what = "steps that lead to no other are what the attacker wants "
            what += (
                f"({self._num_worth_guessed}); each is worth a parameter, `worth of "
            )
            what += "...`, of 1"
            draft.assume(place, what, 'say better: `--set "worth of ..."=0`')
        if any(
            len(links) > 1 and self._flow.steps[key].kind in ("action", "condition")
            for key, links in self._before.items()
        ):
            what = "where several arrows lead to a step, one of them is enough"
            draft.assume(
                place, what, "put an operator `AND` between where all are needed"
            )
        if self._flow.num_others:
            what = "objects that are no step, condition or operator, such as assets, "
            what += f"are left out ({self._flow.num_others})"
            draft.assume(place, what, "nothing: no plan depends on them")
