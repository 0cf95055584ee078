"""Score graphs: what the scores of all states depend on, as arrays of numbers."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from branchwise.model.conditions.condition import Happened


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScoreGraph:
    """
    States with the actions considered at each, numbered, so that programs can be built.

    An *option* is an action considered at a state, a *branch* one outcome of an option.
    The options of a state stand in a row, and so do the branches of an option. The root
    is state 0, and every state comes before those it leads to. Arrays offer the buffer
    protocol, so that numpy takes them as they are.

    Where rewards add up, a canonical state does not say what has been secured on the
    way to it: that is a gain of the branches. Its reward and its score are what comes
    on top.
    """

    # By state: what stopping there pays, less what was gained on the way.
    rewards: Sequence[float]
    # By state: whether one may stop there although something can be done.
    may_stop: Sequence[int]
    # By state: its first option; and at the end the number of options.
    first_options: Sequence[int]
    actions: Sequence[int]  # By option: the number of its action
    # By option: the number of the clause that counts, the last one being none; empty
    # where that is not known.
    variants: Sequence[int]
    charges: Sequence[float]  # By option: what the objective loses by taking it
    # By option: its first branch; and at the end the number of branches.
    first_branches: Sequence[int]
    # By branch: the number of the outcome among those of its action.
    outcomes: Sequence[int]
    children: Sequence[int]  # By branch: the state it leads to
    probabilities: Sequence[float]  # By branch: how likely it is
    gains: Sequence[float]  # By branch: the rewards that become certain with it
    action_names: tuple[str, ...]  # By number of an action
    labels: tuple[tuple[str, ...], ...]  # By number of an action: its outcomes
    root_gain: float = 0.0  # The rewards that are certain before anything is done
    # Whether a state stands for all states with the same future.
    is_canonical: bool = False
    # By state: what it is in a state space of your own; empty for problems.
    states: Sequence[Hashable] = ()

    def __len__(self) -> int:
        return len(self.rewards)

    @property
    def num_options(self) -> int:
        """The number of options of all states."""
        return len(self.actions)

    def options(self, state: int) -> range:
        """Return the options of a state."""
        return range(self.first_options[state], self.first_options[state + 1])

    def branches(self, option: int) -> range:
        """Return the branches of an option."""
        return range(self.first_branches[option], self.first_branches[option + 1])

    def action_name(self, option: int) -> str:
        """Return the name of the action of an option."""
        return self.action_names[self.actions[option]]

    def event(self, option: int, branch: int) -> Happened:
        """Return the outcome that a branch of an option stands for."""
        action = self.actions[option]
        label = self.labels[action][self.outcomes[branch]]
        return Happened(self.action_names[action], label)

    def ways(
        self, goes: Callable[[int], bool] = lambda _option: True
    ) -> dict[int, tuple[int, int, int] | None]:
        """Find a way from the root to every state, in as few steps as may be."""
        # By state: the state, option and branch by which one comes there last; None for
        # the root. States that no way leads to, by the options that it `goes` by, are
        # left out.
        ways: dict[int, tuple[int, int, int] | None] = {0: None}
        reached = [0]
        for state in reached:
            for option in self.options(state):
                if not goes(option):
                    continue
                for branch in self.branches(option):
                    child = self.children[branch]
                    if child not in ways:
                        ways[child] = (state, option, branch)
                        reached.append(child)
        return ways
