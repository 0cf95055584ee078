"""Markov decision processes in the language of PRISM to nodes of a document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, Final

from branchwise.errors import FormatError, Issue
from branchwise.formats.document.nodes import MapNode
from branchwise.formats.foreign.draft import Draft, Part
from branchwise.formats.foreign.storm.constants import (
    Constant,
    Constants,
    constants_of,
    filled,
    given_values,
    in_order,
    open_error,
    without_comments,
)
from branchwise.formats.foreign.storm.question import (
    OWN,
    Question,
    asked,
    files_of_properties,
    properties_text,
    questions,
)
from branchwise.formats.foreign.storm.states import MOST_STATES, listed
from branchwise.formats.place import Place
from branchwise.formats.source_text import decode, excerpt, refuse
from branchwise.model.conditions.condition import Attempted, any_of
from branchwise.model.conditions.quantity import CounterValue

_STEPS: Final = 20
_MOST_SHOWN: Final = 12  # variables that stand beside the state
_LABEL: Final = re.compile(r'\blabel\s*"(\w+)"\s*=[^;]+;')
_KIND: Final = re.compile(
    r"^[^\S\n]*(mdp|nondeterministic|dtmc|probabilistic|ctmc|stochastic|smg|csg|tsg|pta|pomdp|"
    r"popta|ma|imdp|idtmc)[^\S\n]*$",
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
Listing = dict[str, Any]


def document_nodes(
    data: bytes, source: str, constants: Constants | None = None
) -> tuple[MapNode, list[Issue]]:
    """
    Read a model as a document; the issues say what was assumed.

    Parameters
    ----------
    data
        The model.
    source
        The name of its file; beside it may be one with properties.
    constants
        Values of constants that the model, or the properties, leave open.
    """
    text = decode(data, source)
    kind = _kind(text, source)
    files = {each: properties_text(each) for each in files_of_properties(Path(source))}
    properties = "\n".join(files.values())
    named = [c for path, said in files.items() for c in constants_of(said, str(path))]
    values = _values_given(text, source, named, constants or {})
    known = list(questions(text, properties, values))
    if not known:
        _check_left_open(named, text, properties)
    bare = without_comments(text)
    rest = bare[: kind.start()] + " " * len(kind[0]) + bare[kind.end() :]
    whole = filled(rest, values)
    whole = in_order(f"{kind[1]} {whole}\n{_definitions(properties, text, values)}")
    listing = listed(whole, source, known, files)
    own = {match[1].strip().rstrip(";").strip() for match in OWN.finditer(text)}
    title = _title(Path(source).stem, constants or {})
    readings = [
        _Reading(listing, found, _known(found, known), source, title, own)
        for found in listing["asked"]
    ]
    return _first_expressed(readings).document()


def _known(found: Listing, known: list[Question]) -> Question:
    """Return the question whose states are found; it may be about a usual label."""
    text = found["property"]
    labels = asked(text, {})
    return next((each for each in known if each.text == text), None) or next(labels)


def _first_expressed(readings: list[_Reading]) -> _Reading:
    """Return the first reading that can be expressed; else say why the first cannot."""
    wrong = [each.objection() for each in readings]
    found = next((r for r, o in zip(readings, wrong, strict=True) if o is None), None)
    if found is None:
        assert wrong[0] is not None
        raise wrong[0]
    return found


def _title(stem: str, constants: Constants) -> str:
    given = ", ".join(f"{name}={value}" for name, value in constants.items())
    return f"{stem} ({given})" if given else stem


def _values_given(
    text: str, source: str, others: list[Constant], constants: Constants
) -> dict[str, str]:
    """Return the values of constants; those of the model need all to have one."""
    own = list(constants_of(text, source))
    given = given_values([*others, *own], constants, source)
    still_open = [e for e in own if e.value is None and e.name not in given]
    if still_open:
        raise open_error(still_open)
    said = {each.name: each.value for each in [*others, *own] if each.value}
    return said | given


def _check_left_open(constants: list[Constant], text: str, properties: str) -> None:
    """Refuse properties of which each waits for a constant."""
    still_open = [each for each in constants if each.value is None]
    if any(questions(text, properties, {each.name: "1" for each in still_open})):
        raise open_error(still_open)


def _definitions(properties: str, model: str, values: Mapping[str, str]) -> str:
    """
    Return constants and labels of a file of properties, for the end of the model.

    What the model has already is not said twice. A constant that is left open is one
    of properties that are not asked.
    """
    known = {each.name for each in constants_of(model, "")}
    lines = {
        each.name: f"const {each.kind} {each.name}={values[each.name]};"
        for each in constants_of(properties, "")
        if each.name in values and each.name not in known
    }
    labels = set(_LABEL.findall(without_comments(model)))
    for found in _LABEL.finditer(without_comments(properties)):
        if found[1] not in labels:
            lines.setdefault(f'"{found[1]}"', found[0])
    return "\n".join(lines.values())


def _kind(text: str, source: str) -> re.Match[str]:
    """Return the word that says what kind of model this is: it may stand anywhere."""
    bare = without_comments(text)
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
    return found


class _Reading:
    """Turns the states of a model into a counter, and choices into actions."""

    def __init__(
        self,
        listing: Listing,
        found: Listing,
        asked: Question,
        source: str,
        title: str,
        own: set[str],
    ) -> None:
        self._asked, self._is_said = asked, asked.text in own
        self._place = Place(source, 1, 1)
        self._draft = Draft(self._place, title)
        self._is_shunned = asked.is_least and asked.rewards is None
        self._goals = frozenset(found["goals"])
        stays = frozenset(found["stays"])
        self._choices: list[list[Listing]] = [
            choices if state in stays else []
            for state, choices in enumerate(listing["choices"])
        ]
        self._values: list[dict[str, int]] = listing["values"]
        self._start: int = listing["start"]

    def document(self) -> tuple[MapNode, list[Issue]]:
        """Return the document, and what was assumed."""
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
        """The states where something is to be decided: none leads to one before it."""
        try:
            order = list(TopologicalSorter(self._after).static_order())
        except CycleError:
            return self._met
        return {state: number for number, state in enumerate(reversed(order))}

    @cached_property
    def _met(self) -> dict[int, int]:
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
    def _after(self) -> dict[int, set[int]]:
        """What each state where something is decided leads to of these."""
        return {
            state: {
                target
                for choice in self._choices[state]
                for target, _ in choice["to"]
                if target in self._met
            }
            for state in self._met
        }

    @cached_property
    def _is_circular(self) -> bool:
        numbers = self._numbers
        return any(
            numbers[target] <= numbers[state]
            for state, targets in self._after.items()
            for target in targets
        )

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

    def objection(self) -> FormatError | None:
        """Return why the property cannot be expressed here; nothing if it can."""
        place, text = self._place, excerpt(self._asked.text)
        if self._start in self._goals:
            what = f"the goal of {text} holds from the start"
            return refuse(place, what, "ask for something else")
        if self._start not in self._hopeful:
            what = f"nothing leads to the goal of {text}: its probability is 0"
            return refuse(place, what, "ask for something else")
        if len(self._numbers) > MOST_STATES:
            what = f"the model has {len(self._numbers):,} states in which something is "
            what += f"decided; at most {MOST_STATES:,} are read"
            return refuse(place, what, "give smaller constants")
        return self._circular_objection()

    def _circular_objection(self) -> FormatError | None:
        place, text = self._place, excerpt(self._asked.text)
        if self._is_shunned and (self._is_circular or self._asked.steps is not None):
            what = f"{text} is least where one waits, in a model that goes round in "
            what += "circles or has a number of steps; that cannot be expressed here"
            return refuse(place, what, 'ask for the most: `Pmax=? [F "goal"]`')
        is_earned = self._asked.rewards is not None
        if is_earned and (self._is_circular or self._loses()):
            what = (
                f"{text} counts rewards of a model that goes round in circles or may "
            )
            what += "never come to the goal; that cannot be expressed here"
            return refuse(place, what, 'ask for a probability: `Pmax=? [F "goal"]`')
        return None

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
            draft.reward(reached, -1 if self._is_shunned else 1, self._place)
        else:
            draft.say("finish", reached)
            draft.say("combine", "sum")
        if self._is_shunned:
            lost = CounterValue("state").equals(goal - 1)
            draft.say("finish", any_of(reached, lost))
            draft.say("combine", "sum")
        elif asked.is_least:
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
        if not self._is_shunned and all(
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
        if self._asked.is_least and not self._is_shunned:
            said["cost"] = earned
        elif earned:
            self._draft.reward(Attempted(name), earned, self._place)
        # What leads on and never back needs no count of how often it was tried.
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
            what = f"the property is {excerpt(self._asked.text)}"
            fix = 'say another in a first line: `// property: Pmax=? [F "goal"]`'
            draft.assume(place, what, fix)
        if self._is_shunned:
            what = "what is to be least counts below zero: the expected reward is the "
            what += "probability with a minus"
            draft.assume(place, what, "read values without the sign")
        if self._is_circular and self._asked.steps is None:
            what = "the model goes round in circles, so that the goal is to be reached "
            what += f"within {_STEPS} steps"
            draft.assume(place, what, "say another number: `--budget 40`")
