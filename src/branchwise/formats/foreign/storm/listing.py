"""
Every state of a model, as Storm lists them: a program of its own.

It is run in a process of its own, so that a model of any size costs neither our memory
nor our time: it may be ended, and its memory is limited.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

_MOST_STATES: Final = 200_000
_MOST_BYTES: Final = 4 * 2**30
_GOALS: Final = (
    "goal",
    "success",
    "target",
    "done",
    "win",
    "finished",
    "reached",
    "end",
)

Listing = dict[str, Any]


def listing_of(path: str, asked: list[list[str]]) -> Listing:
    """
    List the states of a model.

    Parameters
    ----------
    path
        The file of the model.
    asked
        The properties that may be meant, each with its goal and with what has to hold
        until then.
    """
    import stormpy  # noqa: PLC0415  # an extra, which has said why it is needed

    program = stormpy.parse_prism_program(path)
    labels = [each.name for each in program.labels]
    known = [name for name in _GOALS if name in labels]
    asked = asked or [[f'Pmax=? [ F "{name}" ]', f'"{name}"', "true"] for name in known]
    properties = list(_those_that_fit(asked, program))
    if not properties:
        return {"labels": labels}
    conditions = [each for _, *both in properties for each in both]
    options = stormpy.BuilderOptions(conditions, program, build_full=True)
    model = stormpy.build_model[stormpy.Rational](program, options=options)
    if model.nr_states > _MOST_STATES:
        return {"states": model.nr_states}
    starts = list(model.initial_states)
    if len(starts) != 1:
        return {"starts": len(starts)}
    return {
        "start": starts[0],
        "asked": [
            {"property": text, "goals": _where(model, goal), "stays": _where(model, s)}
            for text, goal, s in properties
        ],
        "values": [_values(model, state.id) for state in model.states],
        "choices": [_choices(model, state) for state in model.states],
    }


def _those_that_fit(asked: list[list[str]], program: Any) -> Iterator[list[Any]]:
    """Yield the properties that are about this model, with their conditions."""
    import stormpy  # noqa: PLC0415

    for text, *conditions in asked:
        with suppress(Exception):
            stormpy.parse_properties(text, program)
            parsed = [stormpy.parse_properties(each, program) for each in conditions]
            yield [text, *(one for [one] in parsed)]


def _where(model: Any, condition: Any) -> list[int]:
    """Return the states at which a condition holds."""
    import stormpy  # noqa: PLC0415

    return list(stormpy.model_checking(model, condition).get_truth_values_vector())


def _values(model: Any, state: int) -> dict[str, int]:
    values = json.loads(str(model.state_valuations.to_json(state)))
    return {name: int(value) for name, value in values.items()}


def _choices(model: Any, state: Any) -> list[Listing]:
    """Return what can be done at a state: name, where that leads, what it earns."""
    found = []
    for action in state.actions:
        is_chain = not model.is_nondeterministic_model
        number = state.id if is_chain else model.get_choice_index(state.id, action.id)
        found.append(
            {
                "label": min(
                    model.choice_labeling.get_labels_of_choice(number), default=""
                ),
                "to": [[each.column, str(each.value)] for each in action.transitions],
                "rewards": {
                    name: _earned(rewards, state.id, number)
                    for name, rewards in model.reward_models.items()
                },
            }
        )
    return found


def _earned(rewards: Any, state: int, choice: int) -> list[str]:
    found = []
    if rewards.has_state_rewards:
        found.append(str(rewards.get_state_reward(state)))
    if rewards.has_state_action_rewards:
        found.append(str(rewards.get_state_action_reward(choice)))
    return found


def write_listing(path: str, asked: str, target: str) -> None:
    """Write the listing of a model to a file; what goes wrong is part of it."""
    try:
        listing = listing_of(path, json.loads(asked))
    except MemoryError:
        listing = {"error": "there is not enough memory to list its states"}
    except Exception as error:  # noqa: BLE001  # Storm raises errors of many kinds.
        listing = {"error": str(error)}
    Path(target).write_text(json.dumps(listing), encoding="utf-8")


def main() -> None:
    """Write a listing with as much memory as a model of any use takes, and no more."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415  # not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    write_listing(*sys.argv[1:])


if __name__ == "__main__":
    main()
