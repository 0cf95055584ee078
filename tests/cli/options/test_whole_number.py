import click
import pytest

from branchwise.cli.options.whole_number import WholeNumber


@pytest.mark.parametrize(("text", "number"), [("1", 1), (" 7 ", 7), ("1000", 1000)])
def test_whole_numbers_are_read(text, number):
    assert WholeNumber(1, 1000).convert(text, None, None) == number


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0", "`0` is too little; write 1 or more"),
        ("-5", "`-5` is too little"),
        ("1001", "`1001` is too much; write 1,000 or less"),
        ("9" * 26, "is too much; write 1,000 or less"),
        ("9" * 5_000, "is not a whole number; write one from 1 to 1,000"),
        ("1.5", "`1.5` is not a whole number"),
        ("", "`` is not a whole number"),
        ("\udcff", "is not a whole number"),
    ],
)
def test_anything_else_is_refused_with_what_to_write(text, told):
    with pytest.raises(click.BadParameter) as caught:
        WholeNumber(1, 1000).convert(text, None, None)

    assert told in caught.value.message
    assert len(caught.value.message) < 200


def test_help_shows_what_it_was_shown_before():
    option = click.Option(["--runs"], type=WholeNumber(2), help="How often.")

    _, shown = option.get_help_record(click.Context(click.Command("try")))
    assert shown == "How often.  [x>=2]"
