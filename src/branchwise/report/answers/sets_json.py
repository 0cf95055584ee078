"""Rewarding sets as a JSON document that other programs can rely on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from branchwise.model.budget import DEFAULT_RESOURCE, Amounts
from branchwise.report.answers.sets_listing import LISTED_AS_JSON, Listing
from branchwise.report.page.json_layout import (
    Object,
    document_schema,
    events_schema,
    json_events,
    json_lines,
    json_number,
    json_text,
    object_schema,
)
from branchwise.rewarding.sets import RewardingSet, RewardingSets

__all__ = ["sets_document", "sets_json", "sets_schema"]

VERSION: Final = 1
"""The version of the layout; it changes only when a reader would have to."""

_FORMAT: Final = "branchwise-rewarding-sets"
_HEAD: Final[Object] = {"format": _FORMAT, "version": VERSION}
_NAME: Final[Object] = {"type": "string"}


def sets_document(
    sets: RewardingSets | None,
    *,
    limit: int | None = LISTED_AS_JSON,
    time_limit_seconds: float | None = None,
) -> Object:
    """
    Give rewarding sets as plain data, laid out as `sets_schema` says.

    Parameters
    ----------
    sets
        The sets; None where a limit did not even let them be counted.
    limit
        How many to list, the strongest first; None for all.
    time_limit_seconds
        How long to go on listing; None for as long as it takes.
    """
    listing = Listing(sets, limit=limit, time_limit_seconds=time_limit_seconds)
    return {
        **_HEAD,
        "rewarding_sets": [_set(each, listing) for each in listing],
        **_foot(listing),
    }


def sets_json(
    sets: RewardingSets | None,
    *,
    limit: int | None = LISTED_AS_JSON,
    time_limit_seconds: float | None = None,
) -> Iterator[str]:
    """
    Give the document as text, line by line: each set as soon as it is found.

    Parameters
    ----------
    sets
        The sets; None where a limit did not even let them be counted.
    limit
        How many to list, the strongest first; None for all.
    time_limit_seconds
        How long to go on listing; None for as long as it takes.
    """
    listing = Listing(sets, limit=limit, time_limit_seconds=time_limit_seconds)
    yield json_text(_HEAD).removesuffix("\n}") + ",\n"
    yield '  "rewarding_sets": ['
    separator = "\n    "
    for each in listing:
        [line] = json_lines([_set(each, listing)])
        yield separator + line
        separator = ",\n    "
    yield "\n  ],\n" if listing.num_listed else "],\n"
    yield json_text(_foot(listing)).removeprefix("{\n") + "\n"


def sets_schema() -> Object:
    """
    Give the JSON Schema of what `sets_document` returns.

    Programs should ignore what they do not know: a later release may add to version
    1, but will neither remove nor change what is there.
    """
    return document_schema(
        _FORMAT,
        VERSION,
        "Outcomes that together reach a reward, none to spare.",
        {
            "rewarding_sets": {
                "type": "array",
                "items": _set_schema(),
                "description": "By falling reward times probability.",
            },
            "num_sets": {
                "type": ["integer", "null"],
                "minimum": 0,
                "description": "How many there are, listed or not; may exceed "
                "2^53. Null where a limit did not let them be counted.",
            },
            "complete": {
                "type": "boolean",
                "description": "Whether all sets are in the list.",
            },
            "unused_actions": {
                "type": ["array", "null"],
                "items": _NAME,
                "description": "Never worth taking at this budget: no derivation "
                "of a reward needs them. Null where not known.",
            },
            "perfect_information": {
                "type": ["number", "null"],
                "description": "What somebody who knew all outcomes beforehand "
                "could expect at most; no plan is worth more. Null where not "
                "known.",
            },
        },
    )


def _set(found: RewardingSet, listing: Listing) -> Object:
    return {
        "reward": json_number(found.reward),
        "cost": _cost(found.cost, listing.resources),
        "probability": json_number(found.probability),
        "needs": json_events(found.needs),
        "order": list(found.order),
    }


def _foot(listing: Listing) -> Object:
    unused = listing.unused_actions
    return {
        "num_sets": listing.num_sets,
        "complete": listing.is_complete,
        "unused_actions": None if unused is None else list(unused),
        "perfect_information": listing.perfect_information(),
    }


def _cost(cost: Amounts, resources: Sequence[str]) -> int | float | Object:
    """Give one number, or one for each resource where these have names."""
    if not resources:
        return json_number(cost.of(DEFAULT_RESOURCE))
    return {resource: json_number(cost.of(resource)) for resource in resources}


def _set_schema() -> Object:
    each = {"type": "object", "additionalProperties": {"type": "number"}}
    return object_schema(
        {
            "reward": {"type": "number", "description": "What reaching it is worth."},
            "cost": {
                "anyOf": [{"type": "number"}, each],
                "description": "A number, or one for each resource.",
            },
            "probability": {
                "type": "number",
                "minimum": 0,
                "maximum": 1,
                "description": "How likely all of it comes true, tried in this order.",
            },
            "needs": {
                **events_schema(),
                "description": "The outcomes, in an order in which they can happen.",
            },
            "order": {
                "type": "array",
                "items": _NAME,
                "description": "The actions, in the same order.",
            },
        }
    )
