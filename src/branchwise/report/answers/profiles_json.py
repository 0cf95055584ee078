"""Profiles as a JSON document that other programs can rely on."""

from __future__ import annotations

from typing import Final

from branchwise.analysis.individuals.individuals import Profiles
from branchwise.report.answers.analysis_json import plain_cell, plain_records
from branchwise.report.page.json_layout import (
    Object,
    document_schema,
    json_number,
    json_text,
    object_schema,
)
from branchwise.tree.solution import Status

__all__ = ["profiles_document", "profiles_json", "profiles_schema"]

VERSION: Final = 1
"""The version of the layout; it changes only when a reader would have to."""

_FORMAT: Final = "branchwise-profiles"


def profiles_document(found: Profiles) -> Object:
    """Give profiles as plain data, laid out as `profiles_schema` says."""
    losses = found.mean_loss_common, found.mean_loss_base
    return {
        "format": _FORMAT,
        "version": VERSION,
        "problem": found.problem.name,
        "status": str(found.status),
        "num_individuals": found.num_all,
        "mean_expected_reward": json_number(float(found.rewards.mean)),
        "mean_loss_common": plain_cell(losses[0]),
        "mean_loss_base": plain_cell(losses[1]),
        "base_plan": found.base_plan,
        "base_expected_reward": json_number(found.base_expected_reward),
        **{table.name: plain_records(table) for table in found.tables()},
    }


def profiles_json(found: Profiles) -> str:
    """Give the document as text."""
    document = profiles_document(found)
    return f"{json_text(document)}\n"


def profiles_schema() -> Object:
    """
    Give the JSON Schema of what `profiles_document` returns.

    Programs should ignore what they do not know: a later release may add to version
    1, but will neither remove nor change what is there.
    """
    number, text = {"type": "number"}, {"type": "string"}
    maybe_number = {"type": ["number", "null"]}
    maybe_text = {"type": ["string", "null"]}
    status = {"enum": [str(each) for each in Status]}
    individual = object_schema(
        {
            "profile": text,
            "expected_reward": number,
            "first_action": maybe_text,
            "plan": text,
            "loss_common": maybe_number,
            "loss_base": maybe_number,
            "upper_bound": number,
            "status": status,
        }
    )
    plan = object_schema(
        {
            "plan": text,
            "individuals": {"type": "integer"},
            "share": number,
            "first_action": maybe_text,
            "nodes": {"type": "integer"},
            "depth": {"type": "integer"},
            "mean_expected_reward": number,
            "mean_for_all": maybe_number,
            "rule_number": maybe_text,
            "rule_side": {"enum": ["above", "below", None]},
            "rule_threshold": maybe_number,
            "rule_hits": maybe_number,
            "rule_false_alarms": maybe_number,
        }
    )
    amount = {"anyOf": [number, {"const": "unlimited"}]}  # as a budget may be
    ranges = object_schema(
        {"plan": text, "number": text, "low": amount, "mean": amount, "high": amount}
    )
    return document_schema(
        _FORMAT,
        VERSION,
        "The best plan for each of many individuals.",
        {
            "problem": {"type": "string", "description": "Its name."},
            "status": status,
            "num_individuals": {"type": "integer"},
            "mean_expected_reward": number,
            "mean_loss_common": maybe_number,
            "mean_loss_base": maybe_number,
            "base_plan": maybe_text,
            "base_expected_reward": number,
            "individuals": {"type": "array", "items": individual},
            "plans": {"type": "array", "items": plan},
            "numbers": {"type": "array", "items": ranges},
        },
    )
