"""Random problem documents in which an attempt that fails is nothing but a loss.

They are made of the same parts as those in `gadgets.py`, without what would make a
failure matter to anything but the budget. Failures may still be facts that something
asks for. Every second one has even costs, as there are more ways to take a plan over.
"""

from random import Random

from oracles.quick_oracle import QuickOracle
from problems.gadgets import gadget_documents

__all__ = ["monotone", "monotone_oracles"]

NEVER = ("precluded_by", "given", "attempts")


def monotone_oracles(count, seed, *, first=0, max_states=200, **knobs):
    """Brute force over the same `count` documents for the same seed, worked out."""
    for index in range(first, first + count):
        documents = gadget_documents(1_000, f"{seed}/{index}", **knobs)
        for number, found in enumerate(documents):
            doc = monotone(found)
            oracle = QuickOracle(doc)
            if len(oracle.reachable(max_states)) <= max_states:
                doc["name"] = f"Monotone({seed}/{index}, {number})"
                yield oracle
                break


def monotone(doc):
    """The document without all that tells a failure from no attempt."""
    is_even = Random(doc["name"]).random() < 0.5
    actions = {
        name: {
            key: _straightened(value) if key == "requires" else value
            for key, value in body.items()
            if key not in NEVER and not (is_even and key == "cost")
        }
        for name, body in doc["actions"].items()
    }
    rewards = [
        {"when": _straightened(reward["when"]), "value": abs(reward["value"])}
        for reward in doc["rewards"]
    ]
    budget = doc["budget"]
    if is_even and isinstance(budget, dict):
        budget = budget["money"]
    found = {"name": doc["name"], "budget": budget, "actions": actions}
    found |= {"rewards": rewards}
    return found | ({"combine": "sum"} if doc.get("combine") == "sum" else {})


def _straightened(condition):
    """The condition with every negation taken for what it negates."""
    if isinstance(condition, str):
        return condition
    ((kind, inside),) = condition.items()
    if kind == "not":
        return _straightened(inside)
    return {kind: [_straightened(each) for each in inside]}
