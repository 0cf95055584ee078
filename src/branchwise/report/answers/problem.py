"""Problems, shown: what depends on what, as a picture."""

from typing import ClassVar, NoReturn

from branchwise.formats.problem_schema import problem_schema
from branchwise.model.problem import Problem
from branchwise.report.answer import Answer, Detail
from branchwise.report.json_text import Object
from branchwise.report.text.ink import Look


class ProblemAnswer(Answer[Problem]):
    """The dependency graph of a problem; `branchwise.write` writes the problem."""

    drawings: ClassVar = {
        "svg": "dependency_graph.picture.dependency_svg",
        "dot": "dependency_graph.text.dependency_dot",
        "gv": "dependency_graph.text.dependency_dot",
        "mmd": "dependency_graph.text.dependency_mermaid",
    }
    formats: ClassVar = tuple(drawings)

    def lines(self, look: Look, detail: Detail = "likely") -> NoReturn:  # noqa: ARG002
        """Refuse: a problem as text is a file, and no answer."""
        raise TypeError("a problem is written as text by `branchwise.write_text`")

    @classmethod
    def schema(cls) -> Object:
        """Return the JSON Schema of files with problems."""
        return problem_schema()
