"""What a score program says: scores, slacks, and how likely states are visited."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce

from branchwise.errors import PlanError
from branchwise.model.conditions.condition import Happened
from branchwise.model.execution.history import History, as_history
from branchwise.model.execution.turn import start_of, stepped
from branchwise.model.problem import Problem
from branchwise.space.score_graph import ScoreGraph


@dataclass(frozen=True, slots=True)
class ScoredAction:
    """
    An action considered at a state.

    Parameters
    ----------
    name
        What it is called.
    value
        What is to be expected if it is taken: the score of the state less the slack.
    slack
        By how much that is less than the score of the state.
    is_optimal
        Whether there is no slack: it is one of all optimal actions.
    probability
        The dual: how likely the plan is to come here and take it.
    """

    name: str
    value: float
    slack: float
    is_optimal: bool
    probability: float


@dataclass(frozen=True, slots=True)
class ScoredState:
    """
    A state of the program.

    Parameters
    ----------
    number
        Its number; its column is called ``s`` and this number in written programs.
    state
        What has happened and what is left, for problems, after `path`. A canonical
        state is many such states with the same future, of which this is one.
    path
        A shortest way there: of the plan, if it visits the state.
    score
        The highest expected reward from there on, all that was earned on the path
        included.
    reward
        What stopping pays there; None where a plan must go on.
    gained
        What was secured on the path, where rewards add up. The column of a canonical
        state holds the score without it.
    probability
        How likely the plan is to visit the state.
    stops
        How likely it is to end there.
    actions
        The actions considered.
    """

    number: int
    state: Hashable
    path: tuple[Happened, ...]
    score: float
    reward: float | None
    gained: float
    probability: float
    stops: float
    actions: tuple[ScoredAction, ...]

    @property
    def optimal_actions(self) -> tuple[str, ...]:
        """The actions without slack, as in the reduced graph."""
        return tuple(action.name for action in self.actions if action.is_optimal)


class OfGraph:
    """A program of scores, and its solution: as large as its graph."""

    graph: ScoreGraph

    @property
    def num_columns(self) -> int:
        """The number of states."""
        return len(self.graph)

    @property
    def num_rows(self) -> int:
        """The number of actions considered, all states together."""
        return self.graph.num_options


@dataclass(frozen=True, eq=False, kw_only=True)
class ProgramSolution(OfGraph):
    """
    The solution of a score program.

    The visits are those of *one* optimal plan. Where the optimum is unique they are
    that plan's; where several plans are optimal, HiGHS decides which.

    Parameters
    ----------
    graph
        The states, options and branches that the program was built from.
    problem
        What it is about; None for a state space of your own.
    scores
        By state: the score, less what was gained on the way.
    slacks
        By option: by how much it is worth less than its state; 0 if it is optimal.
    visits
        By state: how likely the plan is to visit it.
    taken
        By option: how likely the plan is to take it. The dual of its row.
    stops
        By state: how likely the plan is to stop there. The dual of its bound.
    tolerance
        A slack up to this is none: 1e-12 of the largest reward, or a little more.
    residual
        By how much the recursion of scores is missed, at most.
    num_nonzeros
        How many entries the matrix has.
    method
        What HiGHS was to use: ``simplex`` or ``ipm``.
    iterations
        How many steps it took; none where presolve alone did it.
    is_presolved
        Whether presolve was used.
    seconds
        How long it took to build and solve the program, once there was a graph.
    """

    graph: ScoreGraph
    problem: Problem | None
    scores: Sequence[float]
    slacks: Sequence[float]
    visits: Sequence[float]
    taken: Sequence[float]
    stops: Sequence[float]
    tolerance: float
    residual: float
    num_nonzeros: int
    method: str
    iterations: int
    is_presolved: bool
    seconds: float

    @property
    def expected_reward(self) -> float:
        """The score of the root."""
        return self.scores[0] + self.graph.root_gain

    @property
    def num_visited(self) -> int:
        """The number of states that the plan visits."""
        return len(self._visited_ways)

    @property
    def root(self) -> ScoredState:
        """The state to start from."""
        return self.state(0)

    def state(self, number: int) -> ScoredState:
        """Return the state with this number."""
        if not 0 <= number < len(self.graph):
            raise IndexError(f"there are {len(self.graph)} states, numbered from 0")
        ways = self._visited_ways if number in self._visited_ways else self._all_ways
        path: list[Happened] = []
        gained, way = self.graph.root_gain, ways[number]
        while way is not None:
            before, option, branch = way
            path.append(self.graph.event(option, branch))
            gained += self.graph.gains[branch]
            way = ways[before]
        return self._described(number, tuple(reversed(path)), gained)

    def after(self, history: History) -> ScoredState:
        """
        Return the state that a history leads to.

        Parameters
        ----------
        history
            Outcomes in order, such as ``"a1=ok, a3=fail"``.

        Raises
        ------
        PlanError
            The graph does not go there: an action is not considered at its state, as
            it cannot be taken or cannot help.
        """
        events = as_history(history)
        number, gained = 0, self.graph.root_gain
        for event in events:
            branch = self._branch(number, event)
            if branch is None:
                raise PlanError(f"`{event}` leads to no state of the program here")
            number = self.graph.children[branch]
            gained += self.graph.gains[branch]
        return self._described(number, events, gained)

    def states(self) -> Iterator[ScoredState]:
        """Return every state, the root first and each before those it leads to."""
        return (self.state(number) for number in range(len(self.graph)))

    def visited(self) -> Iterator[ScoredState]:
        """Return the states that the plan visits, the likeliest first."""
        likely = ((-self.visits[number], number) for number in self._visited_ways)
        return (self.state(number) for _, number in sorted(likely))

    @cached_property
    def _visited_ways(self) -> dict[int, tuple[int, int, int] | None]:
        return self.graph.ways(lambda option: self.taken[option] > 0)

    @cached_property
    def _all_ways(self) -> dict[int, tuple[int, int, int] | None]:
        return self.graph.ways()

    def _branch(self, state: int, event: Happened) -> int | None:
        branches = (
            branch
            for option in self.graph.options(state)
            for branch in self.graph.branches(option)
            if self.graph.event(option, branch) == event
        )
        return next(branches, None)

    def _described(
        self, number: int, path: tuple[Happened, ...], gained: float
    ) -> ScoredState:
        score = self.scores[number] + gained
        has_options = bool(self.graph.options(number))
        may_stop = bool(self.graph.may_stop[number]) or not has_options
        return ScoredState(
            number=number,
            state=self._name(number, path),
            path=path,
            score=score,
            reward=self.graph.rewards[number] + gained if may_stop else None,
            gained=gained,
            probability=self.visits[number],
            stops=self.stops[number],
            actions=tuple(
                ScoredAction(
                    name=self.graph.action_name(option),
                    value=score - self.slacks[option],
                    slack=self.slacks[option],
                    is_optimal=self.slacks[option] == 0,
                    probability=self.taken[option],
                )
                for option in self.graph.options(number)
            ),
        )

    def _name(self, number: int, path: tuple[Happened, ...]) -> Hashable:
        if self.problem is None:
            return self.graph.states[number]
        return reduce(partial(stepped, self.problem), path, start_of(self.problem))
