"""The score program: scores of all states as a linear program, with its duals."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.program.linear_program import (
        PROGRAM_GRAPHS,
        PROGRAM_METHODS,
        ScoreProgram,
        score_program,
    )
    from branchwise.program.program_solution import (
        ProgramSolution,
        ScoredAction,
        ScoredState,
    )

__all__ = [
    "PROGRAM_GRAPHS",
    "PROGRAM_METHODS",
    "ProgramSolution",
    "ScoreProgram",
    "ScoredAction",
    "ScoredState",
    "score_program",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "linear_program": "PROGRAM_GRAPHS PROGRAM_METHODS ScoreProgram score_program",
        "program_solution": "ProgramSolution ScoredAction ScoredState",
    },
)
