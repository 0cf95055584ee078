import inspect
import shlex

import pytest

from branchwise import ProblemError, generate
from branchwise.generator.recipe import DEFAULTS, Knobs, recipe_of


def test_every_knob_has_a_default_and_a_paragraph():
    knobs = {"actions", "budget", "seed", *Knobs.__annotations__}

    assert knobs == set(DEFAULTS)
    for knob in knobs:
        assert f"\n{knob}\n" in inspect.getdoc(generate)


@pytest.mark.parametrize("said", ["2-3", (2, 3), ("2", "3"), " 2 - 3 "])
def test_a_span_may_be_text_or_a_pair(said):
    assert recipe_of({"outcomes": said}) == recipe_of({"outcomes": "2-3"})


def test_a_share_may_be_written_in_percent():
    assert recipe_of({"or_share": "40%"}) == recipe_of({"or_share": 0.4})


def test_the_command_says_what_is_not_usual():
    recipe = recipe_of({"actions": 9, "seed": "my seed", "cost": (1, 2.5)})

    command = (
        "branchwise generate --actions 9 --budget 10 --seed 'my seed' --cost 1-2.5"
    )
    assert recipe.command() == command
    words = shlex.split(command)[2:]
    said = {word[2:]: words[i + 1] for i, word in enumerate(words) if word[0] == "-"}
    assert recipe_of(said) == recipe


def test_an_unknown_knob_is_told_the_nearest_one():
    with pytest.raises(TypeError, match=r"no knob 'layer'.*did you mean `layers`"):
        generate(layer=3)


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        (
            {"actions": "many"},
            "actions: `many` is not a number\n    fix: write `20`",
        ),
        (
            {"actions": 2},
            "actions: 2 is too little\n    fix: write 3 or more",
        ),
        (
            {"layers": 2.5},
            "layers: 2.5 is not a whole number\n    fix: write `5`",
        ),
        (
            {"success": "0.8-0.2"},
            "success: 0.8-0.2 is upside down\n    fix: write 0.2-0.8",
        ),
        (
            {"outcomes": (2, 3, 4)},
            "outcomes: (2, 3, 4) is not the least and the most\n    fix: write `2`",
        ),
        (
            {"success": 1},
            "success: 1 is too much\n    fix: write 0.99 or less",
        ),
        (
            {"combine": "min", "or_share": 2},
            "or_share: 2 is too much\n    fix: write 1 or less\n"
            "combine: `min` is no way to combine rewards\n    fix: write `max`",
        ),
        (
            {"budget": 1, "layers": 5},
            "budget: a plan takes an action of each of 5 layers, which cost 5 or more, "
            "and the budget is 1\n"
            "    fix: raise the budget to 5 or more, or write fewer layers",
        ),
        (
            {"actions": 5, "layers": 5},
            "layers: 5 actions do not fill 5 layers\n"
            "    fix: write 6 actions or more, or fewer layers",
        ),
        (
            {"actions": 13, "layers": 2},
            "layers: 2 layers have room for 12 actions, not for 13, where none needs "
            "more than 3 others\n    fix: write more layers, or more prerequisites",
        ),
        (
            {"or_share": 0},
            "or_share: where every action needs all of its prerequisites, there is one "
            "way only\n    fix: write a share above 0",
        ),
        (
            {"prerequisites": 1},
            "prerequisites: with one prerequisite each, all actions form a single "
            "chain\n    fix: write `1-2`, say",
        ),
    ],
)
def test_knobs_that_cannot_be_say_why_and_what_to_write(knobs, message):
    with pytest.raises(ProblemError) as caught:
        recipe_of(knobs)

    assert str(caught.value) == message
