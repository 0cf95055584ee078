"""`make quick` leaves out what takes long, and names nothing that is not there."""

import subprocess
import sys
from pathlib import Path

from quick import LONG_PLACES, TAKES_LONG, imported

HERE = Path(__file__).parent


def test_every_place_that_is_left_out_is_there():
    assert {each.name for each in HERE.rglob("*")} >= LONG_PLACES


def test_what_a_module_imports_is_known():
    found = set(imported(sys.modules[__name__]))

    assert {subprocess.__name__, "pathlib", "quick"} <= found
    assert TAKES_LONG & found == {"subprocess"}
