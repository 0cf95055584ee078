"""Problems, shown: what depends on what, as a picture."""

from __future__ import annotations

from typing import ClassVar, Final, NoReturn

from branchwise.formats.problem_schema import problem_schema
from branchwise.model.problem import Problem
from branchwise.report.answer import Answer, Detail, loaded
from branchwise.report.fields import Object
from branchwise.report.text.ink import Look

__all__ = ["ProblemAnswer"]

_DRAWN: Final = {
    "svg": "dependency_graph.picture.dependency_svg",
    "dot": "dependency_graph.text.dependency_dot",
    "gv": "dependency_graph.text.dependency_dot",
    "mmd": "dependency_graph.text.dependency_mermaid",
}


class ProblemAnswer(Answer[Problem]):
    """The dependency graph of a problem; `branchwise.write` writes the problem."""

    formats: ClassVar = tuple(_DRAWN)

    def lines(self, look: Look, detail: Detail = "likely") -> NoReturn:  # noqa: ARG002
        """Refuse: a problem as text is a file, and no answer."""
        raise TypeError("a problem is written as text by `branchwise.write_text`")

    def written(self, form: str) -> str:
        """Return the graph in one of its formats."""
        drawn: str = loaded(_DRAWN[form])(self.result)
        return drawn

    @classmethod
    def schema(cls) -> Object:
        """Return the JSON Schema of files with problems."""
        return problem_schema()
