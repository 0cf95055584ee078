"""Trees made by hand, for pictures of them."""

from branchwise.tree.choices.policy import Branch, Decision
from branchwise.tree.decision_tree import DecisionTree


def chain(length):
    """Step after step, each of which may fail; only the last one pays."""
    policy = {
        "failed": Decision(None, (), value=0, reward=0),
        length: Decision(None, (), value=1, reward=1),
    }
    for step in range(length):
        branches = Branch("fail", 0.01, "failed"), Branch("ok", 0.99, step + 1)
        value = 0.99 ** (length - step)
        policy[step] = Decision(f"step {step}", branches, value, reward=0)
    return DecisionTree(policy, 0)


def tosses(count):
    """A full binary tree of so many levels in as many states."""
    policy = {0: Decision(None, (), value=1, reward=1)}
    for left in range(1, count + 1):
        branches = Branch("heads", 0.5, left - 1), Branch("tails", 0.5, left - 1)
        policy[left] = Decision("toss", branches, value=1, reward=0)
    return DecisionTree(policy, count)


def single_tree(name):
    """One action with a hostile name and a hostile outcome."""
    branches = Branch(name, 0.5, "won"), Branch("otherwise", 0.5, "lost")
    policy = {
        "start": Decision(name, branches, value=5, reward=0),
        "won": Decision(None, (), value=10, reward=10),
        "lost": Decision(None, (), value=0, reward=0),
    }
    return DecisionTree(policy, "start")
