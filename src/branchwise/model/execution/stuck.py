"""Getting stuck: where a plan must finish, and may come to where it cannot."""

from collections.abc import Iterable

from branchwise.errors import StuckError
from branchwise.model.conditions.condition import Happened


def stuck_error(way: Iterable[Happened]) -> StuckError:
    """
    Return the error that every plan may get stuck, on this way for instance.

    Examples
    --------
    >>> str(stuck_error([Happened("drill", "dry")])).partition(", and")[0]
    'finish: every plan may get stuck: after drill=dry nothing can be done'
    """
    happened = ", ".join(map(str, way))
    after = f"after {happened}" if happened else "at the start"
    return StuckError.of(
        "finish",
        f"every plan may get stuck: {after} nothing can be done, and `finish` does not "
        "hold",
        "say what that counts as, with `unfinished: AMOUNT`, or add an action that can "
        "always be taken",
    )
