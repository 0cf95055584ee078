"""A problem as the tree that its document shows, before YAML or JSON spell it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from branchwise.errors import FormatError, Issue
from branchwise.model.action import Action, Given, Outcome
from branchwise.model.budget import (
    DEFAULT_RESOURCE,
    UNLIMITED,
    Amounts,
    Budget,
    Limit,
    alike_in_all,
    limit_text,
)
from branchwise.model.conditions.condition import ALWAYS, NEVER
from branchwise.model.counter import Counter
from branchwise.model.defense import Defense
from branchwise.model.hidden import Hidden
from branchwise.model.numbers.expression import NamedParameter
from branchwise.model.numbers.formula import Formula, expression_of
from branchwise.model.numbers.interval import Interval, as_interval, interval_text
from branchwise.model.numbers.number import LONGEST_NUMBER, number_text, whole_text
from branchwise.model.problem import Problem, Reward

_FILE = "problem"
_MOST_BITS = 8000  # Past this Python itself refuses to write all digits.


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, by its text."""

    text: str


class OneLine(dict[str, "Shape"]):
    """A map that stands on one line."""


class OneRow(list["Leaf"]):
    """A list that stands on one line."""


Leaf = str | Figure
Branch = dict[str, "Shape"]
Shape = Leaf | OneLine | OneRow | Branch | Sequence["Shape"]


def document_of(problem: Problem) -> Branch:
    """Lay a problem out as a document, with what is usual left out."""
    resource = _resource(problem.budget)
    document: Branch = {}
    if problem.name:
        document["name"] = problem.name
    if problem.parameters:
        document["parameters"] = {
            name: _parameter(each) for name, each in problem.parameters.items()
        }
    if problem.budget != Budget(UNLIMITED):
        document["budget"] = _budget(problem.budget)
    document |= _facts(problem)
    actions: Branch = {a.name: _action(a, resource) for a in problem.actions}
    document["actions"] = actions
    if problem.rewards:
        document["rewards"] = [_reward(reward) for reward in problem.rewards]
    if problem.combine != "max":
        document["combine"] = problem.combine
    if problem.cost_weight.named:
        document["cost_weight"] = _weight(problem.cost_weight, problem.budget)
    document |= _purpose(problem)
    if problem.defense_budget != UNLIMITED:
        document["defense_budget"] = _limit(problem.defense_budget)
    if problem.defenses:
        defenses: Branch = {d.name: _defense(d, resource) for d in problem.defenses}
        document["defenses"] = defenses
    return document


def _facts(problem: Problem) -> Branch:
    """Return what states hold besides outcomes."""
    document: Branch = {}
    if problem.hidden:
        document["hidden"] = {fact.name: _hidden(fact) for fact in problem.hidden}
    if problem.counters:
        document["counters"] = {each.name: _counter(each) for each in problem.counters}
    return document


def _purpose(problem: Problem) -> Branch:
    """Return where a plan may stop, and what it makes the least of."""
    document: Branch = {}
    if problem.finish is not None:
        document["finish"] = str(problem.finish)
    if problem.objective != "most-reward":
        document["objective"] = problem.objective
    if problem.unfinished is not None:
        document["unfinished"] = _figure(problem.unfinished)
    return document


def _hidden(fact: Hidden) -> Shape:
    outcomes = _outcomes(fact.outcomes, DEFAULT_RESOURCE)
    if not fact.given:
        return outcomes
    clauses = [_clause(clause, DEFAULT_RESOURCE) for clause in fact.given]
    return {"outcomes": outcomes, "given": clauses}


def _counter(counter: Counter) -> OneLine:
    """Lay out a counter; a range of plain numbers needs no quotes, as these do not."""
    ends: Leaf = Figure(f"{counter.low}..{counter.high}")
    if expression_of(counter.low) or expression_of(counter.high):
        ends = f"{_whole_text(counter.low)}..{_whole_text(counter.high)}"
    start = {} if counter.starts_as_usual else {"start": _whole(counter.start)}
    return OneLine({**start, "range": ends})


def _effects(effects: Mapping[str, int]) -> OneLine:
    return OneLine({counter: _whole(change) for counter, change in effects.items()})


def _whole(number: int) -> Leaf:
    computed = expression_of(number)
    return Figure(whole_text(number)) if computed is None else str(computed)


def _whole_text(number: int) -> str:
    computed = expression_of(number)
    return whole_text(number) if computed is None else str(computed)


def _resource(budget: Budget) -> str:
    """Name the resource that a cost without a name counts."""
    return next(iter(budget)) if len(budget) == 1 else DEFAULT_RESOURCE


def _budget(budget: Budget) -> Shape:
    if budget.is_plain:
        return _limit(budget[DEFAULT_RESOURCE])
    return OneLine({resource: _limit(limit) for resource, limit in budget.items()})


def _limit(limit: Limit) -> Leaf:
    return _figure(limit) if isinstance(limit, Fraction) else limit_text(limit)


def _parameter(parameter: NamedParameter) -> Leaf:
    ends = as_interval(parameter.value, parameter.low, parameter.high)
    return _measured(parameter.number, ends)


def _action(action: Action, resource: str) -> Branch:
    document: Branch = {}
    is_computed = any(expression_of(n) for n in action.cost.numbers())
    if is_computed or action.cost != Amounts({resource: 1}):
        document["cost"] = _amounts(action.cost, resource)
    if action.requires != ALWAYS:
        document["requires"] = str(action.requires)
    if action.precluded_by != NEVER:
        document["precluded_by"] = str(action.precluded_by)
    attempts = expression_of(action.attempts)
    if attempts is not None:
        document["attempts"] = str(attempts)
    elif action.attempts != 1:
        unlimited = action.attempts == UNLIMITED
        document["attempts"] = (
            "unlimited" if unlimited else Figure(str(action.attempts))
        )
    if action.effects:
        document["effects"] = _effects(action.effects)
    document["outcomes"] = _outcomes(action.outcomes, resource)
    document |= _known(action)
    if action.given:
        document["given"] = [_clause(clause, resource) for clause in action.given]
    return document


def _clause(clause: Given, resource: str) -> Branch:
    document: Branch = {"when": str(clause.when)}
    if clause.outcomes is not None:
        document["outcomes"] = _outcomes(clause.outcomes, resource)
    document |= _known(clause)
    if clause.cost is not None:
        document["cost"] = _amounts(clause.cost, resource)
    return document


def _known(probabilities: Action | Given) -> Branch:
    """Return how well probabilities are known."""
    said = {
        "distance": probabilities.distance,
        "sample_size": probabilities.sample_size,
    }
    return {key: _figure(n) for key, n in said.items() if n is not None}


def _defense(defense: Defense, resource: str) -> Branch:
    document: Branch = {}
    if defense.cost != 1 or expression_of(defense.cost):
        document["cost"] = _figure(defense.cost)
    for key, names in (("excludes", defense.excludes), ("forbids", defense.forbids)):
        if names:
            document[key] = OneRow(names)
    if defense.raises:
        raises: Branch = {a: _amounts(n, resource) for a, n in defense.raises.items()}
        figures = {a: n for a, n in raises.items() if isinstance(n, Figure)}
        document["raises"] = OneLine(figures) if len(figures) == len(raises) else raises
    if defense.changes:
        changes: Branch = {
            a: _outcomes(new, resource) for a, new in defense.changes.items()
        }
        document["changes"] = changes
    if defense.scales:
        scales: Branch = {a: _map_of(left) for a, left in defense.scales.items()}
        document["scales"] = scales
    return document


def _outcomes(outcomes: Sequence[Outcome], resource: str) -> Shape:
    if all(outcome.is_plain for outcome in outcomes):
        return OneLine({o.label: _probabilities(o) for o in outcomes})
    return {o.label: _outcome(o, resource) for o in outcomes}


def _outcome(outcome: Outcome, resource: str) -> Shape:
    """Lay out an outcome with all that follows from it."""
    probability = _probabilities(outcome)
    if outcome.is_plain:
        return probability
    document = OneLine(probability=probability)
    if outcome.effects:
        document["effects"] = _effects(outcome.effects)
    if outcome.cost.named:
        document["cost"] = _amounts(outcome.cost, resource)
    if outcome.ends is not None:
        document["ends"] = outcome.ends
    return document


def _probabilities(outcome: Outcome) -> Leaf:
    number = outcome.probability
    if outcome.has_slack:  # It is what the others leave of theirs.
        return _figure(number)
    return _measured(number, as_interval(number, outcome.low, outcome.high))


def _reward(reward: Reward) -> OneLine:
    ends = as_interval(reward.value, reward.low, reward.high)
    value = _measured(reward.value, ends)
    if reward.per is None:
        return OneLine(when=str(reward.when), value=value)
    when = {} if reward.when == ALWAYS else {"when": str(reward.when)}
    return OneLine({**when, "per": reward.per, "value": value})


def _amounts(amounts: Amounts, resource: str) -> Shape:
    if set(amounts.named) <= {resource}:
        return _measured(amounts.written(resource), amounts.interval(resource))
    return _by_resource(amounts)


def _weight(weights: Amounts, budget: Budget) -> Shape:
    all_alike = alike_in_all(weights, budget)
    if all_alike is not None:
        return _measured(*all_alike)
    return _by_resource(weights)


def _by_resource(amounts: Amounts) -> Shape:
    found = {
        r: _measured(amounts.written(r), amounts.interval(r)) for r in amounts.named
    }
    if "value" in found and {"low", "high"} & set(found):
        # Otherwise this would be read as a number and its interval.
        return {**found, "value": OneLine(value=found["value"])}
    return OneLine(found)


def _map_of(amounts: Mapping[str, Fraction]) -> OneLine:
    return OneLine({label: _figure(amount) for label, amount in amounts.items()})


def _measured(number: Fraction, ends: Interval | None) -> Leaf:
    if ends is None:
        return _figure(number)
    for each in (number, *ends):
        _figure(each)  # None of them may be too long to write.
    return interval_text(number, *ends)


def _figure(number: Fraction) -> Leaf:
    if isinstance(number, Formula):
        return str(number.expression)
    bits = max(abs(number.numerator), number.denominator).bit_length()
    text = number_text(number) if bits < _MOST_BITS else ""
    if not 0 < len(text) <= LONGEST_NUMBER:
        what = f"a number is too long to write: about {bits * 30103 // 100000} digits"
        raise FormatError([Issue(_FILE, what, "round it")])
    return Figure(text)
