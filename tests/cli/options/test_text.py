import click
import pytest

from branchwise.cli.options.text import TEXT, short


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
