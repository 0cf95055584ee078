"""``python -m branchwise`` and ``branchwise`` are the command line."""

import gc
import sys

_INTERRUPTED = 130

# Python looks for circular garbage whenever there are so many new objects, and loading
# this package makes nothing else: with 700, as is usual, a tenth of the time to start.
_MANY_OBJECTS = 250_000


def main() -> None:
    """Run the command line; Ctrl-C while it is being loaded ends it quietly."""
    gc.set_threshold(_MANY_OBJECTS)
    try:
        from branchwise.cli.plain import main as run  # noqa: PLC0415

        run()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    finally:
        # Everything goes with the process: nothing is looked through for garbage.
        gc.freeze()


if __name__ == "__main__":
    main()
