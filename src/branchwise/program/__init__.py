"""The score program: scores of all states as a linear program, with its duals."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.program.linear_program import PROGRAM_GRAPHS as PROGRAM_GRAPHS
    from branchwise.program.linear_program import PROGRAM_METHODS as PROGRAM_METHODS
    from branchwise.program.linear_program import ScoreProgram as ScoreProgram
    from branchwise.program.linear_program import score_program as score_program
    from branchwise.program.program_solution import ProgramSolution as ProgramSolution
    from branchwise.program.program_solution import ScoredAction as ScoredAction
    from branchwise.program.program_solution import ScoredState as ScoredState

__all__, __getattr__, __dir__ = lazy(
    __name__,
    {
        "linear_program": "PROGRAM_GRAPHS PROGRAM_METHODS ScoreProgram score_program",
        "program_solution": "ProgramSolution ScoredAction ScoredState",
    },
)
