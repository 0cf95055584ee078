"""
Models for Storm at its best: what each of its engines likes to be given.

For problems of the paper's kind (each action once, one limited resource that every
action costs, one value to gain) a model is written by hand; any other gets the one that
`branchwise convert` writes. What helped, measured:

* sparse: guards of nested `?:`, which stop at the first part that decides, where `&`
  and `|` work out everything; a property that ends with the budget, `left>0 U goal`;
* symbolic: a label of its own for each command (the build is many times faster), the
  budget declared first, then the actions that are rewarded, then the others as they are
  in the file (twice as fast as the order in which rewards need them);
* both: actions that no rewarding set needs left out.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from branchwise import UNLIMITED, write_text
from branchwise.formats.prism.prism_budget import PrismBudget
from branchwise.formats.prism.prism_names import PrismNames
from branchwise.formats.prism.prism_payoff import charged_actions, fraction_text, payoff
from branchwise.formats.prism.prism_state import PrismState
from branchwise.model import AllOf, AnyOf, Not
from branchwise.model.conditions.condition import NEVER, all_of, any_of, negation
from branchwise.rewarding import RewardingSets
from branchwise.rewarding.relevance import is_positive

MOST_SETS = 3000
"""Guards that list more rewarding sets than this take Storm longer than they save."""


@dataclass(frozen=True)
class StormModel:
    """
    A model, what to ask of it, and how the expected reward comes out of that.

    `tables_mb` is what the symbolic engine may use; it clears all of it at times.
    """

    text: str
    property: str
    engine: str
    tables_mb: int = 4096
    factor: Fraction = Fraction(1)
    excess: Fraction = Fraction(0)

    def expected_reward(self, result):
        return float(self.factor) * result - float(self.excess)


def naive(problem):
    """Every action wherever it is available, for the sparse engine."""
    if not is_of_the_papers_kind(problem):
        return plain(problem, "sparse")
    return _Draft(problem).model("sparse")


def pruned(problem):
    """Only actions that a rewarding set which is still open needs, as in the paper."""
    if not is_of_the_papers_kind(problem):
        return plain(without_unused_actions(problem), "sparse")
    sets = RewardingSets(problem)
    draft = _Draft(problem, unused=sets.unused_actions)
    if only_asks_for_things_to_happen(problem) and sets.num_sets <= MOST_SETS:
        draft.open_sets = [frozenset(each.needs) for each in sets]
    return draft.model("sparse")


def symbolic(problem):
    """Decision diagrams, with the variables in an order that keeps them small."""
    if not is_of_the_papers_kind(problem):
        return plain(without_unused_actions(problem), "dd")
    unused = RewardingSets(problem).unused_actions
    return _Draft(problem, unused=unused).model("dd")


def symbolic_in_small_tables(problem):
    """The same in an eighth of the memory: many times faster, where that is enough."""
    return replace(symbolic(problem), tables_mb=512)


def plain(problem, engine):
    """What `branchwise convert` writes."""
    text = write_text(problem, "prism")
    asked = payoff(
        problem, PrismState(problem, PrismNames(), counted=charged_actions(problem)), []
    )
    return StormModel(
        text, asked.property, engine, factor=asked.factor, excess=asked.excess
    )


def without_unused_actions(problem):
    """Rule out what no rewarding set needs, so that conditions can still name it."""
    unused = RewardingSets(problem).unused_actions
    actions = tuple(
        replace(action, requires=NEVER) if action.name in unused else action
        for action in problem.actions
    )
    return replace(problem, actions=actions)


def is_of_the_papers_kind(problem):
    """Tell whether Storm can be given more than the plain model."""
    values = {reward.value for reward in problem.rewards}
    is_one_goal = problem.combine == "max" or len(problem.rewards) == 1
    return (
        len(problem.budget) == 1
        and UNLIMITED not in problem.budget.values()
        and all(a.attempts == 1 and not a.given and a.cost for a in problem.actions)
        and not charged_actions(problem)
        and len(values) == 1
        and min(values) > 0
        and is_one_goal
    )


def only_asks_for_things_to_happen(problem):
    """Tell whether nothing that happens can ever stand in the way of a reward."""
    actions, rewards = problem.actions, problem.rewards
    return (
        all(action.precluded_by == NEVER for action in actions)
        and all(is_positive(action.requires) for action in actions)
        and all(is_positive(reward.when) for reward in rewards)
    )


class _Draft:
    """A model of a problem of the paper's kind in the making."""

    def __init__(self, problem, unused=()):
        self.problem = problem
        self.names = PrismNames()
        self.budget = PrismBudget(problem, self.names)
        self.state = PrismState(problem, self.names, counted=())
        self.open_sets = None
        for name in unused:
            self.state.records[name].most_attempts = 0
            self.state.records[name].outcome = ""

    def model(self, engine):
        goal = any_of(*(reward.when for reward in self.problem.rewards))
        join = self._nested if engine == "sparse" else self.state.expression
        lines = ["mdp", "module problem", *self._variables(goal)]
        lines += [self._command(r, join) for r in self._records()]
        lines += ["endmodule", f'label "goal" = {self.state.expression(goal)};']
        purses = self.budget.purses
        until = f"{purses[0].variable}>0 U" if purses else "F"
        [factor] = {reward.value for reward in self.problem.rewards}
        asked = f'Pmax=? [{until} "goal"]'
        return StormModel("\n".join(lines), asked, engine, factor=factor)

    def _records(self):
        records = self.state.records.values()
        return [record for record in records if record.most_attempts]

    def _variables(self, goal):
        """Declare the budget, then rewarded actions, then the others."""
        for purse in self.budget.purses:
            yield from purse.declarations()
        rewarded = {literal.action for literal in goal.mentions()}
        for record in sorted(
            self._records(), key=lambda r: r.action.name not in rewarded
        ):
            yield from record.declarations()

    def _command(self, record, join):
        action = record.action
        allowed = all_of(action.requires, negation(action.precluded_by))
        paid = list(self.budget.updates(action.cost))
        guards = [record.has_attempts(), *self.budget.guards(action.cost)]
        if allowed != all_of():
            guards.append(join(allowed))
        if self.open_sets is not None:
            guards.append(self._is_needed(action))
        probabilities = [
            f"{fraction_text(o.probability)} : "
            + " & ".join([*record.updates(o.label), *paid])
            for o in action.outcomes
            if o.probability
        ]
        label = self.names.fresh("take", action.name)
        whole = " & ".join(guards) if join == self.state.expression else _all(guards)
        return f"[{label}] {whole} -> {' + '.join(probabilities)};"

    def _nested(self, condition):
        """Write a condition so that the first part that decides it ends the work."""
        match condition:
            case AllOf(parts) if parts:
                return _all([self._nested(part) for part in parts])
            case AnyOf(parts) if parts:
                return _any([self._nested(part) for part in parts])
            case Not(inner):
                return f"!({self._nested(inner)})"
        return self.state.expression(condition)

    def _is_needed(self, action):
        """Write that a set with this action is open: not failed, and affordable."""
        sets = [s for s in self.open_sets if any(n.action == action.name for n in s)]
        return _any([_all(list(self._is_open(action, needs))) for needs in sets])

    def _is_open(self, action, needs):
        others = [need for need in needs if need.action != action.name]
        costs = []
        for need in sorted(others, key=str):
            record = self.state.records[need.action]
            happened = record.is_true(need)
            yield f"({record.outcome}=0 | {happened})"
            costs += self._prices(record)
        for purse in self.budget.purses:
            price = self._price(purse, action)
            yield f"{' + '.join([str(price), *costs])} <= {purse.variable}"

    def _prices(self, record):
        for purse in self.budget.purses:
            yield f"({record.outcome}=0 ? {self._price(purse, record.action)} : 0)"

    def _price(self, purse, action):
        return int(action.cost.of(purse.resource) / purse.unit)


def _all(parts):
    whole = parts[-1]
    for part in reversed(parts[:-1]):
        whole = f"({part} ? {whole} : false)"
    return whole


def _any(parts):
    if not parts:
        return "false"
    whole = parts[-1]
    for part in reversed(parts[:-1]):
        whole = f"({part} ? true : {whole})"
    return whole
