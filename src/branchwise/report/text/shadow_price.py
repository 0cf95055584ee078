"""What one unit more or less of a resource would mean, in words."""

from branchwise.analysis.sensitivity.frontier import ResourceFrontier
from branchwise.model.budget import DEFAULT_RESOURCE, UNLIMITED, counted
from branchwise.report.text.label import label
from branchwise.report.text.wording import short


def called(each: ResourceFrontier) -> str:
    """Return what the resource of a frontier is called."""
    return "budget" if each.resource == DEFAULT_RESOURCE else each.resource


def shadow_price(each: ResourceFrontier, *, is_cost: bool) -> str:
    """Return what one unit more or less would mean."""
    what = label(called(each))
    if each.limit == UNLIMITED:
        return f"{what} is unlimited: more gains nothing"
    one = counted(each.resource, 1)
    is_counted = one != each.resource
    more = f"one more {label(one)}" if is_counted else f"one unit more of {what}"
    less = f"one {label(one)} less" if is_counted else "one unit less"
    gains, loses = ("saves", "costs") if is_cost else ("gains", "loses")
    said = f"{more} {_change(gains, each.gain_of_more)}"
    has_less = each.loss_of_less is not None or each.limit >= 1
    return f"{said}, {less} {_change(loses, each.loss_of_less)}" if has_less else said


def _change(does: str, amount: float | None) -> str:
    """Return what a change of the budget does; None where one could get stuck."""
    if amount is None:
        return "lets no plan be sure to finish"
    return f"{does} {short(amount) if amount else 'nothing'}"
