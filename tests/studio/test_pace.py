"""A new plan is seen at once, and the page answers while a hard problem is solved."""

import statistics

from trials.studio_pace import paced

EDIT_MILLISECONDS = 200
TASK_MILLISECONDS = 100


def test_plans_follow_edits_and_the_page_stays_responsive(chromium, tmp_path):
    """
    `python -m trials.studio_pace` makes 50 edits and watches for longer.

    What else runs on the machine takes its share; it is measured, and allowed for.
    """
    edits, long, crowded = paced(chromium, tmp_path, number=9, seconds=1)
    assert statistics.median(edits) < EDIT_MILLISECONDS * crowded
    assert max(long, default=0) < TASK_MILLISECONDS * crowded
