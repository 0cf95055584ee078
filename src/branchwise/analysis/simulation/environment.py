"""The door to Gymnasium, which few have installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from branchwise.model.problem import Problem

if TYPE_CHECKING:
    from branchwise.analysis.simulation.gymnasium_env import ProblemEnv


def environment(problem: Problem, *, render_mode: str | None = None) -> ProblemEnv:
    """
    Return a problem as a Gymnasium environment, for agents that learn by trying.

    An episode is one run; its rewards add up to the reward where it stops, less
    weighted cost. `ProblemEnv` says what is observed, and what an agent can do.

    Parameters
    ----------
    problem
        The problem.
    render_mode
        ``ansi`` lets ``render`` say in words what has happened and what is left.

    Raises
    ------
    ImportError
        Gymnasium is not installed.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> toss = Action("toss", outcomes={"heads": 1})
    >>> env = environment(Problem([toss], [Reward(toss["heads"], 10)], budget=1))
    >>> observation, info = env.reset(seed=7)
    >>> env.action_masks().tolist()
    [True, True]
    >>> observation, reward, *_ = env.step(0)
    >>> observation.tolist(), reward
    ([1.0, 0.0], 0.0)
    >>> observation, reward, terminated, *_ = env.step(env.stop)
    >>> reward, terminated
    (10.0, True)
    """
    try:
        import gymnasium  # noqa: PLC0415
    except ImportError:
        fix = "pip install gymnasium"
        raise ImportError(f"an environment needs Gymnasium: {fix}") from None
    from branchwise.analysis.simulation.gymnasium_env import ENVIRONMENT_ID  # noqa: PLC0415

    # Made by Gymnasium, it knows how to make more of its kind.
    made = gymnasium.make(ENVIRONMENT_ID, problem=problem, render_mode=render_mode)
    return cast("ProblemEnv", made.unwrapped)
