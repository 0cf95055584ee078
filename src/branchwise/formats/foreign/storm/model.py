"""Markov decision processes in the language of PRISM to nodes of a document."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from branchwise.errors import FormatError, Issue
from branchwise.formats.document.nodes import MapNode
from branchwise.formats.foreign.draft import Draft, Part
from branchwise.formats.place import Place
from branchwise.formats.source_file import file_bytes
from branchwise.formats.source_text import decode, excerpt, refuse
from branchwise.model.conditions.condition import Attempted
from branchwise.model.conditions.quantity import CounterValue

_STEPS: Final = 20
_MOST_STATES: Final = 5_000
_MOST_SECONDS: Final = 120
_MOST_SHOWN: Final = 12  # variables that stand beside the state
_ENDINGS: Final = (".props", ".pctl", ".prctl", ".csl")
_COMMENT: Final = re.compile(r"//[^\n]*")
_OWN: Final = re.compile(r"^// property: (.+)$", re.MULTILINE)
_KIND: Final = re.compile(
    r"^\s*(mdp|nondeterministic|dtmc|probabilistic|ctmc|stochastic|smg|csg|tsg|pta|pomdp|"
    r"popta|ma|imdp|idtmc)\s*$",
    re.MULTILINE,
)
_READ: Final = frozenset({"mdp", "nondeterministic", "dtmc", "probabilistic"})
_REASONS: Final = {
    "smg": "is a game of several players",
    "csg": "is a game of several players",
    "tsg": "is a game of several players",
    "pomdp": "has states that are not seen",
    "popta": "has states that are not seen",
    "imdp": "has intervals of probabilities",
    "idtmc": "has intervals of probabilities",
}
_REACH: Final = re.compile(r"P(?:max)?\s*=\?\s*\[\s*F\s*(?:<=\s*(\d+)\s)?\s*(.+?)\s*\]")
_EARN: Final = re.compile(
    r"R\s*(?:\{\s*\"([^\"]*)\"\s*\})?\s*(max|min)\s*=\?\s*\[\s*F\s+(.+?)\s*\]"
)

Listing = dict[str, Any]


class Question(NamedTuple):
    """A property that can be asked here: its text, its goal and what counts."""

    text: str
    goal: str
    steps: int | None = None
    rewards: str | None = None
    is_least: bool = False


def document_nodes(data: bytes, source: str) -> tuple[MapNode, list[Issue]]:
    """Read a model as a document; the issues say what was assumed."""
    text = decode(data, source)
    _check_kind(text, source)
    questions = list(_questions(text, Path(source)))
    listing = _listed(text, source, questions)
    asked = next((q for q in questions if q.text == listing["property"]), None)
    if asked is None:
        [asked] = _asked(listing["property"])
    is_said = any(match[1].strip() == asked.text for match in _OWN.finditer(text))
    return _Reading(listing, asked, source, is_said=is_said).document()


def _check_kind(text: str, source: str) -> None:
    bare = _COMMENT.sub("", text)
    found = _KIND.search(bare)
    if found is None:
        what = "no line says what kind of model this is"
        fix = "give a model of PRISM, and let a line say `mdp`: Storm needs it"
        raise refuse(Place(source, 1, 1), what, fix)
    if found[1] not in _READ:
        line = bare[: found.start(1)].count("\n") + 1
        why = _REASONS.get(found[1], "has continuous time")
        what = (
            f"this is a model `{found[1]}`, which {why}; that cannot be expressed here"
        )
        fix = "give an `mdp`: in a game, fix what the other player does"
        raise refuse(Place(source, line, 1), what, fix)


def _questions(text: str, path: Path) -> Iterator[Question]:
    """Yield what may be asked: what our own models say, then files of properties."""
    for match in _OWN.finditer(text):
        yield from _asked(match[1])
    for ending in _ENDINGS:
        beside = path.with_suffix(ending)
        if beside.is_file():
            for line in decode(file_bytes(beside), str(beside)).splitlines():
                yield from _asked(_COMMENT.sub("", line))


def _asked(text: str) -> Iterator[Question]:
    text = re.sub(r'^\s*"\w+"\s*:', "", text).strip().rstrip(";")
    if found := _REACH.fullmatch(text):
        steps = None if found[1] is None else int(found[1])
        yield Question(text, found[2], steps)
    elif found := _EARN.fullmatch(text):
        yield Question(text, found[3], None, found[1] or "", found[2] == "min")


def _listed(text: str, source: str, questions: list[Question]) -> Listing:
    """Return every state of a model; Storm runs in a process of its own."""
    place = Place(source)
    if find_spec("stormpy") is None:
        what = "models of PRISM are read through Storm, which is not installed"
        raise refuse(place, what, "install it: `pip install stormpy`")
    asked = json.dumps([[each.text, each.goal] for each in questions])
    with tempfile.TemporaryDirectory() as folder:
        model, found = Path(folder, "model.prism"), Path(folder, "states.json")
        model.write_text(text, encoding="utf-8")
        program = "branchwise.formats.foreign.storm.listing"
        command = [sys.executable, "-m", program, str(model), asked, str(found)]
        try:
            subprocess.run(
                command, capture_output=True, check=False, timeout=_MOST_SECONDS
            )
            listing: Listing = json.loads(found.read_text(encoding="utf-8"))
        except subprocess.TimeoutExpired:
            listing = {"error": f"its states are not listed in {_MOST_SECONDS} seconds"}
        except (OSError, ValueError):
            listing = {"error": "its states are more than can be listed"}
    if "choices" not in listing:
        raise _refusal(listing, source, str(model))
    return listing


def _refusal(listing: Listing, source: str, path: str) -> FormatError:
    """Make the error that says why a model is not read."""
    if "undefined" in listing:
        names = ", ".join(f"`{name}`" for name in listing["undefined"])
        what = f"the constants {names} have no value"
        return refuse(
            Place(source), what, "give each one in the file: `const int N=3;`"
        )
    if "labels" in listing:
        names = ", ".join(f'`"{name}"`' for name in listing["labels"]) or "none"
        what = (
            "no property says what the goal is, and no label is called so; labels are "
        )
        fix = 'add a line such as `// property: Pmax=? [F "goal"]` at the top'
        return refuse(Place(source), what + names, fix)
    if "starts" in listing:
        what = f"the model starts in {listing['starts']:,} states, where one is wanted"
        return refuse(
            Place(source), what, "say where it starts, by `init` of variables"
        )
    if "states" in listing:
        what = f"the model has {listing['states']:,} states"
        return refuse(Place(source), what, f"at most {_MOST_STATES:,} are read")
    said = " ".join(str(listing["error"]).replace(path, source).split())
    found = re.search(r" (?:at|line) (\d+):(\d*)", said)
    place = Place(source)
    if found is not None:
        place = Place(source, int(found[1]), int(found[2] or 1))
    what = f"Storm cannot read the model: {said[:300]}"
    return refuse(place, what, "mend it there, or take a smaller model")


class _Reading:
    """Turns the states of a model into a counter, and choices into actions."""

    def __init__(
        self, listing: Listing, asked: Question, source: str, *, is_said: bool
    ) -> None:
        self._asked, self._is_said = asked, is_said
        self._place = Place(source, 1, 1)
        self._draft = Draft(self._place, Path(source).stem)
        self._goals = frozenset(listing["goals"])
        self._choices: list[list[Listing]] = listing["choices"]
        self._values: list[dict[str, int]] = listing["values"]
        self._start: int = listing["start"]
        self._property = listing["property"]

    def document(self) -> tuple[MapNode, list[Issue]]:
        """Return the document, and what was assumed."""
        self._check()
        draft, start = self._draft, self._start
        last = len(self._numbers) + 1
        draft.free_name("state")
        draft.counter("state", f"0..{last}", self._number(start), self._place)
        for name, (low, high) in self._shown.items():
            first = self._values[start][name]
            draft.counter(draft.free_name(name), f"{low}..{high}", first, self._place)
        self._say_objective(last)
        for state in self._numbers:
            for choice in self._choices[state]:
                self._add(state, choice)
        self._assume()
        return draft.node(), draft.issues

    # The states.

    @cached_property
    def _hopeful(self) -> frozenset[int]:
        """The states from which the goal may be reached."""
        before: dict[int, list[int]] = {}
        for state, choices in enumerate(self._choices):
            for choice in choices:
                for target, _ in choice["to"]:
                    before.setdefault(target, []).append(state)
        pending, found = list(self._goals), set(self._goals)
        while pending:
            for state in before.get(pending.pop(), ()):
                if state not in found:
                    found.add(state)
                    pending.append(state)
        return frozenset(found)

    @cached_property
    def _numbers(self) -> dict[int, int]:
        """The states where something is to be decided, in the order they are met."""
        found: dict[int, int] = {}
        pending = [self._start]
        while pending:
            state = pending.pop()
            if state in found or state in self._goals or state not in self._hopeful:
                continue
            found[state] = len(found)
            for choice in reversed(self._choices[state]):
                pending += [target for target, _ in reversed(choice["to"])]
        return found

    def _number(self, state: int) -> int:
        """Return what the counter is at a state: all goals are one, all lost are."""
        if state in self._goals:
            return len(self._numbers) + 1
        return self._numbers.get(state, len(self._numbers))

    @cached_property
    def _is_circular(self) -> bool:
        after = {
            state: {
                target
                for choice in self._choices[state]
                for target, _ in choice["to"]
                if target in self._numbers
            }
            for state in self._numbers
        }
        try:
            list(TopologicalSorter(after).static_order())
        except CycleError:
            return True
        return False

    @cached_property
    def _shown(self) -> dict[str, tuple[int, int]]:
        """The variables that change, with the least and the most they are."""
        states = [*self._numbers, *self._goals]
        found = {}
        for name in self._values[self._start]:
            values = {self._values[state].get(name, 0) for state in states}
            if len(values) > 1:
                found[name] = min(values), max(values)
        return found if len(found) <= _MOST_SHOWN else {}

    def _check(self) -> None:
        place, text = self._place, excerpt(self._property)
        if self._start in self._goals:
            what = f"the goal of {text} holds from the start"
            raise refuse(place, what, "ask for something else")
        if self._start not in self._hopeful:
            what = f"nothing leads to the goal of {text}: its probability is 0"
            raise refuse(place, what, "ask for something else")
        if len(self._numbers) > _MOST_STATES:
            what = f"the model has {len(self._numbers):,} states in which something is "
            what += f"decided; at most {_MOST_STATES:,} are read"
            raise refuse(place, what, "give smaller constants")
        is_earned = self._asked.rewards is not None
        if is_earned and (self._is_circular or self._loses()):
            what = (
                f"{text} counts rewards of a model that goes round in circles or may "
            )
            what += "never come to the goal; that cannot be expressed here"
            raise refuse(place, what, 'ask for a probability: `Pmax=? [F "goal"]`')

    def _loses(self) -> bool:
        """Whether some choice may lead to where the goal is out of reach."""
        targets = (
            target
            for state in self._numbers
            for choice in self._choices[state]
            for target, _ in choice["to"]
        )
        return any(target not in self._hopeful for target in targets)

    # The document.

    def _say_objective(self, goal: int) -> None:
        asked, draft = self._asked, self._draft
        reached = CounterValue("state").equals(goal)
        if asked.rewards is None:
            draft.reward(reached, 1, self._place)
        else:
            draft.say("finish", reached)
            draft.say("combine", "sum")
        if asked.is_least:
            draft.say("objective", "least-cost")
            draft.say("combine", "max")
        if self._steps is not None:
            draft.say("budget", {"steps": self._steps})

    @property
    def _steps(self) -> int | None:
        if self._asked.steps is not None:
            return self._asked.steps
        return _STEPS if self._is_circular else None

    def _add(self, state: int, choice: Listing) -> None:
        if all(
            target == state or target not in self._hopeful for target, _ in choice["to"]
        ):
            return  # It leads nowhere.
        here = self._number(state)
        label = choice["label"] or "step"
        words = self._words(state, self._start) or "start"
        wish = f"{label} ({words})" if label in self._repeated else label
        name = self._draft.free_name(wish)
        earned = self._earned(choice)
        said: dict[str, Part] = {
            "cost": 1 if self._steps is not None else 0,
            "requires": CounterValue("state").equals(here),
        }
        if self._asked.is_least:
            said["cost"] = earned
        elif earned:
            self._draft.reward(Attempted(name), earned, self._place)
        if self._steps is not None:
            said["attempts"] = "unlimited"
        said["outcomes"] = self._outcomes(state, choice)
        self._draft.action(name, said, self._place)

    @cached_property
    def _repeated(self) -> frozenset[str]:
        """Labels that several choices have, so that each needs to say where it is."""
        counts = Counter(c["label"] for s in self._numbers for c in self._choices[s])
        return frozenset(label for label, count in counts.items() if count > 1)

    def _outcomes(self, state: int, choice: Listing) -> dict[str, Part]:
        outcomes: dict[str, Part] = {}
        for number, (target, chance) in enumerate(choice["to"], 1):
            changes = {"state": self._number(target) - self._number(state)}
            values = self._values[target]
            changes |= {
                name: values[name] - self._values[state][name] for name in self._shown
            }
            effects: dict[str, Part] = {n: by for n, by in changes.items() if by}
            words = self._words(target, state)
            label = words if words and words not in outcomes else f"case {number}"
            probability = Fraction(chance)
            said: dict[str, Part] = {"probability": probability, "effects": effects}
            outcomes[label] = said if effects else probability
        return outcomes

    def _words(self, state: int, other: int) -> str:
        """Return the variables of a state that are different at another, in words."""
        values, others = self._values[state], self._values[other]
        names = [name for name in self._shown if values[name] != others[name]]
        return " ".join(f"{name}:{values[name]}" for name in names)

    def _earned(self, choice: Listing) -> Fraction:
        if self._asked.rewards is None:
            return Fraction(0)
        rewards = choice["rewards"]
        name = self._asked.rewards or next(iter(rewards), "")
        return sum(map(Fraction, rewards.get(name, ())), Fraction(0))

    def _assume(self) -> None:
        draft, place = self._draft, self._place
        if not self._is_said:
            what = f"the property is {excerpt(self._property)}"
            fix = 'say another in a first line: `// property: Pmax=? [F "goal"]`'
            draft.assume(place, what, fix)
        if self._is_circular and self._asked.steps is None:
            what = "the model goes round in circles, so that the goal is to be reached "
            what += f"within {_STEPS} steps"
            draft.assume(place, what, "say another number: `--budget 40`")
