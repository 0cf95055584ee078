"""A studio that is killed has lost nothing that it acknowledged."""

from trials import studio_kill


def test_nothing_acknowledged_is_lost_and_all_can_be_undone(tmp_path):
    """Six strikes; `trials/studio_kill.py --number 100` strikes more often."""
    assert not studio_kill.run(6, 1, tmp_path)
