"""Simulations as a JSON document that other programs can rely on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from branchwise.analysis.simulation.simulate import ObservedPath, Simulation
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
from branchwise.tree.distribution import Distribution
from branchwise.tree.outlook import Outlook

__all__ = ["simulation_document", "simulation_json", "simulation_schema"]

VERSION: Final = 1
"""The version of the layout; it changes only when a reader would have to."""

_FORMAT: Final = "branchwise-simulation"
_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
_LEVELS: Final = (0.01, 0.05, 0.1)


def simulation_document(simulations: Sequence[Simulation]) -> Object:
    """
    Give simulations of one problem as plain data, laid out as `simulation_schema` says.

    Parameters
    ----------
    simulations
        At least one, each of another policy.
    """
    first = simulations[0]
    return {
        "format": _FORMAT,
        "version": VERSION,
        "problem": first.problem.name,
        "num_runs": first.num_runs,
        "seed": str(first.seed),
        "policies": [_policy(each) for each in simulations],
    }


def simulation_json(simulations: Sequence[Simulation]) -> str:
    """Give the document as text."""
    document = simulation_document(simulations)
    return f"{json_text(document)}\n"


def simulation_schema() -> Object:
    """
    Give the JSON Schema of what `simulation_document` returns.

    Programs should ignore what they do not know: a later release may add to version
    1, but will neither remove nor change what is there.
    """
    return document_schema(
        _FORMAT,
        VERSION,
        "What came of policies in many runs, beside what should.",
        {
            "problem": {"type": "string", "description": "Its name."},
            "num_runs": {"type": "integer", "minimum": 2},
            "seed": {"type": "string"},
            "policies": {"type": "array", "items": _policy_schema()},
        },
    )


def _policy(simulation: Simulation) -> Object:
    exact = simulation.expected_reward
    return {
        "policy": simulation.policy,
        "mean": json_number(simulation.mean),
        "standard_error": simulation.standard_error,
        "confidence_interval": list(simulation.confidence_interval),
        "expected_reward": None if exact is None else json_number(exact),
        "observed": _outlook(simulation.observed),
        "expected": simulation.expected and _outlook(simulation.expected),
        "paths": [_path(each) for each in simulation.paths],
    }


def _outlook(outlook: Outlook) -> Object:
    return {
        "net_rewards": _distribution(outlook.net_rewards),
        "rewards": _distribution(outlook.rewards),
        "costs": {r: _distribution(costs) for r, costs in outlook.costs.items()},
        "num_actions": _distribution(outlook.num_actions),
    }


def _distribution(found: Distribution) -> Object:
    return {
        "mean": json_number(found.mean),
        "standard_deviation": found.standard_deviation,
        "quantiles": [[q, json_number(found.quantile(q))] for q in _QUANTILES],
        "cvar": [[level, json_number(found.cvar(level))] for level in _LEVELS],
        "chances": [[json_number(v), json_number(share)] for v, share in found.chances],
    }


def _path(path: ObservedPath) -> Object:
    return {
        "happened": json_events(path.path),
        "probability": json_number(path.probability),
        "reward": json_number(path.reward),
        "num_runs": path.num_runs,
    }


def _policy_schema() -> Schema:
    number = {"type": "number"}
    return object_schema(
        {
            "policy": {"type": "string"},
            "mean": {**number, "description": "Of the reward less weighted cost."},
            "standard_error": {**number, "minimum": 0},
            "confidence_interval": {
                "type": "array",
                "items": number,
                "minItems": 2,
                "maxItems": 2,
                "description": "Holds the expected reward in 95 % of simulations.",
            },
            "expected_reward": {
                "type": ["number", "null"],
                "description": "What the mean should be; null where not known.",
            },
            "observed": _outlook_schema(),
            "expected": {
                "anyOf": [_outlook_schema(), {"type": "null"}],
                "description": "The same, exactly; null where not known.",
            },
            "paths": {"type": "array", "items": _path_schema()},
        }
    )


def _outlook_schema() -> Schema:
    pairs = {
        "type": "array",
        "items": {
            "type": "array",
            "items": {"type": "number"},
            "minItems": 2,
            "maxItems": 2,
        },
    }
    distribution = object_schema(
        {
            "mean": {"type": "number"},
            "standard_deviation": {"type": "number", "minimum": 0},
            "quantiles": {**pairs, "description": "Share, and value not exceeded."},
            "cvar": {**pairs, "description": "Level, and mean of the worst share."},
            "chances": {**pairs, "description": "Value, and its probability."},
        }
    )
    return object_schema(
        {
            "net_rewards": distribution,
            "rewards": distribution,
            "costs": {"type": "object", "additionalProperties": distribution},
            "num_actions": distribution,
        }
    )


def _path_schema() -> Schema:
    return object_schema(
        {
            "happened": events_schema(),
            "probability": {"type": "number", "minimum": 0, "maximum": 1},
            "reward": {"type": "number"},
            "num_runs": {"type": "integer", "minimum": 0},
        }
    )
