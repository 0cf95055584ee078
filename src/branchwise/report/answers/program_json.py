"""Score programs as a JSON document that other programs can rely on."""

from __future__ import annotations

from itertools import islice
from typing import Final

from branchwise.program.program_solution import (
    ProgramSolution,
    ScoredAction,
    ScoredState,
)
from branchwise.report.page.json_layout import (
    Object,
    Schema,
    document_schema,
    events_schema,
    json_events,
    json_number,
    json_text,
    object_schema,
)

__all__ = ["program_document", "program_json", "program_schema"]

VERSION: Final = 1
"""The version of the layout; it changes only when a reader would have to."""

_FORMAT: Final = "branchwise-score-program"


def program_document(
    solution: ProgramSolution, *, limit: int | None = None, is_complete: bool = False
) -> Object:
    """
    Give the solution of a score program as data, laid out as `program_schema` says.

    Parameters
    ----------
    solution
        What to write.
    limit
        How many states to list; None for all.
    is_complete
        Whether to list every state, the root first, and not only those that the plan
        visits, the likeliest first.
    """
    listed = solution.states() if is_complete else solution.visited()
    return {
        "format": _FORMAT,
        "version": VERSION,
        "problem": solution.problem.name if solution.problem else "",
        "expected_reward": json_number(solution.expected_reward),
        "num_columns": solution.num_columns,
        "num_rows": solution.num_rows,
        "num_nonzeros": solution.num_nonzeros,
        "num_visited": solution.num_visited,
        "method": solution.method,
        "is_presolved": solution.is_presolved,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "residual": json_number(solution.residual),
        "states": [_state(state) for state in islice(listed, limit)],
    }


def program_json(
    solution: ProgramSolution, *, limit: int | None = None, is_complete: bool = False
) -> str:
    """Give the document as text; the parameters are those of `program_document`."""
    document = program_document(solution, limit=limit, is_complete=is_complete)
    return f"{json_text(document)}\n"


def program_schema() -> Object:
    """
    Give the JSON Schema of what `program_document` returns.

    Programs should ignore what they do not know: a later release may add to version
    1, but will neither remove nor change what is there.
    """
    number: Schema = {"type": "number"}
    whole: Schema = {"type": "integer", "minimum": 0}
    return document_schema(
        _FORMAT,
        VERSION,
        "Scores, slacks and visits of states, from a linear program.",
        {
            "problem": {"type": "string", "description": "Its name."},
            "expected_reward": number,
            "num_columns": whole | {"description": "States."},
            "num_rows": whole | {"description": "Actions considered."},
            "num_nonzeros": whole,
            "num_visited": whole | {"description": "States that the plan visits."},
            "method": {"enum": ["simplex", "ipm"]},
            "is_presolved": {"type": "boolean"},
            "iterations": whole,
            "seconds": number,
            "residual": number | {"description": "What scores are off by."},
            "states": {"type": "array", "items": _state_schema()},
        },
    )


def _state(state: ScoredState) -> Object:
    return {
        "column": f"s{state.number}",
        "path": json_events(state.path),
        "state": str(state.state),
        "score": json_number(state.score),
        "reward": json_number(state.reward),
        "gained": json_number(state.gained),
        "probability": json_number(state.probability),
        "stops": json_number(state.stops),
        "actions": [_action(action) for action in state.actions],
    }


def _action(action: ScoredAction) -> Object:
    return {
        "name": action.name,
        "value": json_number(action.value),
        "slack": json_number(action.slack),
        "is_optimal": action.is_optimal,
        "probability": json_number(action.probability),
    }


def _state_schema() -> Schema:
    number: Schema = {"type": "number"}
    text: Schema = {"type": "string"}
    action = object_schema(
        {
            "name": text,
            "value": number,
            "slack": number | {"description": "0 if it is optimal."},
            "is_optimal": {"type": "boolean"},
            "probability": number | {"description": "That the plan takes it."},
        }
    )
    return object_schema(
        {
            "column": text | {"description": "Its name in written programs."},
            "path": {
                **events_schema(),
                "description": "A shortest way there, in order.",
            },
            "state": text | {"description": "What has happened and what is left."},
            "score": number,
            "reward": number | {"description": "For stopping."},
            "gained": number | {"description": "The column has the score without it."},
            "probability": number | {"description": "That the plan visits it."},
            "stops": number | {"description": "That the plan ends there."},
            "actions": {"type": "array", "items": action},
        }
    )
