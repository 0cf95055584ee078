"""A new plan is seen at once, and the page answers while a hard problem is solved."""

import statistics

from trials.studio_pace import paced

EDIT_MILLISECONDS = 200
TASK_MILLISECONDS = 100
GOES = 3


def test_plans_follow_edits_and_the_page_stays_responsive(chromium, tmp_path):
    """
    `python -m trials.studio_pace` makes 50 edits and watches for longer.

    What else runs on the machine takes its share, which is measured and allowed for;
    as it comes and goes, one go of three is to be quick enough.
    """
    goes = []
    for go in range(GOES):
        folder = tmp_path / str(go)
        folder.mkdir()
        edits, long, crowded = paced(chromium, folder, number=9, seconds=1)
        edit, task = statistics.median(edits) / crowded, max(long, default=0) / crowded
        goes.append((edit, task))
        if edit < EDIT_MILLISECONDS and task < TASK_MILLISECONDS:
            break
    else:
        raise AssertionError(goes)
