"""Lines through points on log-log paper."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class PowerLaw:
    """
    A line on log-log paper, `y = factor * x ** slope`.

    `r_squared` is the share of the variance of log y that it explains; a slope of 1
    is growth in proportion.
    """

    factor: float
    slope: float
    r_squared: float

    def __call__(self, x):
        return self.factor * x**self.slope


def fit(points):
    """
    Find the power law nearest to some points, by least squares of the logarithms.

    Examples
    --------
    >>> law = fit([(1, 3), (10, 30), (100, 300)])
    >>> round(law.factor, 9), round(law.slope, 9), round(law.r_squared, 9)
    (3.0, 1.0, 1.0)
    """
    xs = [math.log(x) for x, _ in points]
    ys = [math.log(y) for _, y in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    slope = (
        sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread
    )
    start = mean_y - slope * mean_x
    missed = sum((y - start - slope * x) ** 2 for x, y in zip(xs, ys, strict=True))
    total = sum((y - mean_y) ** 2 for y in ys)
    return PowerLaw(math.exp(start), slope, 1 - missed / total)
