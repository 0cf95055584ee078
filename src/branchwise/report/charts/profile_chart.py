"""Cumulative risk profiles: how likely a plan ends with so much, or more."""

from collections.abc import Mapping

from branchwise.report.charts import canvas
from branchwise.report.charts.curve_chart import STYLES, Axis, Curve, line_chart
from branchwise.report.text.wording import chance
from branchwise.tree.prospects.distribution import Distribution

Steps = tuple[tuple[float, float], ...]
"""The corners of a profile."""


def profile_steps(rewards: Distribution) -> Steps:
    """Return the corners of the stairs: flat between rewards, down at each."""
    points = [(float(rewards.least), 1.0)]
    reached = 1.0
    for reward, probability in rewards.chances:
        points.append((float(reward), reached))
        reached = max(0.0, reached - float(probability))
        points.append((float(reward), reached))
    return tuple(points)


def profile_chart(profiles: Mapping[str, Steps]) -> str:
    """Draw the profiles of plans by name, as many as can be told apart, in a chart."""
    curves = [
        Curve(steps, name, style)
        for (name, steps), style in zip(profiles.items(), STYLES, strict=False)
    ]
    across, upward = Axis("reward"), Axis("so much or more", chance, (0.0, 1.0))
    title = "How likely so much or more is"
    return canvas.for_screens(
        lambda width: line_chart(curves, across, upward, title, width=width),
        "Cumulative risk profiles",
    )
