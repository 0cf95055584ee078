import pytest

from branchwise import AtLeast, CVaR, ExponentialUtility, UtilityTable
from branchwise.risk import parse_aim


@pytest.mark.parametrize(
    ("text", "aim"),
    [
        ("cvar=10%", CVaR("1/10")),
        ("at-least = 50", AtLeast(50)),
        ("exponential=1/2", ExponentialUtility(0.5)),
        ("table=100:1, 0:0,50:0.8", UtilityTable({0: 0, 50: "4/5", 100: 1})),
    ],
)
def test_an_aim_is_read(text, aim):
    assert parse_aim(text) == aim


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "cvra=10%",
            "there is no aim `cvra`; there are `cvar`, `at-least`, "
            "`at-most`, `exponential`, `table`; did you mean `cvar`?",
        ),
        ("cvar", "`cvar` lacks a number; write `cvar=10%`, say"),
        ("at-least=", "`at-least=` lacks a number; write `at-least=50`, say"),
        ("exponential=big", "`big` is not a number"),
        (
            "table=0:0,9",
            "`9` is no point of a utility table; write `reward:utility`, "
            "such as `50:0.8`",
        ),
    ],
)
def test_what_is_no_aim_is_refused(text, message):
    with pytest.raises(ValueError) as caught:
        parse_aim(text)

    assert str(caught.value) == message
