"""
Write the gallery: a page about every problem in `examples`, with pictures of plans.

``python tools/gallery.py`` writes `docs/gallery.md` and `docs/images/gallery` anew. It
says of a problem what stands above it in its file, and what solving it gives.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import branchwise
from branchwise.report.text.wording import plural, short
from branchwise.report.tree_drawing.svg import solution_svg

ROOT: Final = Path(__file__).parents[1]
EXAMPLES: Final = ROOT / "examples"
PAGE: Final = ROOT / "docs" / "gallery.md"
PICTURES: Final = ROOT / "docs" / "images" / "gallery"

_MOST_NODES: Final = 16  # of a picture that can be read at the width of a page

_INTRODUCTION: Final = """\
{problems} problems from {fields} fields, solved to the optimum. Each picture shows the
likely part of the best plan, from left to right: what to do, what may come of it, and
what that pays in the end. Open one in the [studio](guides/studio.md), change it, and
see the plan change; or begin with the one that is most like yours."""

_FIELDS: Final[Mapping[str, str]] = {
    "cyber": "Attack and defense of computers",
    "care": "Care for patients",
    "wargames": "Wargames and operations",
    "rescue": "Search and rescue",
    "drugs": "Drugs and vaccines",
    "oil": "Oil and gas",
    "repair": "Diagnosis and repair",
    "testing": "Tests in sequence",
    "business": "Business, farming and exploration",
    "learning": "Learning",
    "games": "Games and puzzles",
    "paper": "Problems of the paper's kind",
}
"""Folders of `examples`, and what their fields are called."""

_AT_THE_TOP: Final[Mapping[str, str]] = {
    "bid": "business",
    "diagnosis": "care",
    "illustrative": "paper",
    "knee_pain": "care",
    "oil_wildcatter": "oil",
    "phishing": "cyber",
    "stool_guaiac": "care",
    "tireworld": "games",
    "used_car": "business",
    "vaccine_trial": "drugs",
    "web_shop": "cyber",
}
"""The fields of problems that stand in no folder."""

_FEATURES: Final[Mapping[str, str]] = {
    "given": "probabilities that change",
    "attempts": "repeats",
    "precluded_by": "preclusions",
    "hidden": "hidden facts",
    "counters": "counters",
    "ends": "endings",
    "least-cost": "least cost",
    "cost_weight": "costs that count",
    "parameters": "named numbers",
    "defenses": "defenses",
}
"""Words of the file format, and what each lets a problem have."""


@dataclass(frozen=True)
class Exhibit:
    """A problem of the gallery."""

    path: Path

    @cached_property
    def _text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def _paragraphs(self) -> list[str]:
        """What stands above the problem: its story, then its source and its optimum."""
        lines = self._text.splitlines()
        above = lines[: next(i for i, line in enumerate(lines) if line[:1] != "#")]
        bare = [line.removeprefix("#").strip() for line in above]
        return "\n".join(bare).split("\n\n")

    @property
    def field(self) -> str:
        """The folder of its field, whether it stands there or not."""
        folder = self.path.parent
        return _AT_THE_TOP[self.path.stem] if folder == EXAMPLES else folder.name

    @property
    def file(self) -> str:
        """What it is called from the top of the repository."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def picture(self) -> Path:
        """Where its picture is."""
        return PICTURES / self.path.relative_to(EXAMPLES).with_suffix(".svg")

    @cached_property
    def solution(self) -> branchwise.Solution:
        """Its best plan."""
        return branchwise.solve(branchwise.read(self.path), verify=False)

    def drawn(self) -> str:
        """Return the likely part of its best plan as a picture."""
        return solution_svg(self.solution, max_nodes=_MOST_NODES)

    def lines(self) -> Iterator[str]:
        """Return what the page says of it."""
        problem = self.solution.problem
        assert problem is not None
        story, about, *_ = self._paragraphs
        source, _, after = about.partition("optimum: ")
        optimum, _, remarks = after.partition("\n")
        picture = self.picture.relative_to(PAGE.parent).as_posix()
        yield f"### {problem.name}"
        yield ""
        yield _prose(f"{story} {remarks}")
        yield ""
        yield f"[![{self._plan()}]({picture})]({picture})"
        yield ""
        yield f"- **Optimum**: {self._worth(optimum)}"
        yield f"- **Source**: {_prose(source).removeprefix('Source: ')}"
        if features := self._features():
            yield f"- **Has**: {', '.join(features)}"
        file = f"[the file](../{self.file})"
        yield f"- **Open it**: `branchwise studio {self.file}` ({file})"
        yield ""

    def _plan(self) -> str:
        """Return what the picture shows, for who cannot see it."""
        first = self.solution.first_action
        begins = f"which begins with {first}" if first else "which is to do nothing"
        return f"The best plan, {begins}"

    def _worth(self, optimum: str) -> str:
        """Return the optimum, which the tests of the examples compare with."""
        cost = self.solution.expected_cost
        what = "expected reward" if cost is None else "expected cost"
        number = optimum
        if "/" in optimum:
            worth = self.solution.expected_reward if cost is None else cost
            number = f"{optimum} (about {short(worth)})"
        nodes = plural(self.solution.tree.num_nodes, "node")
        return f"{what} {number}, with a plan of {nodes}."

    def _features(self) -> list[str]:
        body = re.sub(r"#.*", "", self._text)
        return [
            said for word, said in _FEATURES.items() if re.search(rf"\b{word}\b", body)
        ]


def exhibits() -> list[Exhibit]:
    """Return every problem of the examples, field by field."""
    found = [Exhibit(path) for path in sorted(EXAMPLES.rglob("*.yaml"))]
    fields = list(_FIELDS)
    return sorted(found, key=lambda each: fields.index(each.field))


def page(shown: list[Exhibit]) -> str:
    """Return the page."""
    counts = {"problems": len(shown), "fields": len(_FIELDS)}
    lines = ["# Gallery", "", _INTRODUCTION.format_map(counts), ""]
    field = ""
    for each in shown:
        if each.field != field:
            field = each.field
            lines += [f"## {_FIELDS[field]}", ""]
        lines += each.lines()
    return "\n".join(lines)


def write() -> None:
    """Write the page and the pictures."""
    shown = exhibits()
    PAGE.write_text(page(shown), encoding="utf-8")
    shutil.rmtree(PICTURES, ignore_errors=True)
    for each in shown:
        each.picture.parent.mkdir(parents=True, exist_ok=True)
        each.picture.write_text(each.drawn(), encoding="utf-8")


def _prose(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    write()
