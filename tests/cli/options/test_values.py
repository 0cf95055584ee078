"""Text, whole numbers, shares, times and memory as people write them."""

import click
import pytest

from branchwise.cli.options.values import (
    TEXT,
    WholeNumber,
    memory,
    share,
    short,
    time,
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [("0", 0), ("0.01", 0.01), (".5", 0.5), ("1%", 0.01), (" 2.5 % ", 0.025)],
)
def test_a_share_is_a_number_or_a_percentage(text, meant):
    assert share(text) == pytest.approx(meant)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("0.5s", 0.5), ("1.5 m", 90), ("2 min", 120), ("1H", 3600)],
)
def test_a_time_is_in_seconds_unless_it_says_more(text, seconds):
    assert time(text) == seconds


@pytest.mark.parametrize(
    ("text", "num_bytes"),
    [
        ("1000", 1000),
        ("1B", 1),
        ("500MB", 500_000_000),
        ("0.5 kB", 500),
        ("2 GiB", 2**31),
        ("1tb", 10**12),
    ],
)
def test_memory_is_in_bytes_unless_it_says_more(text, num_bytes):
    assert memory(text) == num_bytes


def test_a_default_may_be_a_number():
    assert share(0.0) == 0


@pytest.mark.parametrize(
    ("reader", "text", "fix"),
    [
        (share, "one", "write `1%` or `0.01`"),
        (share, "-1%", "write `1%` or `0.01`"),
        (share, "1,5%", "write `1%` or `0.01`"),
        (share, "1 s", "write `1%` or `0.01`"),
        (time, "soon", "write seconds, `5m` or `2h`"),
        (time, "1d", "write seconds, `5m` or `2h`"),
        (time, "inf", "write seconds, `5m` or `2h`"),
        (memory, "", "write `500MB`, say, or `2GB`"),
        (memory, "2G B", "write `500MB`, say, or `2GB`"),
    ],
)
def test_what_is_not_understood_is_shown_with_a_fix(reader, text, fix):
    with pytest.raises(click.BadParameter) as caught:
        reader(text)

    assert caught.value.message == f"`{text}` is not understood; {fix}"


@pytest.mark.parametrize(("reader", "text"), [(time, "0"), (memory, "0 MB")])
def test_a_limit_of_nothing_is_no_limit(reader, text):
    with pytest.raises(click.BadParameter, match=f"`{text}` is nothing at all; write"):
        reader(text)


@pytest.mark.parametrize(
    ("option", "text", "fix"),
    [
        ("--gap", "much", "write `1%` or `0.01`"),
        ("--time-limit", "0", "write seconds, `5m` or `2h`"),
        ("--memory-limit", "plenty", "write `500MB`, say, or `2GB`"),
    ],
)
def test_a_wrong_quantity_is_wrong_usage(run, example, option, text, fix):
    result = run("solve", example, option, text)

    assert result.exit_code == 2
    assert f"Invalid value for '{option}': `{text}`" in result.stderr
    assert fix in " ".join(result.stderr.split())
    assert result.stdout == ""


@pytest.mark.parametrize("reader", [share, time, memory])
@pytest.mark.parametrize("text", ["9" * 26, "9" * 400, "9" * 10_000])
def test_what_nothing_could_count_with_is_refused_and_not_shown_in_full(reader, text):
    with pytest.raises(click.BadParameter, match="is too much to be meant") as caught:
        reader(text)

    assert len(caught.value.message) < 200


@pytest.mark.parametrize(("text", "number"), [("1", 1), (" 7 ", 7), ("1000", 1000)])
def test_whole_numbers_are_read(text, number):
    assert WholeNumber(1, 1000).convert(text, None, None) == number


@pytest.mark.parametrize(
    ("text", "reported"),
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
def test_anything_else_is_refused_with_what_to_write(text, reported):
    with pytest.raises(click.BadParameter) as caught:
        WholeNumber(1, 1000).convert(text, None, None)

    assert reported in caught.value.message
    assert len(caught.value.message) < 200


def test_help_shows_what_it_was_shown_before():
    option = click.Option(["--runs"], type=WholeNumber(2), help="How often.")

    _, shown = option.get_help_record(click.Context(click.Command("try")))
    assert shown == "How often.  [2 or more]"


@pytest.mark.parametrize("text", ["", "a1", "\u8a66\u6398", "\U0001f600", "\x1b"])
def test_any_text_is_text(text):
    assert TEXT.convert(text, None, None) == text


@pytest.mark.parametrize("text", ["\udcff", "a\udc80"])
def test_what_is_not_utf_8_is_refused_with_its_byte(text):
    with pytest.raises(click.BadParameter, match="is not UTF-8 text: byte 0x"):
        TEXT.convert(text, None, None)


def test_only_long_text_is_cut():
    assert short("x" * 60) == "x" * 60
    assert short("x" * 61) == "x" * 57 + "..."
