"""
Random problem documents in which an action helps only by opening something sooner.

A gate opens for any of several actions, and a reward wants the gate and one of them. So
another one belongs to no smallest set of outcomes that earns the reward, and may still
be worth taking first: it lets the gate be tried before the dear action, and if that
fails, the budget is left for something else. What prunes by smallest sets gets these
wrong.
"""

from itertools import pairwise
from random import Random

__all__ = ["opener_document", "opener_documents"]

CHANCES = ["0.05", "0.1", "0.3", "0.5", "0.7", "0.9", "0.99"]


def opener_documents(count, seed):
    """The same `count` documents for the same seed; each name says how to redo it."""
    for number in range(count):
        document = opener_document(Random(f"{seed}/{number}"))
        yield document | {"name": f"Opener({seed}/{number})"}


def opener_document(random):
    """Draw a document: two or three openers, a gate, a way out, rewards on top."""
    openers = [f"o{number}" for number in range(random.choice([2, 2, 3]))]
    actions = {name: _action(random, [0, 1, 1, 2, 3]) for name in openers}
    for earlier, later in pairwise(openers):
        if random.random() < 0.2:
            actions[later]["requires"] = f"{earlier}=ok"
    is_open = {"any": [f"{name}=ok" for name in openers]}
    actions["gate"] = _action(random, [0, 1, 1]) | {"requires": is_open}
    actions["out"] = _action(random, [1, 2, 3])
    key = random.choice(openers)
    rewards = [
        {"when": {"all": ["gate=ok", f"{key}=ok"]}, "value": 100},
        {"when": "out=ok", "value": random.choice([20, 50, 100])},
    ]
    if random.random() < 0.3:
        actions["more"] = _action(random, [0, 1]) | {"requires": "gate=ok"}
        rewards.append({"when": {"all": ["more=ok", f"{key}=ok"]}, "value": 300})
    if random.random() < 0.3:
        rewards.append({"when": f"{random.choice(openers)}=ok", "value": 10})
    document = {"budget": random.choice([2, 3, 4, 5]), "actions": actions}
    if random.random() < 0.3:
        document["combine"] = "sum"
        spoiled = {"all": [f"{key}=no", {"not": "out"}]}
        rewards.append({"when": random.choice([spoiled, "gate=no"]), "value": -30})
    if random.random() < 0.3:
        document["cost_weight"] = random.choice([1, 5])
    names = list(actions)
    random.shuffle(names)
    return document | {
        "actions": {name: actions[name] for name in names},
        "rewards": rewards,
    }


def _action(random, costs):
    body = {
        "cost": random.choice(costs),
        "outcomes": {"ok": random.choice(CHANCES), "no": "rest"},
    }
    if random.random() < 0.15:
        body["attempts"] = 2
    return body
