"""What CI runs, on every Python that branchwise supports."""

import nox

nox.options.sessions = ["lint", "tests"]


@nox.session
def lint(session: nox.Session) -> None:
    make(session, "lint", "test-cpp")


@nox.session(python=["3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    make(session, "test-python")


def make(session: nox.Session, *targets: str) -> None:
    """Let the Makefile install what it needs into the environment of the session."""
    session.run("make", f"VENV={session.virtualenv.location}", *targets, external=True)
