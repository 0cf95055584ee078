"""What came of one file of a batch."""

from dataclasses import dataclass
from typing import Final

ERROR: Final = "error"
"""The status of what could not be read or solved."""


@dataclass(frozen=True, slots=True)
class BatchRow:
    """What came of one file."""

    file: str
    problem: str = ""
    status: str = ERROR
    expected_reward: float | None = None
    upper_bound: float | None = None
    first_action: str | None = None
    num_nodes: int | None = None
    num_states: int | None = None
    seconds: float | None = None
    error: str = ""
