"""A problem as an Attack Flow 2: a bundle of STIX 2.1 objects in JSON."""

from __future__ import annotations

import json
from typing import Any, Final
from uuid import UUID, uuid5

from branchwise.formats.document.document import document_of
from branchwise.formats.foreign.attack_flow import OWN, OWN_OF_FLOW
from branchwise.model.conditions.condition import (
    ALWAYS,
    AllOf,
    AnyOf,
    Attempted,
    Condition,
    Happened,
    any_of,
)
from branchwise.model.problem import Problem, Reward

Object = dict[str, Any]

_EXTENSION: Final = "extension-definition--fb9c968a-745b-4ade-9b25-c324172197f4"
_NAMESPACE: Final = UUID("6a0b3b62-5b0f-5b44-9c7a-4d3f6f5b1f0e")
# A problem has no date, and its file is to be the same each time it is written.
_TIME: Final = "2020-01-01T00:00:00.000Z"
_SEEN: Final = frozenset({"budget", "combine", "parameters", "cost_weight"})


def attack_flow_text(problem: Problem) -> str:
    """
    Write a problem as an attack flow.

    Actions and rewards are objects of the flow, and arrows say what each requires. What
    a flow has no words for (costs, probabilities, the budget and more) are properties
    of ours, ``x_branchwise_...``, so that nothing is lost to us; what its arrows do not
    show is named in the flow's description, for those who see only these.
    """
    bundle = _Bundle(problem)
    return json.dumps(bundle.document(), ensure_ascii=False, indent=2) + "\n"


class _Bundle:
    """The objects of a flow in the making, by their identifiers."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._said: Any = document_of(problem)
        self._objects: dict[str, Object] = {}
        self._unseen: list[str] = []

    def document(self) -> Object:
        """Return the bundle."""
        name = self._problem.name or "Problem"
        actions = self._said["actions"]
        for each, said in actions.items():
            self._add_action(each, said)
        for action in self._problem.actions:
            self._lead(action.requires, _action(action.name), "requires")
        for number, reward in enumerate(self._problem.rewards):
            self._add_reward(reward, _id("attack-condition", f"reward {number}"))
        ends = {ref for each in self._objects.values() for ref in _refs(each)}
        starts = [key for key in map(_action, actions) if key not in ends]
        flow = _object("attack-flow", name) | {
            "name": name,
            "scope": "other",
            "start_refs": starts or [_action(next(iter(actions)))],
        }
        own = [key for key in OWN_OF_FLOW if key in self._said]
        flow |= {OWN + key: _plain(self._said[key]) for key in own}
        unseen = [key for key in own if key not in _SEEN]
        flow["description"] = self._description(unseen)
        return {
            "type": "bundle",
            "id": _id("bundle", name),
            "objects": [_extension(), _author(), flow, *self._objects.values()],
        }

    def _description(self, unseen: list[str]) -> str:
        words = "Written by branchwise."
        names = [*unseen, *dict.fromkeys(self._unseen)]
        if names:
            words += f" Not to be seen in the arrows: {', '.join(names)}."
        return words

    def _add_action(self, name: str, said: Any) -> None:
        kept = {key: _plain(part) for key, part in said.items() if key != "requires"}
        self._objects[_action(name)] = _object("attack-action", name) | {
            "name": name,
            "description": f"Costs {_words(kept.get('cost', '1'))}; comes out as "
            f"{_words(kept['outcomes'])}.",
            **{OWN + key: part for key, part in {"cost": "1", **kept}.items()},
        }
        unseen = [key for key in ("precluded_by", "given", "effects") if key in kept]
        self._unseen += [f"`{key}` of `{name}`" for key in unseen]

    def _add_reward(self, reward: Reward, key: str) -> None:
        number = self._problem.rewards.index(reward)
        said = _plain(self._said["rewards"][number])
        when = said.pop("when", "")
        self._objects[key] = _object("attack-condition", f"reward {number}") | {
            "id": key,
            "description": f"Worth {said['value']}: {reward.when}",
            **{OWN + each: part for each, part in said.items()},
        }
        if not self._lead(reward.when, key, "when") and when:
            self._objects[key][OWN + "when"] = when

    # Arrows.

    def _lead(self, condition: Condition, target: str, key: str) -> bool:
        """Let a condition lead to an object, or be a property of it."""
        if condition == ALWAYS:
            return False
        source = self._source(condition, target)
        if source is not None:
            self._link(source, target)
            return True
        self._objects[target][OWN + key] = str(condition)
        self._unseen.append(f"`{condition}`")
        return False

    def _source(self, condition: Condition, owner: str) -> str | None:
        """Return the object that stands for a condition; None if there is none."""
        match condition:
            case Happened():
                return self._outcome(condition)
            case Attempted(name):
                outcomes = self._problem.action(name).outcomes
                each = (Happened(name, outcome.label) for outcome in outcomes)
                return self._source(any_of(*each), owner)
            case AllOf(parts) | AnyOf(parts):
                operator = "AND" if isinstance(condition, AllOf) else "OR"
                return self._joined(operator, list(parts), condition, owner)
        return None

    def _outcome(self, happened: Happened) -> str | None:
        if happened.action not in self._said["actions"]:
            return None  # a hidden fact
        key = _id("attack-condition", str(happened))
        if key not in self._objects:
            self._objects[key] = _object("attack-condition", str(happened)) | {
                "description": f"{happened.action}: {happened.outcome}",
                OWN + "outcome": happened.outcome,
            }
            self._link(_action(happened.action), key)
        return key

    def _joined(
        self, operator: str, parts: list[Condition], whole: Condition, owner: str
    ) -> str | None:
        sources = [self._source(part, owner) for part in parts]
        if None in sources or not sources:
            return None
        key = _id("attack-operator", f"{owner}: {whole}")
        named = _object("attack-operator", f"{owner}: {whole}")
        self._objects[key] = named | {"operator": operator}
        for source in sources:
            assert source is not None
            self._link(source, key)
        return key

    def _link(self, source: str, target: str) -> None:
        is_condition = source.startswith("attack-condition")
        refs = "on_true_refs" if is_condition else "effect_refs"
        ends = self._objects[source].setdefault(refs, [])
        if target not in ends:
            ends.append(target)


def _id(kind: str, name: str) -> str:
    return f"{kind}--{uuid5(_NAMESPACE, f'{kind} {name}')}"


def _action(name: str) -> str:
    return _id("attack-action", name)


def _object(kind: str, name: str) -> Object:
    return {
        "type": kind,
        "spec_version": "2.1",
        "id": _id(kind, name),
        "created": _TIME,
        "modified": _TIME,
        "created_by_ref": _author()["id"],
        "extensions": {_EXTENSION: {"extension_type": "new-sdo"}},
    }


def _author() -> Object:
    return {
        "type": "identity",
        "spec_version": "2.1",
        "id": _id("identity", "branchwise"),
        "created": _TIME,
        "modified": _TIME,
        "name": "branchwise",
        "identity_class": "system",
    }


def _extension() -> Object:
    return {
        "type": "extension-definition",
        "id": _EXTENSION,
        "spec_version": "2.1",
        "name": "Attack Flow",
        "created": _TIME,
        "modified": _TIME,
        "created_by_ref": _author()["id"],
        "schema": "https://center-for-threat-informed-defense.github.io/attack-flow/"
        "stix/attack-flow-schema-2.0.0.json",
        "version": "2.0.0",
        "extension_types": ["new-sdo"],
    }


def _refs(said: Object) -> list[str]:
    """Return what an object leads to."""
    return [*said.get("effect_refs", ()), *said.get("on_true_refs", ())]


def _plain(part: Any) -> Any:
    """Return a part of a document as JSON has it, numbers as they are written."""
    if isinstance(part, dict):
        return {key: _plain(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_plain(item) for item in part]
    return part if isinstance(part, str) else part.text


def _words(part: Any) -> str:
    """Return a cost or outcomes in words."""
    if not isinstance(part, dict):
        return str(part)
    if "probability" in part:
        return str(part["probability"])
    return ", ".join(f"{key}: {_words(value)}" for key, value in part.items())
