"""
A problem as a Gymnasium environment, for agents that learn by trying.

Importing this module lets ``gymnasium.make`` know of it.
"""

from typing import Any, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from branchwise.model.budget import UNLIMITED
from branchwise.model.checks.validate import checked
from branchwise.model.features import refuse_features
from branchwise.model.problem import Problem
from branchwise.space.packed import most_attempts
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import AvailableAction

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
    their outcomes in the problem; then what is left of each resource that is not
    unlimited.

    *Action*: the number of an action in the problem, or one more to stop. Which are
    available says `action_masks`, and ``info["action_mask"]`` after every step. An
    action that is not available is taken for stopping, and ``info["is_available"]`` is
    false then. Only stopping ends an episode; nothing is ever truncated.

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
        refuse_features(problem, "the environment for learners")
        self.render_mode = render_mode
        self._space = ProblemSpace(problem)
        self._numbers = {a.name: i for i, a in enumerate(problem.actions)}
        self._state = self._space.root
        self._available = self._here()
        most = self._most()
        self.observation_space = gymnasium.spaces.Box(
            np.zeros_like(most), most, dtype=np.float64
        )
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
        self._move(self._space.root)
        return self._observation(), self._info(is_available=True)

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        """Take an action, or stop."""
        chosen = self._available.get(int(action))
        if chosen is None:
            reward = float(self._space.reward(self._state))
            info = self._info(is_available=int(action) == self.stop)
            return self._observation(), reward, True, False, info
        self._move(self._drawn(chosen))
        info = self._info(is_available=True)
        return self._observation(), 0.0 - float(chosen.charge), False, False, info

    def action_masks(self) -> Mask:
        """Return of every action whether it can be taken now; stopping always can."""
        mask = np.zeros(self.stop + 1, dtype=np.bool_)
        mask[[*self._available, self.stop]] = True
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

    def _drawn(self, action: AvailableAction[PackedState]) -> PackedState:
        left = self.np_random.random()
        for _, probability, state in action.transitions:
            left -= float(probability)
            if left < 0:
                return state
        return action.transitions[-1].state

    def _observation(self) -> Observation:
        happened = self._state.happened
        counts = [f.count(happened) for f in self._space.packing.fields.values()]
        return np.array([*counts, *self._left(self._state)], dtype=np.float64)

    def _left(self, state: PackedState) -> list[float]:
        limits = self._space.describe(state).left.values()
        return [float(limit) for limit in limits if limit != UNLIMITED]

    def _most(self) -> Observation:
        """Return the highest that each number of an observation can be."""
        counts = [
            most_attempts(self.problem, action)
            for action in self.problem.actions
            for _ in action.labels
        ]
        highest = [*counts, *self._left(self._space.root)]
        # A number that is always zero has no extent, which Gymnasium takes for a slip.
        return np.maximum(np.array(highest, dtype=np.float64), 1.0)

    def _info(self, *, is_available: bool) -> Info:
        # Gymnasium's own spaces take masks of this type.
        mask = self.action_masks().astype(np.int8)
        return {"action_mask": mask, "is_available": is_available}


if ENVIRONMENT_ID not in gymnasium.registry:
    gymnasium.register(id=ENVIRONMENT_ID, entry_point=f"{__name__}:ProblemEnv")
