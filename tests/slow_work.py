"""Work that takes a while, in a module that other processes can load."""

import time
from pathlib import Path

# Far more than a test may take.
LONG_SECONDS = 250


def slow_squares(numbers, cancel):
    """Return squares, a hundred in a second."""
    time.sleep(0.01 * len(numbers))
    return [number * number for number in numbers]


def waiting(files, cancel):
    """Begin, which a file shows, and wait to be called off, which another one does."""
    (begun,) = files
    Path(begun).touch()
    wait_until(cancel.is_set)
    Path(begun).with_suffix(".over").touch()
    raise KeyboardInterrupt


def wait_until(is_so):
    """Wait for what is sure to come, and fail where it does not."""
    end = time.monotonic() + LONG_SECONDS
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)
