"""HTML in small pieces, most of them text that others wrote."""

import html
import re
from collections.abc import Iterable
from typing import Final

from branchwise.model.conditions.condition import Happened
from branchwise.report.tree_drawing.lettering import legible

_LONGEST_FIGURE: Final = 24
_MINUS: Final = re.compile(r"(?<![\w.)])-(?=[\d.])")
_TAG: Final = re.compile(r"<[^>]*>")

NONE = '<span class="none">\N{EN DASH}</span>'  # what stands where there is nothing

# A long name may be broken after what joins its words, before the hump of a camel,
# and, where neither comes for long, between two letters.
_LONG: Final = re.compile(r"\S{17}")
_JOINT: Final = re.compile(
    r"(?<=[\w)\]\"][_\-./:,;=&|])(?=[\w\"])|(?<=[a-z0-9])(?=[A-Z][a-z])"
)
_STRETCH: Final = re.compile(
    r"[A-Za-z0-9]{24}(?=[A-Za-z0-9])|(?:(?![A-Za-z0-9]{25}).)+", re.DOTALL
)


def words(text: str) -> str:
    """
    Return a text of any origin, escaped.

    >>> words('<script>alert("x")</script>')
    '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;'
    """
    return html.escape(legible(text))


def name(text: str) -> str:
    """
    Return a name, escaped; its direction of writing stays its own.

    A long one may go on in the next line where its words are joined.

    >>> name("scan_ports"), name("scan_the_ports_of_b")
    ('<bdi>scan_ports</bdi>', '<bdi>scan_<wbr>the_<wbr>ports_<wbr>of_<wbr>b</bdi>')
    """
    shown = legible(text)
    pieces = [shown]
    if _LONG.search(shown):
        pieces = [cut for word in _JOINT.split(shown) for cut in _STRETCH.findall(word)]
    return f"<bdi>{'<wbr>'.join(map(html.escape, pieces))}</bdi>"


def figure(content: str) -> str:
    """Return a fact in large type, or in smaller type if it is long."""
    is_long = len(_TAG.sub("", content)) > _LONGEST_FIGURE
    return f'<span class="figure{" long" if is_long else ""}">{content}</span>'


def minus(text: str) -> str:
    """
    Return a number as it is printed: its minus is as wide as its plus.

    >>> minus("-3.5"), minus("1e-05"), minus("0.4 to -2")
    ('\N{MINUS SIGN}3.5', '1e-05', '0.4 to \N{MINUS SIGN}2')
    """
    return _MINUS.sub("\N{MINUS SIGN}", text)


def number(shown: str, exact: str) -> str:
    """
    Return a number that stands for a more exact one, which is shown on hover.

    >>> number("8.437", "8.43672"), number("50", "50"), number("12,686", "12686")
    ('<span title="8.43672">8.437</span>', '50', '12,686')
    """
    if exact in {shown, shown.replace(",", "")}:
        return words(minus(shown))
    return f'<span title="{words(minus(exact))}">{words(minus(shown))}</span>'


def outcome_name(action: str, outcome: str) -> str:
    """Return ``action = outcome``; if that is long, a line may end after the ``=``."""
    space = " " if _LONG.match(f"{action}{outcome}".replace(" ", "_")) else "&nbsp;"
    return f"{name(action)}&nbsp;={space}{name(outcome)}"


def happened(events: Iterable[Happened], nothing: str) -> str:
    """Return what has happened, in order; or what to say where nothing has."""
    named = (outcome_name(event.action, event.outcome) for event in events)
    return ", ".join(named) or words(nothing)


def scrollable(content: str, label: str) -> str:
    """Return what scrolls by itself where it is too wide, with the keyboard too."""
    label = words(label)
    return (
        f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">\n'
        f"{content}\n</div>"
    )
