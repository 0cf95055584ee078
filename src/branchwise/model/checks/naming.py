"""Names: which may be given, and which of those that conditions use are known."""

import re
import unicodedata
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from branchwise.errors import Issue, Path, did_you_mean, printable
from branchwise.model.action import Action
from branchwise.model.checks.issue import about, listed, ticked
from branchwise.model.conditions.condition import (
    Attempted,
    Comparison,
    Condition,
    Happened,
    Leaf,
    depth,
    quoted,
)
from branchwise.model.conditions.quantity import CounterValue, Left
from branchwise.model.counter import Counter
from branchwise.model.defense import Defense
from branchwise.model.hidden import Hidden
from branchwise.model.problem import Problem
from branchwise.model.spread import label_set

DEEPEST: Final = 100
"""How many levels deep a condition may be nested."""

_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
# What is printable by its category, and blank all the same.
_BLANK = frozenset({"Lo", "Mn", "So"})
# Unicode counts these among the invisible, but they are written with ink: signs that
# span the digits after them.
_VISIBLE = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u08e2")
# These join or part the letters of scripts that need them, and the parts of an emoji.
_JOINERS = frozenset("\u200c\u200d")
_FIRST_JOINED = "\u0590"  # No letter of a script before this one is ever joined.
# Looking for the nearest name compares it with all others, so there is an end to it.
_MOST_HINTS = 20
_OUTCOME_IN_NAME = re.compile(r"(?P<action>.+)[.:](?P<outcome>[^.:]+)")


def name_issues(path: Path, name: Any, kind: str) -> Iterator[Issue]:
    """Find names that could not be seen, typed or written to a file."""
    a = "an" if kind[0] in "aeiou" else "a"
    if not isinstance(name, str):
        what = f"the name of {a} {kind} is {name!r}, which is no text"
        yield about(path, what, f'write it in quotes: "{name}"')
        return
    if not name:
        fix = f"give it a name: `{kind} 1`, say"
        yield about(path, f"{a} {kind} has an empty name", fix)
        return
    if name != name.strip():
        what = f'the {kind} "{printable(name)}" starts or ends with a space'
        yield about(path, what, f"write {ticked(name.strip())}", culprit=name)
    yield from _invisible_characters(path, name.strip(), f"the {kind}")


def is_plain_name(name: Any) -> bool:
    """Return whether a name is such that nothing can be amiss with it, as most are."""
    if not isinstance(name, str) or not name.isascii() or not name.isprintable():
        return False
    return bool(name) and name.strip() == name


def title_issues(title: Any) -> Iterator[Issue]:
    """Find a problem's title that could not be shown; it may have several lines."""
    if not isinstance(title, str):
        what = f"the name of the problem is {title!r}, which is no text"
        yield about(("name",), what, "write it in quotes, or leave it out")
        return
    if "\n" in title or "\t" in title:
        title = title.translate({ord("\n"): " ", ord("\t"): " "})
    yield from _invisible_characters(("name",), title, "the name")


def repeated(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once, each once."""
    known = list(names)
    if len(set(known)) == len(known):
        return []
    return [name for name, count in Tally(known).items() if count > 1]


def repeated_issues(
    named: Iterable[Action | Counter | Defense | Hidden], kind: str, key: str = ""
) -> Iterator[Issue]:
    """Find actions or the like that are called the same."""
    for name in repeated(each.name for each in named):
        what = f"several {kind}s are called {ticked(name)}"
        fix = f"call another one {ticked(f'{name} again')}, say"
        yield about((key or f"{kind}s", name), what, fix, culprit=name)


def shared_issues(problem: Problem) -> Iterator[Issue]:
    """Find names that actions, hidden facts and counters have in common."""
    if not problem.hidden and not problem.counters:
        return
    known = dict.fromkeys((action.name for action in problem.actions), "an action")
    for key, kind, named in (
        ("hidden", "a hidden fact", problem.hidden),
        ("counters", "a counter", problem.counters),
    ):
        for each in named:
            if known.setdefault(each.name, kind) != kind:
                other = known[each.name]
                what = f"{ticked(each.name)} is {kind} and {other}: conditions could "
                what += "not tell which is meant"
                fix = "give one of the two another name"
                yield about((key, each.name), what, fix, culprit=each.name)


class Mentions:
    """The names that conditions may mention: of actions, facts, counters, resources."""

    def __init__(
        self,
        actions: Sequence[Action],
        *,
        hidden: Iterable[Hidden] = (),
        counters: Iterable[Counter] = (),
        resources: Iterable[str] = (),
    ) -> None:
        self._ordered = {action.name: action.labels for action in actions}
        self._labels = {name: label_set(own) for name, own in self._ordered.items()}
        self._facts = {fact.name: fact.labels for fact in hidden}
        self._counters = [counter.name for counter in counters]
        self._resources = list(resources)
        # Names that are numbers by mistake: that is said where they are given.
        self._misnamed = set(map(str, self._labels)) - self._labels.keys()
        self._hints: dict[str, str] = {}
        # A file may use one condition in many places.
        self._known: dict[int, tuple[int, tuple[Leaf, ...]]] = {}

    def condition_issues(
        self, path: Path, condition: Condition, *, is_seen: bool = False
    ) -> Iterator[Issue]:
        """
        Find unknown names in a condition, and nesting too deep.

        Where it has to be seen whether it holds, it may not name hidden facts.
        """
        if self.knows(condition):
            return
        if id(condition) not in self._known:
            leaves = tuple(dict.fromkeys(condition.leaves()))
            self._known[id(condition)] = depth(condition), leaves
        levels, leaves = self._known[id(condition)]
        if levels > DEEPEST:
            what = f"the condition is nested {levels} levels deep, more than {DEEPEST}"
            fix = "write it with fewer parentheses, or leave some of it "
            fix += "to other actions"
            yield about(path, what, fix)
        named: set[str] = set()
        for leaf in leaves:
            if isinstance(leaf, Comparison):
                yield from self._comparison_issues(path, leaf)
            else:
                yield from self._event_issues(path, leaf, named, is_seen=is_seen)

    def _event_issues(
        self, path: Path, event: Happened | Attempted, named: set[str], *, is_seen: bool
    ) -> Iterator[Issue]:
        """Find what is wrong with an event; a name that is, once for all."""
        name = event.action
        labels = self._labels.get(name)
        if labels is None and name in self._facts:
            if is_seen:
                if name not in named:
                    yield self._unseen(path, name)
            elif not isinstance(event, Happened):
                what = f"{ticked(name)} is a hidden fact: it is not taken, it is so"
                yield about(path, what, self._say_what(name), culprit=name)
            elif event.outcome not in self._facts[name]:
                yield self._unknown_label(path, event)
        elif labels is None:
            if name not in named | self._misnamed:
                yield self._no_action(path, event)
        elif isinstance(event, Happened) and not _has(labels, event.outcome):
            yield self.unknown_outcome(path, name, event.outcome)
        if labels is None:
            named.add(name)

    def _unseen(self, path: Path, fact: str) -> Issue:
        what = f"{ticked(path[-1])} names the hidden fact {ticked(fact)}, which is "
        what += "never seen: no plan can go by what is not known"
        fix = "name what an action finds out about it instead, `test=positive`, say"
        return about(path, what, fix, culprit=fact)

    def _say_what(self, fact: str) -> str:
        labels = self._facts[fact] or ("yes",)
        return f"write {ticked(Happened(fact, labels[0]))}, say"

    def _unknown_label(self, path: Path, event: Happened) -> Issue:
        labels = self._facts[event.action]
        nearest = self._nearest(event.outcome, labels, event.action)
        hint = f"; did you mean {ticked(nearest)}?" if nearest else ""
        what = f"the hidden fact {ticked(event.action)} is never "
        what += f"{ticked(event.outcome)}{hint}"
        fix = f"write {ticked(nearest) if nearest else listed(labels or ['yes'], 'or')}"
        return about(path, what, fix, culprit=event.outcome)

    def _no_action(self, path: Path, event: Happened | Attempted) -> Issue:
        name = event.action
        if name not in self._counters:
            return self.unknown_action(path, name)
        what = f"{ticked(name)} is a counter: compare it with a number"
        number = event.outcome if isinstance(event, Happened) else ""
        sign = f"== {number}" if re.fullmatch(r"[+-]?\d+", number) else ">= 1"
        fix = f"write {ticked(f'{quoted(name)} {sign}')}"
        return about(path, what, fix, culprit=name)

    def _comparison_issues(self, path: Path, compared: Comparison) -> Iterator[Issue]:
        quantity = compared.quantity
        if isinstance(quantity, CounterValue):
            if quantity.counter not in self._counters:
                yield self._no_counter(path, compared, quantity.counter)
        elif isinstance(quantity, Left):
            if self._resources and quantity.resource not in self._resources:
                yield self._no_resource(path, quantity.resource)
        elif quantity.event is not None:
            name = quantity.event.action
            if name in self._facts:
                what = f"the hidden fact {ticked(name)} cannot be counted: it is so "
                what += "or is not"
                yield about(path, what, self._say_what(name), culprit=name)
            else:
                yield from self._event_issues(path, quantity.event, set(), is_seen=True)

    def _no_counter(self, path: Path, compared: Comparison, name: str) -> Issue:
        if name in self._labels:
            meant = f"count({quoted(name)}) {str(compared).partition(' ')[2]}"
            what = f"{ticked(name)} is an action, not a counter; "
            what += f"did you mean {ticked(meant)}?"
            return about(path, what, f"write {ticked(meant)}", culprit=name)
        if name in self._facts:
            what = f"{ticked(name)} is a hidden fact, not a counter"
            return about(path, what, self._say_what(name), culprit=name)
        return self.unknown_counter(path, name)

    def has_counter(self, name: str) -> bool:
        """Whether there is a counter of this name."""
        return name in self._counters

    def unknown_counter(self, path: Path, name: str) -> Issue:
        """Note that there is no counter of this name."""
        nearest = self._nearest(name, self._counters, "counter")
        hint = f"; did you mean {ticked(nearest)}?" if nearest else ""
        what = f"there is no counter {ticked(name)}{hint}"
        example = ticked(f"counters: {{{quoted(name)}: {{range: 0..3}}}}")
        fix = f"write {ticked(nearest)}" if nearest else f"add it: {example}"
        return about(path, what, fix, culprit=name)

    def _no_resource(self, path: Path, name: str) -> Issue:
        nearest = self._nearest(name, self._resources, "resource")
        hint = f"; did you mean {ticked(nearest)}?" if nearest else ""
        what = f"there is no resource {ticked(name)}{hint}"
        meant = [nearest] if nearest else self._resources
        known = [f"left({quoted(each)})" for each in meant]
        return about(path, what, f"write {listed(known, 'or')}", culprit=name)

    def knows(self, condition: Condition) -> bool:
        """Return whether this is one outcome, and there is one of this name."""
        return isinstance(condition, Happened) and condition.outcome in (
            self._labels.get(condition.action, ())
        )

    def unknown_outcome(self, path: Path, action: str, label: str) -> Issue:
        """Say that an action does not have this outcome."""
        labels = self._ordered[action]
        nearest = self._nearest(label, labels, action)
        hint = f"; did you mean {ticked(nearest)}?" if nearest else ""
        what = f"{ticked(action)} has no outcome {ticked(label)}{hint}"
        if nearest:
            fix = f"write {ticked(nearest)}"
        elif labels:
            fix = f"write {listed(labels, 'or')}, or add an outcome {ticked(label)}"
        else:
            fix = f"give {ticked(action)} that outcome"
        return about(path, what, fix, culprit=label)

    def unknown_action(self, path: Path, name: str) -> Issue:
        """Say that there is no action of this name."""
        known = [*self._labels, *self._facts, *self._counters]
        nearest = self._as_outcome(name) or self._nearest(name, known, "")
        hint = f"; did you mean {ticked(nearest)}?" if nearest else ""
        what = f"there is no action {ticked(name)}{hint}"
        fix = f"write {ticked(nearest)}" if nearest else "correct the name"
        if not nearest and 0 < len(self._labels) <= 6:
            fix = f"write {listed(self._labels, 'or')}"
        fix += f", or add an action {ticked(name)}"
        return about(path, what, fix, culprit=name)

    def _as_outcome(self, name: str) -> str:
        """Read ``scan.open`` as the outcome that was meant."""
        match = _OUTCOME_IN_NAME.fullmatch(name)
        if match is None:
            return ""
        meant = Happened(match["action"], match["outcome"])
        return str(meant) if self.knows(meant) else ""

    def _nearest(self, name: str, known: Sequence[str], within: str) -> str:
        key = f"{within}={name}"
        if key not in self._hints and len(self._hints) < _MOST_HINTS:
            hint = did_you_mean(name, list(map(str, known)))
            hint = hint.removeprefix("; did you mean `").removesuffix("`?")
            self._hints[key] = hint
        return self._hints.get(key, "")


def _has(labels: Iterable[str], outcome: str) -> bool:
    """Whether there is such a label, or one that is a number by mistake."""
    return outcome in labels or outcome in map(str, labels)


def _invisible_characters(path: Path, name: str, thing: str) -> Iterator[Issue]:
    if name.isascii() and name.isprintable():
        return
    found = next((c for i, c in enumerate(name) if _is_invisible(name, i)), None)
    if found is not None:
        what = f"{thing} {ticked(name)} contains {ticked(found)}"
        kind = "half a character" if "\ud800" <= found <= "\udfff" else ""
        what += f", {kind or 'a character that cannot be seen'}"
        yield about(path, what, "remove it", culprit=name)


def _is_invisible(name: str, index: int) -> bool:
    """Whether a character cannot be seen where it stands, or turns others around."""
    character = name[index]
    if character == printable(character) or character in _VISIBLE:
        return False
    if character in _JOINERS:
        around = name[max(index - 1, 0) : index] + name[index + 1 : index + 2]
        return len(around) < 2 or not all(map(_is_joined, around))
    return unicodedata.category(character) in _INVISIBLE | _BLANK


def _is_joined(character: str) -> bool:
    return character >= _FIRST_JOINED and unicodedata.category(character)[0] in "LMS"
