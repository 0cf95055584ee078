"""Mixed-integer programs that HiGHS keeps from one solve to the next."""

import math
from collections.abc import Mapping

_INF = math.inf


class MixedProgram:
    """Columns and rows of a program."""

    # `what` is what it is called, where HiGHS is missing, and `gap` the share of its
    # value that an optimum may be off.

    def __init__(self, what: str, gap: float = 0.0) -> None:
        try:
            from highspy import Highs, HighsVarType  # noqa: PLC0415
        except ImportError:
            fix = "pip install highspy"
            raise ImportError(f"{what} needs HiGHS: {fix}") from None
        self._whole = HighsVarType.kInteger
        self._highs = Highs()  # type: ignore[no-untyped-call]
        self._highs.setOptionValue("output_flag", "off")
        self._highs.setOptionValue("mip_rel_gap", gap)
        # It takes as long as all the rest where there are few columns, as there are
        # here.
        self._highs.setOptionValue("mip_heuristic_run_feasibility_jump", "off")
        self.is_out_of_time = False

    def column(
        self, low: float, high: float, *, cost: float = 0, is_whole: bool = False
    ) -> int:
        """Add a number between these."""
        self._highs.addCol(cost, low, high, 0, [], [])
        column: int = self._highs.getNumCol() - 1
        if is_whole:
            self._highs.changeColIntegrality(column, self._whole)
        return column

    def row(
        self, row: Mapping[int, float], lower: float = -_INF, upper: float = _INF
    ) -> int:
        """Require a sum of columns, each times its factor, to lie between these."""
        self._highs.addRow(lower, upper, len(row), list(row), list(row.values()))
        number: int = self._highs.getNumRow() - 1
        return number

    def _run(self, seconds: float) -> str:
        self._highs.setOptionValue("time_limit", seconds)
        self._highs.run()
        status: str = self._highs.getModelStatus().name
        return status
