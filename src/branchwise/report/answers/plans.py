"""All optimal plans, shown: as one picture."""

from typing import ClassVar, NoReturn

from branchwise.program.reduced_plans import OptimalPlans
from branchwise.report.answer import Answer, Detail
from branchwise.report.text.ink import Look


class PlansAnswer(Answer[OptimalPlans]):
    """Every optimal plan at once: the reduced graph."""

    drawings: ClassVar = {"svg": "dependency_graph.plans_picture.plans_svg"}
    formats: ClassVar = tuple(drawings)

    def lines(self, look: Look, detail: Detail = "likely") -> NoReturn:  # noqa: ARG002
        """Refuse: as text, there is one plan at a time."""
        raise TypeError("all optimal plans are drawn: `branchwise.render` to .svg")
