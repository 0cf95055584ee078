"""The value of information: what it is worth to know outcomes before starting."""

import math
from bisect import bisect
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, product
from random import Random
from typing import Final, Unpack

from branchwise.analysis.attempts import one_by_one
from branchwise.analysis.lots import Lot, lots_of
from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.outcome_tests import OutcomeTest
from branchwise.analysis.table import Table, Tabular, find
from branchwise.analysis.what_if import WhatIfLimits, WhatIfs, reward_spread, start_of
from branchwise.errors import LimitError, UnsupportedError
from branchwise.model.action import Action
from branchwise.model.conditions.condition import NEVER
from branchwise.model.execution.posterior import posterior
from branchwise.model.execution.turn import start_of as start_of_problem
from branchwise.model.execution.turn import ways_of
from branchwise.model.features import features_of
from branchwise.model.hidden import as_knowledge
from branchwise.model.problem import Problem
from branchwise.rewarding.sets import RewardingSets
from branchwise.tree.evaluate import evaluate
from branchwise.tree.solution import Solution

_MOST_CASES: Final = 2048
_NUM_SAMPLES: Final = 1000
# With more actions than this, adding up in the diagram may take minutes.
_MOST_IN_SETS: Final = 40
_SEED: Final = "what would be known"


@dataclass(frozen=True, slots=True)
class Estimate:
    """
    A mean over what may come to be known.

    Parameters
    ----------
    value
        The mean.
    standard_error
        How far it is likely to be off: 0 where every case was looked at, and never less
        than what one case more could change.
    num_cases
        How many cases were looked at.
    """

    value: float
    standard_error: float
    num_cases: int


@dataclass(frozen=True, slots=True)
class ActionInformation:
    """
    What it is worth to know of one action, before starting, how it would come out.

    Parameters
    ----------
    action
        Its name. Of an action that can be repeated all attempts are known.
    value
        The expected reward of a plan that knows.
    gain
        How much more that is.
    standard_error
        How far both are likely to be off: 0 where every case was looked at.
    """

    action: str
    value: float
    gain: float
    standard_error: float


@dataclass(frozen=True, slots=True)
class OutcomeTestResult:
    """
    One result of a test.

    Parameters
    ----------
    result
        Its name.
    probability
        How likely it is.
    value
        The expected reward after it.
    first_action
        What to do first then; None to do nothing.
    """

    result: str
    probability: float
    value: float
    first_action: str | None


@dataclass(frozen=True, slots=True)
class ValuedTest:
    """
    What a test is worth.

    Parameters
    ----------
    test
        The test.
    value
        The expected reward of a plan that tests first, before its cost.
    gain
        How much more that is, less the cost of the test.
    results
        What may come of it.
    """

    test: OutcomeTest
    value: float
    gain: float
    results: tuple[OutcomeTestResult, ...]


@dataclass(frozen=True, slots=True)
class FactInformation:
    """
    What it is worth to know a hidden fact before starting.

    Parameters
    ----------
    fact
        Its name.
    value
        The expected reward of a plan that knows.
    gain
        How much more that is.
    """

    fact: str
    value: float
    gain: float


@dataclass(frozen=True, slots=True)
class InformingAction:
    """
    What an action is worth that tells about hidden facts.

    Parameters
    ----------
    action
        Its name.
    value
        The expected reward of the best plan that cannot take it; None where without it
        no plan is sure to finish.
    loss
        How much less that is: what one would pay for it at most, besides its cost.
    """

    action: str
    value: float | None
    loss: float | None


@dataclass(frozen=True, slots=True)
class Information(Tabular):
    """
    What it is worth to know outcomes before starting.

    Parameters
    ----------
    expected_reward
        What the best plan earns without.
    perfect
        The expected reward of a plan that knows how every attempt would come out, and
        is bound by the budget and by all conditions as ever.
    actions
        The same for each action alone, by falling gain.
    tests
        What tests are worth.
    facts
        What it is worth to know hidden facts, by falling gain. Where there are some,
        `perfect` is about knowing all of them, and nothing is said of outcomes.
    informing
        What each action is worth that tells about hidden facts, by falling loss.
    """

    expected_reward: float
    perfect: Estimate
    actions: tuple[ActionInformation, ...]
    tests: tuple[ValuedTest, ...]
    facts: tuple[FactInformation, ...] = ()
    informing: tuple[InformingAction, ...] = ()

    @property
    def perfect_gain(self) -> float:
        """The value of perfect information: what knowing everything adds."""
        return max(0.0, self.perfect.value - self.expected_reward)

    def action(self, name: str) -> ActionInformation:
        """Return what it is worth to know of an action."""
        return find(self.actions, "action", name)

    def tables(self) -> tuple[Table, ...]:
        """Return it in rows: everything known, each action, each test."""
        total = self.perfect
        columns = ["value", "gain", "standard_error", "num_cases"]
        row = [total.value, self.perfect_gain, total.standard_error, total.num_cases]
        results = ((each.test.action, each.results) for each in self.tests)
        return (
            Table.of("perfect", columns, [row]),
            Table.of_records("actions", ActionInformation, self.actions),
            Table.of(
                "tests",
                ["action", "cost", "value", "gain"],
                ([t.test.action, t.test.cost, t.value, t.gain] for t in self.tests),
            ),
            Table.of_owned("results", "action", OutcomeTestResult, results),
            Table.of_records("facts", FactInformation, self.facts),
            Table.of_records("informing", InformingAction, self.informing),
        )


def value_of_information(
    problem: Problem,
    *,
    tests: Iterable[OutcomeTest] = (),
    most_cases: int = _MOST_CASES,
    num_samples: int = _NUM_SAMPLES,
    **limits: Unpack[WhatIfLimits],
) -> Information:
    """
    Work out what it is worth to know outcomes before starting.

    Every attempt at an action has a lot, drawn beforehand and apart from all others.
    Where what has happened changes probabilities, one number from 0 to 1 decides for
    all clauses: each lays its outcomes side by side, in order, as wide as they are
    likely.

    Parameters
    ----------
    problem
        The problem.
    tests
        Tests whose value is wanted, too.
    most_cases, num_samples
        Up to so many cases are all looked at; of more, so many are drawn by chance,
        and the answer says how far it is likely to be off. Where rewards do not add up,
        spending does not count, nothing repeats and no probability changes, any number
        of cases is added up at once, for up to 40 actions.
    limits
        How long it may take, and on how many threads; see `WhatIfs`.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> wells = {"oil": 0.5, "dry": 0.5}
    >>> here, there = (Action(name, outcomes=wells) for name in ("here", "there"))
    >>> rewards = [Reward(here["oil"], 8), Reward(there["oil"], 8)]
    >>> found = value_of_information(Problem([here, there], rewards, budget=1))
    >>> found.expected_reward, found.perfect.value, found.action("here").gain
    (4.0, 6.0, 2.0)
    """
    what_ifs = WhatIfs(problem, **limits)
    if problem.hidden:
        return facts_known(what_ifs, tuple(tests))
    return _Inquiry(what_ifs, most_cases, num_samples).information(tests)


def information_section(what_ifs: WhatIfs, options: AnalysisOptions) -> Information:
    """Work out the value of information as a section of an analysis."""
    if what_ifs.problem.hidden:
        return facts_known(what_ifs, options.tests)
    return _Inquiry(what_ifs, _MOST_CASES, _NUM_SAMPLES).information(options.tests)


def facts_known(what_ifs: WhatIfs, tests: Sequence[OutcomeTest]) -> Information:
    """Work out what it is worth to know each hidden fact, and all of them."""
    what_ifs.need_proof()
    if tests:
        raise UnsupportedError(
            "a test of outcomes cannot deal with hidden facts yet\n    fix: add the "
            "test as an action whose `given` names the hidden fact"
        )
    problem = what_ifs.problem
    names = [fact.name for fact in problem.hidden]
    known = [_value_knowing(what_ifs, [name]) for name in names]
    facts = (
        FactInformation(name, value, max(0.0, what_ifs.gain(value)))
        for name, value in zip(names, known, strict=True)
    )
    perfect = known[0] if len(names) == 1 else _value_knowing(what_ifs, names)
    return Information(
        expected_reward=what_ifs.expected_reward,
        perfect=Estimate(perfect, 0.0, len(ways_of(problem))),
        actions=(),
        tests=(),
        facts=tuple(sorted(facts, key=lambda each: -each.gain)),
        informing=_informing(what_ifs),
    )


def _informing(what_ifs: WhatIfs) -> tuple[InformingAction, ...]:
    """Work out what the best plan loses without each action that tells something."""
    problem = what_ifs.problem
    names = {fact.name for fact in problem.hidden}
    telling = [action for action in problem.actions if _asks(action, names)]
    without = [problem.with_action(replace(a, requires=NEVER)) for a in telling]
    values = what_ifs.values_or_stuck(without)
    found = (
        InformingAction(action.name, value, _loss(what_ifs, value))
        for action, value in zip(telling, values, strict=True)
    )
    # What is needed to finish comes first.
    return tuple(sorted(found, key=_by_loss))


def _loss(what_ifs: WhatIfs, value: float | None) -> float | None:
    return None if value is None else max(0.0, -what_ifs.gain(value))


def _by_loss(each: InformingAction) -> float:
    return -math.inf if each.loss is None else -each.loss


def _asks(action: Action, facts: Collection[str]) -> bool:
    """Whether how an action comes out depends on hidden facts."""
    mentions = (each for clause in action.given for each in clause.when.mentions())
    return any(each.action in facts for each in mentions)


def _value_knowing(what_ifs: WhatIfs, names: Sequence[str]) -> float:
    """Return what plans are worth on average that know some hidden facts."""
    problem = what_ifs.problem
    start = start_of_problem(problem).knowledge
    ways = ways_of(problem)
    seen = dict.fromkeys(tuple(way.labels[name] for name in names) for way in ways)
    weights, problems = [], []
    for labels in seen:
        fits = [tuple(way.labels[name] for name in names) == labels for way in ways]
        pairs = zip(start, fits, strict=True)
        knowledge = as_knowledge(Fraction(weight * is_so) for weight, is_so in pairs)
        fit = (way for way, weight in zip(ways, knowledge, strict=True) if weight)
        weights.append(sum(way.probability for way in fit))
        problems.append(replace(problem, hidden=posterior(problem, knowledge)))
    values = what_ifs.values(problems)
    return math.fsum(float(w) * v for w, v in zip(weights, values, strict=True))


class _Inquiry:
    """What may be asked about information in one problem."""

    def __init__(self, what_ifs: WhatIfs, most_cases: int, num_samples: int) -> None:
        what_ifs.need_proof()
        problem = what_ifs.problem
        self._what_ifs = what_ifs
        self._most_cases = most_cases
        self._num_samples = num_samples
        self._expected = what_ifs.expected_reward
        self._split = one_by_one(problem)
        self._attempts = what_ifs.of(self._split.problem)
        # Where states hold more than outcomes there are no rewarding sets.
        self._sets = None if features_of(problem) else RewardingSets(problem)
        self._useful = _useful_actions(problem, self._sets)

    def information(self, tests: Iterable[OutcomeTest]) -> Information:
        actions = [self._action(action) for action in self._split.attempts]
        return Information(
            expected_reward=self._expected,
            perfect=self._perfect(actions),
            actions=tuple(sorted(actions, key=lambda each: -each.gain)),
            tests=tuple(map(self._tested, tests)),
        )

    def _perfect(self, actions: Iterable[ActionInformation]) -> Estimate:
        """Return what knowing everything is worth: no less than knowing one action."""
        attempts = self._split.attempts
        everything = [each for name in self._useful for each in attempts[name]]
        found = self._by_sets() or self._foreknown(everything)
        least = max(each.value for each in actions)
        return replace(found, value=max(found.value, least))

    def _by_sets(self) -> Estimate | None:
        """
        Add up all cases in the diagram of rewarding sets; None where that will not do.

        With all outcomes known, a plan takes a set that comes true and nothing else.
        Where rewards add up or spending counts, there is more to choose than a set.
        """
        problem = self._what_ifs.problem
        if self._sets is None:
            return None
        if problem.combine != "max" or any(problem.cost_weight.values()):
            return None
        clauses = [clause for action in problem.actions for clause in action.given]
        is_repeated = any(action.is_repeatable for action in problem.actions)
        is_conditioned = any(clause.outcomes for clause in clauses)
        if is_repeated or is_conditioned or len(self._useful) > _MOST_IN_SETS:
            return None
        cases = math.prod(len(lots_of(problem.action(name))) for name in self._useful)
        try:
            return Estimate(self._sets.perfect_information, 0.0, cases)
        except LimitError:
            return None

    def _foreknown(self, attempts: Iterable[str]) -> Estimate:
        """
        Return what the problem is worth if the lots of some attempts are known before.

        Where there are too many cases, some are drawn by chance instead, always the
        same.
        """
        problem, values = self._split.problem, self._attempts.values
        lots = [lots_of(problem.action(name)) for name in attempts]
        if math.prod(map(len, lots)) > self._most_cases:
            random, samples = Random(_SEED), range(self._num_samples)
            draws = [_known(problem, _drawn(lots, random)) for _ in samples]
            return _sampled(draws, values(draws), self._attempts.solution)
        cases = list(product(*lots))
        known = values([_known(problem, (lot.action for lot in c)) for c in cases])
        weights = [float(math.prod(lot.probability for lot in case)) for case in cases]
        mean = math.fsum(w * v for w, v in zip(weights, known, strict=True))
        return Estimate(mean, 0.0, len(cases))

    def _action(self, name: str) -> ActionInformation:
        if name not in self._useful:
            return ActionInformation(name, self._expected, 0.0, 0.0)
        known = self._foreknown(self._split.attempts[name])
        value, error = known.value, known.standard_error
        return ActionInformation(name, value, self._gain(value), error)

    def _tested(self, test: OutcomeTest) -> ValuedTest:
        original = test.looked_at(self._what_ifs.problem).original
        results = list(test.results(self._what_ifs.problem))
        starts = self._what_ifs.map((problem for *_, problem in results), start_of)
        valued = tuple(
            OutcomeTestResult(result, float(probability), value, original(first))
            for (result, probability, _), (value, first) in zip(
                results, starts, strict=True
            )
        )
        value = sum(each.probability * each.value for each in valued)
        gain = self._gain(value) - float(test.cost)
        return ValuedTest(test, value, gain, valued)

    def _gain(self, value: float) -> float:
        """Return what knowing adds: never less than nothing, whatever rounding says."""
        return max(0.0, self._what_ifs.gain(value))


def _useful_actions(problem: Problem, sets: RewardingSets | None) -> tuple[str, ...]:
    """Return the actions that may be worth taking: knowing others gains nothing."""
    names = [action.name for action in problem.actions]
    if sets is None:
        return tuple(names)
    try:
        unused = set(sets.unused_actions)
    except LimitError:
        unused = set()
    return tuple(name for name in names if name not in unused)


def _sampled(
    draws: Sequence[Problem], values: Sequence[float], plan: Solution
) -> Estimate:
    """
    Estimate from some cases what knowing adds to what the plan earns in each of them.

    What the plan earns on average is known exactly, and much of what one case differs
    from another is chance that both share.
    """
    earned = (float(evaluate(plan.tree, draw)) for draw in draws)
    gains = [value - own for value, own in zip(values, earned, strict=True)]
    mean = math.fsum(gains) / len(gains)
    squares = math.fsum((gain - mean) ** 2 for gain in gains)
    error = math.sqrt(squares / (len(gains) - 1) / len(gains))
    # A gain so rare that no case has it must not make the error look like nothing.
    error = max(error, reward_spread(draws[0]) / len(gains))
    return Estimate(float(plan.expected_reward) + mean, error, len(gains))


def _drawn(lots: Sequence[Sequence[Lot]], random: Random) -> Iterator[Action]:
    for some in lots:
        ends = list(accumulate(float(lot.probability) for lot in some))
        yield some[min(bisect(ends, random.random()), len(some) - 1)].action


def _known(problem: Problem, drawn: Iterable[Action]) -> Problem:
    for action in drawn:
        problem = problem.with_action(action)
    return problem
