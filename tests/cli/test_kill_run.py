import click
import pytest

from branchwise.cli.main import program
from trials import kill_run


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whatever_strikes_a_verb_its_files_are_whole_and_nothing_kept_is_lost(
    tmp_path, seed
):
    """Five strikes each; `trials/kill_run.py --number 500` strikes more often."""
    harmed = kill_run.run(5, seed, tmp_path, seconds=1.5)

    assert not [(str(strike), strike.faults) for strike in harmed]


def test_every_verb_is_struck():
    verbs = {command.split()[0] for command in kill_run.COMMANDS.values()}
    context = click.Context(program)

    # The studio serves until it is ended; `trials/studio_kill.py` strikes it. What
    # serves assistants writes nothing.
    assert verbs | {"mcp", "studio"} == set(program.list_commands(context))
