"""The clock of a command: how its time limit is shared among solving and showing."""

import time
from typing import Final

# Of a time limit, what writing files is given; and at most so many seconds.
_SHARE_FOR_FILES: Final = 0.1
_MOST_FOR_FILES: Final = 3.0

# What showing the answer may take when solving took all the time, and what writing
# files may: they had better be late than lost.
_GRACE_SECONDS: Final = 0.4
_GRACE_FOR_FILES: Final = 2.0

_LEAST_SECONDS: Final = 0.001


class Clock:
    """Measures from now on how much of a time limit is left; None is as it takes."""

    def __init__(self, time_limit_seconds: float | None) -> None:
        self._limit = time_limit_seconds
        self._start = time.monotonic()

    def seconds_left(self) -> float | None:
        """Return what is left, and never nothing at all; None without a limit."""
        if self._limit is None:
            return None
        return max(self._limit - (time.monotonic() - self._start), _LEAST_SECONDS)

    def seconds_to_solve(self, has_files: bool) -> float | None:  # noqa: FBT001
        """Return how long solving may take, so that files can be written, too."""
        left = self.seconds_left()
        if left is None or not has_files:
            return left
        return left - min(left * _SHARE_FOR_FILES, _MOST_FOR_FILES)

    def seconds_to_show(self, has_files: bool) -> float | None:  # noqa: FBT001
        """Return how long putting the answer into files and words may take."""
        left = self.seconds_left()
        if left is None:
            return None
        return left + (_GRACE_FOR_FILES if has_files else _GRACE_SECONDS)
