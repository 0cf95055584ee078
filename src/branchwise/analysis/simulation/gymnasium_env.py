"""
A problem as a Gymnasium environment, for agents that learn by trying.

Importing this module lets ``gymnasium.make`` know of it.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from branchwise.errors import UnsupportedError
from branchwise.model.budget import UNLIMITED
from branchwise.model.checks.validate import checked
from branchwise.model.execution.turn import marginals
from branchwise.model.problem import Problem
from branchwise.space.packed import most_attempts
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import AvailableAction, Transition

ENVIRONMENT_ID: Final = "branchwise/Problem-v0"
"""What to ask ``gymnasium.make`` for, with the problem as ``problem``."""

Observation = NDArray[np.float64]
Mask = NDArray[np.bool_]
Info = dict[str, Any]


class ProblemEnv(gymnasium.Env[Observation, np.int64]):
    """
    One problem, played through step by step.

    An episode is one run. Its rewards add up, undiscounted, to the reward where it
    stops less weighted cost, so that the best an agent can do on average is the
    expected reward of the optimal plan.

    *Observation*: first how often each outcome has come up, by the order of actions and
    their outcomes in the problem; then where each counter stands; then how likely each
    hidden fact is what it may be, by what has come up; last what is left of each
    resource that is not unlimited. Hidden facts themselves are drawn by `reset` and
    never observed: they decide how likely outcomes are, and what is paid.

    *Action*: the number of an action in the problem, or one more to stop. Which are
    available says `action_masks`, and ``info["action_mask"]`` after every step. An
    action that is not available is taken for stopping, and ``info["is_available"]`` is
    false then. Only stopping ends an episode; nothing is ever truncated. Where a
    problem must be finished, stopping is not available before, and changes nothing.

    Parameters
    ----------
    problem
        The problem.
    render_mode
        ``ansi``: `render` says in words what has happened and what is left.
    """

    # Gymnasium declares it so, and reads it off the class.
    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(self, problem: Problem, render_mode: str | None = None) -> None:
        self.problem = checked(problem)
        if problem.is_least_cost and problem.unfinished is None:
            raise UnsupportedError(
                "an agent may get stuck before `finish` holds, and then has no reward\n"
                "    fix: say what that counts as, with `unfinished: AMOUNT`"
            )
        self.render_mode = render_mode
        self._space = ProblemSpace(problem)
        self._numbers = {a.name: i for i, a in enumerate(problem.actions)}
        self._state = self._space.root
        self._way = 0  # How the hidden facts are, in this run
        self._available = self._here()
        least, most = self._bounds()
        self.observation_space = gymnasium.spaces.Box(least, most, dtype=np.float64)
        self.action_space = gymnasium.spaces.Discrete(self.stop + 1)

    @property
    def stop(self) -> int:
        """The number of the action that stops."""
        return len(self.problem.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin a new run."""
        super().reset(seed=seed, options=options)
        if self.problem.hidden:
            self._way = self._picked(self._space.prior)
        self._move(self._space.root)
        return self._observation(), self._info(is_available=True)

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        """Take an action, or stop."""
        chosen = self._available.get(int(action))
        if chosen is None:
            ends = self._may_stop
            info = self._info(is_available=ends and int(action) == self.stop)
            paid = self._space.reward_if(self._state, self._way) if ends else 0.0
            return self._observation(), float(paid), ends, False, info
        drawn, before = self._drawn(chosen), self._state
        self._move(drawn.state)
        info = self._info(is_available=True)
        charge = float(self._space.charge_of(before, chosen, drawn))
        return self._observation(), 0.0 - charge, False, False, info

    @property
    def _may_stop(self) -> bool:
        return self._space.may_stop(self._state) or not self._available

    def action_masks(self) -> Mask:
        """Return of every action whether it can be taken now, and of stopping."""
        mask = np.zeros(self.stop + 1, dtype=np.bool_)
        mask[[*self._available]] = True
        mask[self.stop] = self._may_stop
        return mask

    def render(self) -> str | None:
        """Return what has happened and what is left."""
        is_shown = self.render_mode == "ansi"
        return str(self._space.describe(self._state)) if is_shown else None

    def _move(self, state: PackedState) -> None:
        self._state = state
        self._available = self._here()

    def _here(self) -> dict[int, AvailableAction[PackedState]]:
        available = self._space.actions(self._state)
        return {self._numbers[action.name]: action for action in available}

    def _drawn(self, action: AvailableAction[PackedState]) -> Transition[PackedState]:
        chances = self._space.probabilities_if(self._state, action, self._way)
        return action.transitions[self._picked(chances)]

    def _picked(self, chances: Sequence[float]) -> int:
        """Draw a number, each as likely as it says."""
        left = self.np_random.random()
        for number, chance in enumerate(chances):
            left -= chance
            if left < 0:
                return number
        return max(number for number, chance in enumerate(chances) if chance)

    def _observation(self) -> Observation:
        happened = self._state.happened
        counts = [f.count(happened) for f in self._space.packing.fields.values()]
        counters = [f.value(happened) for f in self._space.packing.counters.values()]
        seen = [*counts, *counters, *self._beliefs(), *self._left(self._state)]
        return np.array(seen, dtype=np.float64)

    def _beliefs(self) -> Iterator[float]:
        """Return how likely each hidden fact is each thing that it may be."""
        if self._state.knowledge:
            for likely in marginals(self.problem, self._state.knowledge).values():
                yield from map(float, likely.values())

    def _left(self, state: PackedState) -> list[float]:
        limits = self._space.describe(state).left.values()
        return [float(limit) for limit in limits if limit != UNLIMITED]

    def _bounds(self) -> tuple[Observation, Observation]:
        """Return the lowest and the highest that an observation can be."""
        counts = [
            most_attempts(self.problem, action)
            for action in self.problem.actions
            for _ in action.labels
        ]
        counters = self.problem.counters
        likely = [1.0 for _ in self._beliefs()]
        left = self._left(self._space.root)
        lowest = [*([0.0] * len(counts)), *(c.low for c in counters)]
        lowest += [0.0] * (len(likely) + len(left))
        highest = [*counts, *(c.high for c in counters), *likely, *left]
        least, most = (np.array(ends, dtype=np.float64) for ends in (lowest, highest))
        # A number that is always zero has no extent, which Gymnasium takes for a slip.
        return least, np.maximum(most, least + 1.0)

    def _info(self, *, is_available: bool) -> Info:
        # Gymnasium's own spaces take masks of this type.
        mask = self.action_masks().astype(np.int8)
        return {"action_mask": mask, "is_available": is_available}


if ENVIRONMENT_ID not in gymnasium.registry:
    gymnasium.register(id=ENVIRONMENT_ID, entry_point=f"{__name__}:ProblemEnv")
