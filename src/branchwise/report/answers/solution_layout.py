"""The layout of a solution as data: every field, and the schema of all."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import attrgetter, itemgetter
from typing import Any, Final, NamedTuple

from branchwise.errors import LimitError
from branchwise.model.budget import DEFAULT_RESOURCE, Budget
from branchwise.model.conditions.condition import Happened
from branchwise.model.execution.state import State
from branchwise.model.problem import Problem
from branchwise.report.fields import (
    BOOLEAN,
    COUNT,
    EVENTS,
    NUMBER,
    PROBABILITY,
    SECONDS,
    STATUS,
    TEXT,
    Field,
    Kind,
    array,
    document,
    nullable,
    plain_cell,
    record,
)
from branchwise.report.text.knowledge import state_notes
from branchwise.report.text.wording import exact_text
from branchwise.space.state_space import Real
from branchwise.tree.alternatives import Alternative, alternatives
from branchwise.tree.choices.policy import Decision
from branchwise.tree.deadline import watch
from branchwise.tree.decision_tree import DecisionTree, Path
from branchwise.tree.solution import Solution

# So that a large policy does not grow by what few will read: its alternatives stand
# in the document near the root, and only those that come close.
_STATES_WITH_ALTERNATIVES: Final = 1000
_MOST_ALTERNATIVES: Final = 5

# So many are there even if there is no time at all.
_LEAST_STATES: Final = 100

_FRACTION: Final = Kind(
    {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}, exact_text
)
_COUNTED: Final = record(
    Field("action", TEXT, lambda pair: pair[0].action),
    Field("outcome", TEXT, lambda pair: pair[0].outcome),
    Field("count", Kind({"type": "integer", "minimum": 1}, int), itemgetter(1)),
)


def _amounts_kind(plain: Callable[[Any], Any]) -> Kind:
    """Return the kind of one amount, or of one for each resource that has a name."""

    def plain_amounts(amounts: Budget | None) -> Any:
        if amounts is None:
            return None
        numbers = {resource: plain(limit) for resource, limit in amounts.items()}
        return numbers[DEFAULT_RESOURCE] if amounts.is_plain else numbers

    return Kind({"$ref": "#/$defs/amounts"}, plain_amounts)


def _exact(limit: Fraction | float) -> str:
    return exact_text(limit) if isinstance(limit, Fraction) else "unlimited"


_AMOUNT: Final = ({"type": "number"}, _FRACTION.schema, {"const": "unlimited"})
_EACH: Final = {"type": "object", "additionalProperties": {"anyOf": [*_AMOUNT]}}
_ANY_AMOUNTS: Final = {"anyOf": [*_AMOUNT, _EACH, {"type": "null"}]}


def _sized(solution: Solution) -> tuple[int, int | None, int | None]:
    """Return how large the tree is; None where there was no time to find out."""
    tree, nodes = solution.tree, solution.statistics.tree_nodes
    try:
        return nodes, tree.num_leaves, tree.depth
    except LimitError:
        return nodes, None, None


_IN_TIME: Final = "Null where a time limit was met before it was known."
_SIZE: Final = record(
    Field("nodes", COUNT, itemgetter(0)),
    Field("leaves", nullable(COUNT), itemgetter(1), _IN_TIME),
    Field("depth", nullable(COUNT), itemgetter(2), _IN_TIME),
)
_STAGES: Final = ("rewarding_sets", "full_graph", "reduced_graph", "tree", "total")
_STATISTICS: Final = record(
    Field("rewarding_sets", nullable(COUNT), note="Null where none were used."),
    Field("full_graph_states", COUNT),
    Field("reduced_graph_states", nullable(COUNT)).about(
        "Null where not all of it is known."
    ),
    Field("tree_nodes", COUNT),
    Field("expanded_states", nullable(COUNT)).about(
        "How many states were looked at closely."
    ),
    Field("bytes", nullable(COUNT), "num_bytes", "How much memory the states took."),
    Field("seconds", record(*(Field(stage, SECONDS) for stage in _STAGES))),
)
_VERIFICATION: Final = record(
    Field("checked", BOOLEAN, "is_checked"),
    Field("rows", COUNT, "num_rows", "How long the certificate is."),
    Field("seconds", SECONDS, note="What checking it took."),
    Field("reason", TEXT, note="Why it was not checked; nothing where it was."),
)
_GAMMA_NOTE: Final = "How many deviations there may be on any path; null: no limit."
_BY_GAMMA: Final = record(
    Field("gamma", nullable(COUNT), itemgetter(0), _GAMMA_NOTE),
    Field("worst_case", NUMBER, itemgetter(1)),
)
_PERTURBATION: Final = record(
    Field("action", TEXT), Field("gain", NUMBER), Field("deviations", NUMBER)
)


def _of_robustness(key: str, kind: Kind, note: str = "") -> Field:
    """Return a field that is left out where robustness was not worked out."""

    def get(solution: Solution) -> Any:
        return solution.robustness and getattr(solution.robustness, key)

    return Field(key, kind, get, note, is_optional=True)


_WORTHS: Final = {
    "worst_case": "The plan in the worst case, if deviations are seen.",
    "unseen": "The tree here in the worst case, if they go unseen.",
    "nominal": "The tree here at nominal probabilities.",
    "nominal_optimum": "The best nominal plan at nominal probabilities.",
    "nominal_worst_case": "The best nominal plan in the worst case.",
    "price": "The price of robustness: nominal optimum less nominal.",
}
_ROBUST: Final = record(
    Field("gamma", nullable(COUNT), "adversary.gamma", _GAMMA_NOTE),
    *(_of_robustness(key, NUMBER, note) for key, note in _WORTHS.items()),
    _of_robustness("by_gamma", array(_BY_GAMMA)),
    _of_robustness("perturbations", array(_PERTURBATION)),
)


class _Shown(NamedTuple):
    """A part of a solution, and whether its numbers are exact."""

    part: Any
    is_exact: bool


def _exactly(
    key: str,
    note: str = "",
    get: str = "",
    kinds: tuple[Kind, Kind] = (NUMBER, _FRACTION),
    *,
    is_optional: bool = False,
) -> tuple[Field, Field]:
    """Return the field of a number, and one of the same that is there where exact."""
    value_of = attrgetter(f"part.{get or key}")

    # Of what is worth less than the plan for sure, even an exact solution may know the
    # value as a float only.
    def exact(shown: _Shown) -> Any:
        value = value_of(shown) if shown.is_exact else None
        return None if isinstance(value, float) else value

    words = f"The same as `{key}`, as an exact fraction."
    twin = Field(f"{key}_exact", kinds[1], exact, words, is_optional=True)
    return Field(key, kinds[0], value_of, note, is_optional), twin


def _amounts(key: str, note: str) -> tuple[Field, Field]:
    words = f"A number or `unlimited`, or one for each resource: {note}"
    return _exactly(
        key, words, kinds=(_amounts_kind(plain_cell), _amounts_kind(_exact))
    )


def _each(key: str, of: Kind, note: str = "", *, is_optional: bool = False) -> Field:
    """Return the field of a list, each with whether it is exact."""
    listed = attrgetter(f"part.{key}")

    def shown(whole: _Shown) -> list[_Shown] | None:
        parts = listed(whole)
        return None if parts is None else [_Shown(p, whole.is_exact) for p in parts]

    return Field(key, array(of), shown, note, is_optional)


def _part(key: str) -> Callable[[Solution], _Shown | None]:
    """Return what takes a part of a solution that may be missing."""

    def shown(solution: Solution) -> _Shown | None:
        part = getattr(solution, key)
        return None if part is None else _Shown(part, solution.is_exact)

    return shown


_PROBLEM: Final = record(
    Field("name", TEXT, "part.name", "Its title."),
    *_amounts("budget", "the budget, or what was left of it"),
)
_AIM: Final = record(
    Field("title", TEXT, "part.title", "What it is called."),
    *_exactly("worth"),
    *_exactly("certainty_equivalent", is_optional=True),
    *_exactly("upper_bound", "What no plan can exceed."),
)
_OUTCOME: Final = record(
    Field("outcome", TEXT, "part.outcome"),
    *_exactly("probability", kinds=(PROBABILITY, _FRACTION)),
    *_exactly(
        "nominal",
        "The nominal probability, where an adversary chose another.",
        kinds=(PROBABILITY, _FRACTION),
        is_optional=True,
    ),
    Field("to", nullable(COUNT), "part.to").about(
        "The id of the state it leads to; null where a time limit was met before that "
        "could be written."
    ),
)
_ALTERNATIVE: Final = record(
    Field("action", TEXT, "part.action"),
    *_exactly("value", "If it is taken instead."),
    Field("is_bound", BOOLEAN, "part.is_bound").about(
        "Whether `value` is only what the action cannot exceed."
    ),
)
_STATE: Final = record(
    Field("id", COUNT, "part.id"),
    Field(
        "action", nullable(TEXT), "part.decision.action", "What to do here; null: stop."
    ),
    *_exactly("value", "Expected from here on.", "decision.value"),
    *_exactly("reward", "Paid for stopping here.", "decision.reward"),
    Field("happened", nullable(array(_COUNTED)), "part.happened").about(
        "How often each outcome has come up; others have not."
    ),
    *_amounts("left", "what is left of the budget; or null."),
    Field("state", TEXT, "part.own_state", is_optional=True).about(
        "A state of a state space of one's own, as text."
    ),
    Field("knows", array(TEXT), "part.knows", is_optional=True).about(
        "Where counters stand, how likely hidden facts are what they may be, and "
        "whether everything has ended; left out where there is nothing of these."
    ),
    _each("outcomes", _OUTCOME),
    _each(
        "alternatives",
        _ALTERNATIVE,
        "The best other actions here, best first. Left out far from the root, and "
        "where the engine cannot tell.",
        is_optional=True,
    ),
)
_STATES: Final = array(Kind({"$ref": "#/$defs/state"}, _STATE.plain), minItems=1)


class _Outcome(NamedTuple):
    """An outcome, its nominal probability where that is another, and where it leads."""

    outcome: str
    probability: Real
    nominal: Real | None
    to: int


class _StateOfPlan(NamedTuple):
    """A state that the plan can come to, as the document describes it."""

    id: int
    decision: Decision
    happened: Iterable[tuple[Happened, int]] | None
    left: Budget | None
    own_state: str | None  # of a state space of one's own
    knows: Sequence[str] | None  # besides outcomes and what is left
    outcomes: Sequence[_Outcome]
    alternatives: Sequence[Alternative] | None


def _states(solution: Solution) -> Iterator[_Shown]:
    """Return the states of the plan, nearest to the root first, while in time."""
    tree = solution.tree
    order: list[tuple[Hashable, Path]] = [(tree.root.key, ())]
    ids = {tree.root.key: 0}
    look = watch()
    for number, (key, path) in enumerate(order):
        if number >= _LEAST_STATES and not _is_in_time(look):
            return
        decision = tree.policy[key]
        for branch in decision.branches:
            if branch.state not in ids:
                ids[branch.state] = len(order)
                event = Happened(str(decision.action), branch.outcome)
                order.append((branch.state, (*path, event)))
        known: Any = tree.describe(key, path)
        is_ours = isinstance(known, State)
        state = _StateOfPlan(
            number,
            decision,
            known.counts if is_ours else None,
            known.left if is_ours else None,
            None if is_ours else str(known),
            _knows(tree.problem, known),
            list(_outcomes(decision, ids)),
            _alternatives(tree, key) if number < _STATES_WITH_ALTERNATIVES else None,
        )
        yield _Shown(state, solution.is_exact)


def _knows(problem: Problem | None, state: object) -> list[str] | None:
    """Return what a state holds besides outcomes and what is left, if anything."""
    if problem is None or not isinstance(state, State):
        return None
    return list(state_notes(problem, state)) or None


def _outcomes(decision: Decision, ids: Mapping[Hashable, int]) -> Iterator[_Outcome]:
    for branch, nominal in zip(decision.branches, decision.nominal, strict=True):
        other = None if nominal == branch.probability else nominal
        yield _Outcome(branch.outcome, branch.probability, other, ids[branch.state])


def _alternatives(tree: DecisionTree, key: Hashable) -> Sequence[Alternative] | None:
    """Return what else could be done, where the engine can tell."""
    considered = tree.considered(key)
    if considered is None:
        return None
    return alternatives(considered, tree.policy[key].action)[:_MOST_ALTERNATIVES]


def _is_in_time(look: Callable[[], None]) -> bool:
    try:
        look()
    except LimitError:
        return False
    return True


def _known_bound(solution: Solution) -> Real | None:
    return None if solution.upper_bound == math.inf else solution.upper_bound


SOLUTION_LAYOUT: Final = document(
    "branchwise-solution",
    "The optimal plan for a problem, and what it took to find.",
    Field("problem", nullable(_PROBLEM), _part("problem")).about(
        "What was solved; null for a state space of one's own."
    ),
    Field("after", EVENTS, "history").about(
        "What had happened where the plan begins; nothing at the start."
    ),
    Field("status", STATUS).about(
        "optimal: no plan has a higher expected reward, or meets the aim "
        "better where there is one; lower bound: found with only some of the "
        "rewarding sets; the others: why it ended before the gap was closed."
    ),
    Field("expected_reward", NUMBER, note="Reward less weighted cost, on average."),
    Field(
        "exact",
        nullable(_FRACTION),
        lambda solution: solution.expected_reward if solution.is_exact else None,
    ).about("The same as `expected_reward`, as an exact fraction; null if not known."),
    Field("aim", _AIM, _part("aim"), is_optional=True).about(
        "What the plan makes the most of; left out where the mean is all."
    ),
    Field("upper_bound", nullable(NUMBER), _known_bound).about(
        "What no plan can exceed; null where that is not known."
    ),
    Field(
        "first_action", nullable(TEXT), note="What to do first; null: best do nothing."
    ),
    Field("engine", TEXT, note="Which engine found it."),
    Field("reason", TEXT, note="Why this engine, and how it went about it."),
    Field("prefer", TEXT, note="Which objective chose among the optimal plans."),
    Field(
        "robust",
        _ROBUST,
        lambda solution: None if solution.adversary is None else solution,
        is_optional=True,
    ).about(
        "Against whom the plan is robust; left out where all probabilities are nominal."
    ),
    Field("ties_settled", BOOLEAN, "is_tie_settled").about(
        "Whether that objective counted everywhere."
    ),
    Field("tree", _SIZE, _sized).about(
        "The size of the tree unrolled; nodes and leaves may exceed 2^53."
    ),
    Field("statistics", _STATISTICS),
    Field("verification", _VERIFICATION).about(
        "Whether the independent checker has confirmed the answer."
    ),
    Field("policy", _STATES, _states).about(
        "Every state that the plan can come to, once. A state's id is its "
        "position, and the root comes first."
    ),
    definitions={"amounts": _ANY_AMOUNTS, "state": _STATE.schema},
)
"""The fields of a solution; where it is exact, every number stands there twice."""
