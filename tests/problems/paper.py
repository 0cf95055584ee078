"""The paper's illustrative example and what the paper says of it."""

from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward


def illustrative(budget=6, name=None):
    """Table 1, with outcomes 1 (failure) and 2 (success)."""

    def action(name, success, **conditions):
        outcomes = {"1": "rest", "2": success}
        return Action(name, outcomes=outcomes, **conditions)

    actions = [
        action("a1", 0.6),
        action("a2", 0.6),
        action("a3", 0.3),
        action("a4", 0.3, requires="(a1,2) OR (a3,2)"),
        action("a5", 0.6, requires="(a4,2)", precluded_by="(a3,1) OR (a3,2)"),
        action("a6", 0.4, requires="(a4,2) AND (a2,2)"),
        action("a7", 0.1, requires="(a3,2)"),
    ]
    rewards = [Reward("a5=2", 50), Reward("a6=2", 10), Reward("a7=2", 100)]
    title = f"Illustrative example, budget {budget}" if name is None else name
    return Problem(actions, rewards, budget=budget, name=title)


def state_vector(state):
    """A state as the paper writes it: for each action, the outcome or 0."""
    return [int((*state.outcomes.get(f"a{i}", ()), 0)[0]) for i in range(1, 8)]


def by_vector(space, states):
    """States by their vector in digits."""
    return {"".join(map(str, state_vector(space.describe(s)))): s for s in states}


# Figure 4, read off the picture: an action with what follows outcome 1 and outcome 2,
# or the reward where the plan stops.
FIGURE_4 = (
    "a1",
    (
        "a3",
        0,
        ("a7", ("a2", 0, ("a4", 0, ("a6", 0, 10))), 100),
    ),
    (
        "a4",
        ("a3", 0, ("a7", 0, 100)),
        (
            "a5",
            ("a3", ("a2", 0, ("a6", 0, 10)), ("a7", 0, 100)),
            ("a3", 50, ("a7", 50, 100)),
        ),
    ),
)
