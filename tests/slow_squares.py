"""Work that takes a while, in a module that other processes can load."""

import time


def slow_squares(numbers):
    """Return squares, a hundred in a second."""
    time.sleep(0.01 * len(numbers))
    return [number * number for number in numbers]
