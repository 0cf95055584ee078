"""Rewarding sets as a page: what has to come true together, the strongest first."""

from collections.abc import Sequence
from typing import Final

from branchwise.model.budget import DEFAULT_RESOURCE, Amounts, counted
from branchwise.report.answers.sets import listing_of, remarks
from branchwise.report.column import Column, table_html
from branchwise.report.markup import happened, words
from branchwise.report.page.templates import page_from
from branchwise.report.text.ink import Look
from branchwise.report.text.wording import (
    in_four_digits,
    plural,
    problem_name,
    sentence,
    short,
)
from branchwise.rewarding.listing import SetsListing
from branchwise.rewarding.sets import RewardingSet, RewardingSets

_MOST: Final = 500


def sets_page(known: RewardingSets | SetsListing) -> str:
    """Return rewarding sets as one page, with what they say besides."""
    listing = listing_of(known, _MOST)
    found = list(listing)
    with in_four_digits():
        said = [sentence(line) for line in remarks(listing, Look()) if line.strip()]
    number = listing.num_sets
    values = {
        "number": "Some" if number is None else plural(number, "rewarding set"),
        "num_sets": number,
        "problem": listing.problem,
        "most": listing.perfect_information(),
        "table": table_html(_columns(listing), found, "Rewarding sets", is_wordy=True)
        if found
        else "",
        "remarks": said,
    }
    return page_from("rewarding-sets", problem_name(listing.problem), values)


def _columns(listing: SetsListing) -> Sequence[Column]:
    resources = listing.resources
    return (
        Column("needs", "outcomes, in order", "text", _text, html=_outcomes),
        Column("reward", "reward", "value"),
        Column("probability", "probability", "chance"),
        Column("strength", "strength", "rounded"),
        Column("cost", "cost", "figure", lambda each: _cost(each.cost, resources)),
    )


def _text(each: RewardingSet) -> str:
    return ", ".join(map(str, each.needs))


def _outcomes(each: RewardingSet) -> str:
    """Return what has to come true, or what is avoided, as markup."""
    avoided = "" if each.penalty is None else f"avoids the penalty for {each.penalty}"
    needed = happened(each.needs, avoided or "nothing at all")
    return f"{needed}, {words(avoided)}" if each.needs and avoided else needed


def _cost(cost: Amounts, resources: Sequence[str]) -> str:
    if not resources:
        return short(cost.of(DEFAULT_RESOURCE))
    paid = ((resource, cost.of(resource)) for resource in resources)
    shown = (f"{short(n)} {counted(resource, n)}" for resource, n in paid if n)
    return ", ".join(shown) or "0"
