"""Building much at once without looking for garbage all the while."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["uncollected"]


@contextmanager
def uncollected() -> Iterator[None]:
    """
    Keep Python from looking for circular garbage for a while.

    It looks whenever there are many new objects, and a large file is nothing else: a
    third of the time to read one. There is no garbage of this kind to find meanwhile.
    What is there in the end counts as old, or the first look afterwards would be at
    all of it.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # Else others keep something out of sight.
            gc.freeze()
            gc.unfreeze()
        if was_enabled:
            gc.enable()
