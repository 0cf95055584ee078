"""State spaces of one's own: what is wrong is refused where it is met, and named."""

import math
from fractions import Fraction
from types import SimpleNamespace

import pytest

from branchwise import AvailableAction, ProblemError, Transition, solve
from branchwise.model import Spread
from branchwise.program import score_program


def space(**parts):
    """Toss a coin for 10; with other parts where said."""

    def actions(state):
        if state == "start":
            given = parts.get("transitions", (("heads", 0.5), ("tails", 0.5)))
            sides = tuple(
                Transition(label, probabilities, label)
                for label, probabilities in given
            )
            action = AvailableAction(
                "toss",
                sides,
                parts.get("cost", 1),
                parts.get("charge", 0),
                parts.get("spread"),
            )
            yield from parts.get("actions", [action])

    rewards = {"heads": 10, **parts.get("rewards", {})}
    return SimpleNamespace(
        root=parts.get("root", "start"),
        actions=actions,
        reward=lambda state: rewards.get(state, 0),
    )


def refused(**parts):
    with pytest.raises(ProblemError) as caught:
        solve(space(**parts))
    return str(caught.value)


def test_a_sound_space_is_solved():
    assert solve(space()).expected_reward == 5
    assert solve(space(), exact=True).expected_reward == 5


@pytest.mark.parametrize(
    ("probabilities", "total"),
    [((0.5, 0.4), "0.9"), ((0.7, 0.6), "1.3"), ((1, 1), "2")],
)
def test_probabilities_that_do_not_sum_to_one_are_named_with_their_sum(
    probabilities, total
):
    message = refused(
        transitions=tuple(zip(("heads", "tails"), probabilities, strict=True))
    )

    assert "state 'start', action `toss`: the probabilities of `heads`, `tails`" in (
        message
    )
    assert f"sum to {total}, not 1" in message
    assert "fix: let them sum to 1" in message


@pytest.mark.parametrize("odd", [-0.5, 1.5, math.nan, math.inf, None, "1/2"])
def test_a_probability_that_is_none_is_named(odd):
    message = refused(transitions=(("heads", odd), ("tails", 0.5)))

    assert f"action `toss`: the probability of `heads` is {odd!r}" in message
    assert "fix: let it be a number from 0 to 1" in message


def test_thirds_in_floats_sum_to_one_and_fractions_must_do_so_exactly():
    thirds = tuple((label, 1 / 3) for label in ("heads", "tails", "edge"))
    off = (("heads", Fraction(1, 3)), ("tails", Fraction(2, 3) - Fraction(1, 10**20)))

    assert solve(space(transitions=thirds)).expected_reward == pytest.approx(10 / 3)
    assert solve(space(transitions=thirds), exact=True).first_action == "toss"
    assert f"sum to {1 - Fraction(1, 10**20)}, not 1" in refused(transitions=off)


@pytest.mark.parametrize("worth", [math.nan, math.inf, -math.inf, None])
def test_a_reward_that_is_no_finite_number_is_refused_at_its_state(worth):
    message = refused(rewards={"tails": worth})

    assert message.startswith(f"state 'tails': the reward is {worth!r}")
    assert "fix: return a finite number" in message


@pytest.mark.parametrize("what", ["cost", "charge"])
@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_a_cost_or_charge_that_is_no_finite_number_is_refused(what, number):
    message = refused(**{what: number})

    assert f"action `toss`: the {what} is {number!r}" in message


def test_two_outcomes_of_one_name_are_refused():
    message = refused(transitions=(("heads", 0.5), ("heads", 0.5)))

    assert "action `toss`: two outcomes are called `heads`" in message


def test_two_actions_of_one_name_are_refused():
    sides = (Transition("heads", 1, "heads"),)

    message = refused(actions=[AvailableAction("toss", sides)] * 2)

    assert message.startswith("state 'start': two actions are called `toss`")


@pytest.mark.parametrize(
    ("action", "what"),
    [
        (AvailableAction("toss", ()), "it has no outcomes"),
        (("toss", ()), "no AvailableAction"),
        (AvailableAction("toss", None), "the transitions of `toss` are None"),
        (AvailableAction("toss", ("heads",)), "no Transition"),
        (AvailableAction(1, (Transition("x", 1, "x"),)), "name of an action is 1"),
        (AvailableAction("toss", (Transition(1, 1, "x"),)), "label of an outcome is 1"),
        (AvailableAction("toss", (Transition("x", 1, []),)), "cannot be hashed"),
    ],
)
def test_what_is_no_action_is_refused(action, what):
    assert what in refused(actions=[action])


def test_everything_wrong_at_a_state_is_named_at_once():
    message = refused(transitions=(("heads", 0.5), ("heads", 0.4)), cost=math.nan)

    assert message.count("fix:") == 3


@pytest.mark.parametrize(
    "spread",
    [
        Spread((0.5,), (0.4,), (0.6,), 1),
        Spread((0.5, 0.5), (0.6, 0.4), (0.7, 0.6), 1),
        Spread((0.4, 0.6), (0.3, 0.5), (0.6, 0.7), 1),
        Spread((0.5, 0.5), (0.4, 0.4), (0.6, 0.6), math.nan),
    ],
)
def test_a_spread_that_does_not_fit_its_probabilities_is_refused(spread):
    assert "spread" in refused(spread=spread)


def test_a_state_that_takes_pages_to_show_is_cut_short():
    assert len(refused(root=("start" * 1000,), rewards={("start" * 1000,): None})) < 300


def test_programs_check_a_state_space_too():
    with pytest.raises(ProblemError, match=r"sum to 0\.9"):
        score_program(space(transitions=(("heads", 0.5), ("tails", 0.4))))


@pytest.mark.parametrize("given", [None, 3])
def test_actions_that_are_no_list_are_refused_at_their_state(given):
    odd = SimpleNamespace(root=0, actions=lambda _: given, reward=lambda _: 0)

    with pytest.raises(ProblemError, match=f"state 0: `actions` gives {given}"):
        solve(odd)


def claiming(**methods):
    return SimpleNamespace(**vars(space()), **methods)


@pytest.mark.parametrize("answer", [None, "no", 2])
def test_whether_an_action_may_help_is_true_or_false(answer):
    with pytest.raises(ProblemError, match="`may_help` gives"):
        solve(claiming(may_help=lambda state, action: answer))


@pytest.mark.parametrize("bound", [None, "much", math.nan])
def test_an_upper_bound_is_a_number(bound):
    with pytest.raises(ProblemError, match="state 'start': the upper bound is"):
        solve(claiming(upper_bound=lambda state: bound))


def test_an_upper_bound_may_be_infinite():
    found = solve(claiming(upper_bound=lambda state: math.inf))

    assert found.expected_reward == 5


@pytest.mark.parametrize("name", ["upper_bound", "may_help", "actions", "reward"])
def test_what_is_no_method_is_refused(name):
    odd = SimpleNamespace(**(vars(space()) | {name: 3}))

    with pytest.raises(TypeError, match=f"`{name}` is 3, not a method"):
        solve(odd)


@pytest.mark.parametrize(
    "shares",
    [
        (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
        (Fraction(1, 2), 0.25, 0.25),
        (Fraction(1), 0, 0.0),
    ],
)
def test_fractions_that_sum_to_one_are_sound_with_any_denominators(shares):
    given = tuple(zip(("heads", "tails", "edge"), shares, strict=True))

    found = solve(space(transitions=given))

    assert found.expected_reward == pytest.approx(10 * float(shares[0]))


@pytest.mark.parametrize(
    "shares",
    [
        (Fraction(1, 2), Fraction(1, 2) - Fraction(1, 10**30)),
        (Fraction(3, 2), Fraction(-1, 2)),
        (Fraction(2, 3), 0.5),
    ],
)
def test_fractions_that_do_not_sum_to_one_are_refused(shares):
    given = tuple(zip(("heads", "tails"), shares, strict=True))

    assert "action `toss`: the probabilit" in refused(transitions=given)
