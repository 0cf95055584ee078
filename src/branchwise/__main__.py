"""``python -m branchwise`` is the command line."""

from branchwise.cli.main import main

if __name__ == "__main__":
    main()
