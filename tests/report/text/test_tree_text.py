"""The tree as text: complete, narrow, and never too long."""

import itertools
import re
from random import Random

import pytest

from branchwise import report
from branchwise.report.text.ink import Look
from branchwise.report.text.label import display_width
from branchwise.report.text.tree_text import tree_lines, tree_text
from branchwise.solver import solve
from branchwise.space.state_space import AvailableAction, Transition
from branchwise.tree.choices.policy import Branch, Decision
from branchwise.tree.decision_tree import DecisionTree

STOP = Decision(None, (), value=0.0, reward=0.0)


def decide(action, *branches):
    return Decision(action, tuple(Branch(*b) for b in branches), 1.0, 0.0)


def caterpillar(depth):
    """Probe until something is found."""
    policy = {
        level: decide("probe", ("none", 0.99, level + 1), ("found", 0.01, "won"))
        for level in range(depth)
    }
    return DecisionTree({**policy, depth: STOP, "won": STOP}, 0)


def doubling(depth):
    """Toss a coin again and again: 2^(depth + 1) - 1 nodes from few states."""
    policy = {
        level: decide("toss", ("heads", 0.5, level + 1), ("tails", 0.5, level + 1))
        for level in range(depth)
    }
    return DecisionTree({**policy, depth: STOP}, 0)


def random_tree(random):
    """States in a row; outcomes lead to any later one."""
    size = random.randint(1, 25)
    policy = {}
    for state in range(size):
        later = range(state + 1, size)
        if not later or random.random() < 0.1:
            policy[state] = STOP
            continue
        num_outcomes = random.choice([1, 2, 2, 3, 8])
        weights = [random.random() + 0.01 for _ in range(num_outcomes)]
        policy[state] = decide(
            f"a{state}",
            *(
                (f"o{i}", weight / sum(weights), random.choice(later))
                for i, weight in enumerate(weights)
            ),
        )
    return DecisionTree(policy, 0)


def num_hidden(text):
    counts = re.findall(r"([0-9,]+) more nodes?", text)
    return sum(int(count.replace(",", "")) for count in counts)


def num_shown(text):
    """Count the nodes that have a line; the start of a later part is there twice."""
    nodes = [
        line
        for line in text.splitlines()
        if line and not line.startswith("[") and "other outcome" not in line
    ]
    return len(nodes)


def test_outcomes_stand_in_the_order_of_the_problem():
    tree = DecisionTree(
        {
            0: decide("test", ("good", 0.4, 1), ("bad", 0.6, 2)),
            1: decide("drill", ("oil", 0.5, 3), ("dry", 0.5, 2)),
            2: STOP,
            3: Decision(None, (), value=200.0, reward=200.0),
        },
        0,
    )

    assert tree_text(tree).splitlines() == [
        "test",
        "├─ good 40 % ─ drill (worth 1)",
        "│  ├─ oil 50 % ─ stop with 200",
        "│  └─ dry 50 % ─ stop with 0",
        "└─ bad  60 % ─ stop with 0",
    ]


def test_a_plan_that_does_nothing_is_one_line():
    assert tree_text(DecisionTree({0: STOP}, 0)) == "stop with 0"


def test_a_full_tree_shows_every_node():
    for seed in range(60):
        tree = random_tree(Random(seed))
        if tree.num_nodes < 5000:
            text = tree_text(tree, full=True)
            assert num_shown(text) == tree.num_nodes
            assert num_hidden(text) == 0


def test_what_is_shown_and_what_is_left_out_add_up():
    large = 0
    for seed in range(200):
        tree = random_tree(Random(seed))
        text = tree_text(tree)
        large += tree.num_nodes > 150
        if tree.num_nodes < 10**15:
            assert num_shown(text) + num_hidden(text) == tree.num_nodes
        assert len(text.splitlines()) < 200
    assert large > 20


def test_the_likely_part_is_shown():
    """One plan in two ends at once, one in four after two steps, and so on."""
    steps = {
        level: decide("go on", ("end", 0.5, "end"), ("on", 0.5, level + 1))
        for level in range(10)
    }
    tosses = {
        level: decide("toss", ("heads", 0.5, level + 1), ("tails", 0.5, level + 1))
        for level in range(10, 22)
    }
    tree = DecisionTree({**steps, **tosses, 22: STOP, "end": STOP}, 0)

    text = tree_text(tree)

    assert tree.num_nodes == 20 + 2**13 - 1
    assert text.count("end 50 %") == 10
    assert num_shown(text) + num_hidden(text) == tree.num_nodes


@pytest.mark.parametrize("width", [40, 60, 120, None])
@pytest.mark.parametrize("full", [True, False])
def test_a_deep_tree_is_folded(width, full):
    text = tree_text(caterpillar(5000), width=width, full=full)

    lines = text.splitlines()
    assert max(map(len, lines)) <= (width or 160)
    assert (len(lines) > 10_000) == full
    references = [int(n) for n in re.findall(r"see \[(\d+)\]", text)]
    assert references == list(range(1, len(references) + 1))
    assert [int(n) for n in re.findall(r"(?m)^\[(\d+)\]", text)] == references


def test_a_tree_larger_than_any_memory_shows_its_likely_part():
    text = tree_text(doubling(60))

    assert len(text.splitlines()) < 170
    assert "more nodes (reached with" in text
    assert "about 3.6e+16 more nodes" in text


def test_a_full_tree_comes_line_by_line():
    tree = doubling(200)
    lines = tree_lines(tree, Look(), max_nodes=None)

    assert len(list(itertools.islice(lines, 1000))) == 1000


def test_an_action_of_many_outcomes_shows_the_likely_ones():
    """A die of 10,000 sides: each as likely as any, so 150 of them are shown."""
    sides = [(f"{side}", 1 / 10_000, "end") for side in range(10_000)]
    text = tree_text(DecisionTree({0: decide("roll", *sides), "end": STOP}, 0))

    *_, last = text.splitlines()
    assert last.startswith("└─ 9,85")
    assert "other outcomes 98.5 % … 9,85" in last


def test_one_outcome_left_out_would_take_the_line_that_shows_it():
    text = tree_text(caterpillar(5000))

    assert "1 other outcome" not in text


@pytest.mark.parametrize("width", [30, 50, 80])
def test_no_line_is_wider_than_the_page(width):
    names = ["試掘する" * 9, "בדיקה" * 9, "a very long name indeed " * 9, "x" * 300]
    policy = {
        level: decide(name, (name, 0.3, level + 1), ("ok", 0.7, level + 1))
        for level, name in enumerate(names)
    }
    text = tree_text(DecisionTree({**policy, len(names): STOP}, 0), width=width)

    assert max(map(display_width, text.splitlines())) <= width
    assert "…" in text


def test_labels_are_aligned_by_what_is_seen():
    tree = DecisionTree(
        {
            0: decide("a", ("試掘", 0.05, 1), ("e\u0301", 0.15, 1), ("xyzw", 0.8, 1)),
            1: STOP,
        },
        0,
    )
    _, *lines = tree_text(tree).splitlines()

    assert [display_width(line.split("%")[0]) for line in lines] == [11, 11, 11]


def test_names_that_look_like_markup_come_out_letter_by_letter():
    tree = DecisionTree({0: decide("[red]x", ("[/]", 1.0, 1)), 1: STOP}, 0)

    assert tree_text(tree).splitlines() == ["[red]x", "└─ [/] 100 % ─ stop with 0"]


def test_names_from_right_to_left_do_not_turn_the_line_around():
    name, label = "בדיקה", "שמש"
    tree = DecisionTree({0: decide(name, (f"{label}\u202e", 1.0, 1)), 1: STOP}, 0)

    first, second = tree_text(tree).splitlines()
    assert first == f"\u2068{name}\u2069"
    assert second == f"└─ \u2068{label}\u2069 100 % ─ stop with 0"


class Countdown:
    """A state space of one's own: toss as often as there are coins."""

    def __init__(self, coins):
        self.root = coins

    def actions(self, state):
        if state:
            sides = (
                Transition("heads", 0.5, state - 1),
                Transition("tails", 0.5, state - 1),
            )
            yield AvailableAction("toss", sides)

    def reward(self, state):
        return 0.0 if state else 7.0


def test_a_state_space_of_ones_own_is_told_too():
    lines = list(report.lines(solve(Countdown(2))))

    assert lines[0] == "expected reward 7, first action toss, proven optimal"
    assert lines[1] == "pays 7 with 100 %"
    assert "7 nodes, 4 leaves, at most 2 actions deep" in lines
    assert "3 states, 3 on optimal plans" in lines


def test_numbers_of_nodes_beyond_thousands_of_digits_are_told():
    text = "\n".join(report.lines(solve(Countdown(16_000))))

    assert "about 6.04e+4816 nodes" in text
