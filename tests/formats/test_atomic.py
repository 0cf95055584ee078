import errno
import resource
import stat

import pytest

from branchwise.errors import FormatError
from branchwise.formats.atomic import write_atomically

PLACES = ("os.open", "os.fdopen", "os.fsync", "pathlib.Path.replace")


@pytest.fixture
def old(tmp_path):
    file = tmp_path / "plan.html"
    file.write_text("old")
    return file


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()]
)
def test_whatever_fails_wherever_the_old_file_stays_and_no_other(
    old, monkeypatch, place, error
):
    def fail(*_):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(place, fail)
        with pytest.raises((FormatError, KeyboardInterrupt)):
            write_atomically(old, "new")

    assert old.read_text() == "old"
    assert list(old.parent.iterdir()) == [old]


def test_a_quota_leaves_the_old_file_and_no_other(old):
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, usual[1]))
    try:
        with pytest.raises(FormatError, match="File too large"):
            write_atomically(old, "new" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)

    assert old.read_text() == "old"
    assert list(old.parent.iterdir()) == [old]


def test_a_folder_that_is_gone_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"there is no folder `.*gone`"):
        write_atomically(tmp_path / "gone" / "plan.html", "new")


def test_a_name_that_cannot_be_is_an_error_in_words(tmp_path):
    for name in ("a\0b", "x" * 300):
        with pytest.raises(FormatError, match="cannot be written"):
            write_atomically(tmp_path / name, "new")


def test_a_link_stays_a_link_and_permissions_stay(old):
    old.chmod(0o640)
    link = old.with_name("link.html")
    link.symlink_to(old)

    write_atomically(link, "new")

    assert link.is_symlink()
    assert old.read_text() == "new"
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert {each.name for each in old.parent.iterdir()} == {"link.html", "plan.html"}
