"""``python -m branchwise`` and ``branchwise`` are the command line."""

import sys

_INTERRUPTED = 130


def main() -> None:
    """Run the command line; Ctrl-C while it is being loaded ends it quietly."""
    try:
        from branchwise.cli.main import main as run  # noqa: PLC0415

        run()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
