"""The templates of pages, and how values are written in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from branchwise.analysis.table import Cell, Table
from branchwise.model.budget import DEFAULT_RESOURCE, Amounts, counted
from branchwise.model.conditions.condition import ALWAYS, NEVER, Condition
from branchwise.model.numbers.formula import expression_of
from branchwise.model.numbers.number import number_text
from branchwise.report import markup
from branchwise.report.column import PAGE_NUMBERS, condition_on_page
from branchwise.report.page.assets import content_policy, page_style
from branchwise.report.text import wording
from branchwise.report.text.label import as_read
from branchwise.report.tree_drawing.lettering import legible

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_WORDING = (
    "aim_proof",
    "bound_words",
    "count",
    "exact_text",
    "plural",
    "seconds",
    "sentence",
    "short",
)


def page_from(
    template: str,
    name: str,
    values: Mapping[str, object],
    *,
    script: str = "",
    data: str = "",
) -> str:
    """
    Return a self-contained page, made from a template that extends ``frame``.

    The title is the name of what it shows, or else what the template is called.
    """
    style = page_style(is_live=bool(data))
    frame = {
        "title": name.strip() or template.capitalize(),
        "style": style,
        "policy": content_policy(style, script),
        "script": script,
        "data": data,
    }
    return rendered(template, {**values, **frame})


def plain_page(
    title: str, kind: str, words: Iterable[str], tables: Iterable[Table]
) -> str:
    """Return a page with an answer in words and its tables."""
    shown = [
        {
            "key": table.name,
            "title": _title(table.name),
            "columns": [
                (_title(column), _style(row[number] for row in table.rows))
                for number, column in enumerate(table.columns)
            ],
            "rows": [[_written(cell) for cell in row] for row in table.rows],
        }
        for table in tables
    ]
    return page_from("plain", title, {"kind": kind, "words": words, "tables": shown})


def _style(cells: Iterable[Cell]) -> str:
    return "" if any(isinstance(cell, str | bool) for cell in cells) else "number"


def _title(name: str) -> str:
    words = name.replace("_", " ").replace("-", ": ")
    return words[:1].upper() + words[1:]


def _written(cell: Cell) -> str | None:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return cell if cell is None or isinstance(cell, str) else wording.short(cell)


def rendered(template: str, values: Mapping[str, object]) -> str:
    """Return what a template makes of values."""
    return _environment().get_template(f"{template}.html.j2").render(values)


@cache
def _environment() -> Environment:
    # Start-up is felt, so what makes pages is loaded with the first of them.
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415
    from markupsafe import Markup, escape  # noqa: PLC0415

    def marked(write: Callable[..., str]) -> Callable[..., Markup]:
        return lambda *values: Markup(write(*values))

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_legible,
        loader=PackageLoader("branchwise.report"),
    )
    environment.filters |= {
        **{each: getattr(wording, each) for each in _WORDING},
        "name": marked(lambda text: markup.name(str(text))),
        "condition": marked(condition_on_page),
        "as_read": as_read,
        "event": marked(lambda event: markup.outcome_name(event.action, event.outcome)),
        **{kind: marked(write) for kind, write in PAGE_NUMBERS.items()},
        "charged": lambda amounts: [
            (resource, Markup(text)) for resource, text in _charged(amounts)
        ],
        "beginning": lambda text: text.rsplit(" ", 1)[0],
        "measured": marked(_measured),
        "computed": _expression,
        "number": number_text,
        "minus": markup.minus,
        "paid": _paid,
        "scrollable": marked(markup.scrollable),
        "figure": marked(lambda text: markup.figure(escape(_legible(text)))),
    }
    environment.tests["trivial"] = is_trivial
    environment.globals["NONE"] = Markup(markup.NONE)
    environment.globals["macros"] = environment.get_template("macros.html.j2").module
    return environment


def _legible(value: Any) -> Any:
    """Return any text that is not markup without characters that turn text around."""
    return legible(value) if type(value) is str else value


def _paid(cost: Amounts) -> list[tuple[str, str]]:
    """Return the resources of which something is paid, with how much."""
    return [
        (_named(r, amount), wording.short(amount))
        for r, amount in cost.items()
        if amount
    ]


def is_trivial(condition: Condition) -> bool:
    """Whether a condition always holds, or never."""
    return condition in {ALWAYS, NEVER}


def _charged(amounts: Amounts) -> list[tuple[str, str]]:
    """Return the resources that are named, with their amounts as markup."""
    found = ((r, amounts.interval(r) or (None, None)) for r in amounts.named)
    return [
        (_named(r, amounts.of(r)), _measured(amounts.written(r), *ends))
        for r, ends in found
    ]


def _named(resource: str, amount: Fraction) -> str:
    return "" if resource == DEFAULT_RESOURCE else counted(resource, amount)


def _measured(number: Fraction, low: Fraction | None, high: Fraction | None) -> str:
    """Return a number, with its interval and how it is computed, as markup."""
    from markupsafe import escape  # noqa: PLC0415

    text = number_text(number)
    if low is not None and high is not None and low != high:
        text += f" [{number_text(low)}, {number_text(high)}]"
    expression = _expression(number)
    if not expression:
        return text
    return f'<span class="computed" title="{escape(legible(expression))}">{text}</span>'


def _expression(number: Fraction) -> str:
    """Return how a number is computed; nothing where it is written as it is."""
    return str(expression_of(number) or "")
