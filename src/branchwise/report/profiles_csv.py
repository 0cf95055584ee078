"""Profiles as CSV text: a row for each individual."""

from __future__ import annotations

from branchwise.analysis.individuals import Profiles
from branchwise.report.analysis_csv import table_csv

__all__ = ["profiles_csv"]


def profiles_csv(found: Profiles) -> str:
    """Write who gets which plan, as the first of the tables tells it."""
    return table_csv(found.tables()[0])
