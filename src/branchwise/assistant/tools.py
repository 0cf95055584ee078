"""The tools: what an assistant can ask branchwise for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any, Final

from branchwise.adversary.interdict import defend
from branchwise.analysis.analyze import SECTIONS, analyze
from branchwise.analysis.explanations.explain import explain
from branchwise.analysis.simulation.policies import POLICY_NAMES
from branchwise.analysis.simulation.simulate import simulate
from branchwise.assistant.arguments import (
    Argument,
    ArgumentsError,
    checked_arguments,
    issues_of,
    schema_of,
)
from branchwise.assistant.problem import (
    AFTER,
    CHANGES,
    PROBLEM,
    SOURCE,
    read_problem,
    sound_problem,
)
from branchwise.assistant.results import (
    Result,
    answered,
    found,
    refused,
)
from branchwise.errors import BranchwiseError, IssuesError, did_you_mean
from branchwise.formats.comments import COMMENTED, assumptions
from branchwise.formats.write import write_text
from branchwise.model.adversary import Adversary
from branchwise.model.execution.remaining import problem_after
from branchwise.model.problem import Problem
from branchwise.report import DOCUMENTS, schema
from branchwise.risk.aims import parse_aim
from branchwise.solver import solve
from branchwise.tree.deadline import deadline

_SECONDS: Final = 20
_MOST_SECONDS: Final = 600
_MEMORY_BYTES: Final = 2 * 10**9
_MOST_RUNS: Final = 1_000_000
_WRITTEN: Final = ("yaml", "json", "csv", "prism", "stix")
_FIRST_SECTIONS: Final = ["criticality", "thresholds"]

TIME_LIMIT: Final = Argument(
    "time_limit_seconds",
    {
        "type": "number",
        "minimum": 0.1,
        "maximum": _MOST_SECONDS,
        "description": "Past this the best that was found is returned, with a bound.",
    },
    usual=_SECONDS,
)
GAP: Final = Argument(
    "gap",
    {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "Stop at a plan that no other exceeds by more than this share.",
    },
    usual=0,
)


@dataclass(frozen=True, slots=True)
class Tool:
    """Something an assistant can ask for."""

    name: str
    title: str  # The name for people
    description: str  # What it is for, and when to use it
    arguments: Sequence[Argument]
    # What it does: takes all arguments, and an event that ends it early.
    answer: Callable[[Mapping[str, Any], Event], Result]

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments."""
        return schema_of(self.arguments)


def call(name: str, given: Mapping[str, Any], cancel: Event) -> Result:
    """
    Let a tool do what it is asked for; what is wrong is part of the result.

    Examples
    --------
    >>> document = "actions: {drill: {outcomes: {oil: 0.4, dry: 0.5}}}"
    >>> print(call("check", {"document": document}, Event()).text)
    document:1:19 actions.drill.outcomes: 0.4 + 0.5 = 0.9, not 1
        fix: raise one by 0.1, or write `dry: rest`
    """
    try:
        tool = _TOOLS.get(name)
        if tool is None:
            fix = f"call one of {', '.join(_TOOLS)}"
            near = did_you_mean(name, list(_TOOLS))
            what = f"there is no tool `{name}`{near}"
            raise ArgumentsError.of("the request", what, fix)
        return tool.answer(checked_arguments(tool.arguments, given), cancel)
    except (BranchwiseError, ValueError) as error:
        return refused(issues_of(error))
    except MemoryError:
        what = "there is not enough memory for this"
        issues = IssuesError.of("the request", what, "ask about a smaller problem")
        return refused(issues.issues)


def _check(given: Mapping[str, Any], _: Event) -> Result:
    problem, issues = read_problem(given)
    if problem is None:
        said = refused(issues)
        # That something is wrong is what was asked for, and no failure of the tool.
        return Result(said.text, said.data)
    counts = {
        "name": problem.name,
        "actions": len(problem.actions),
        "rewards": len(problem.rewards),
        "defenses": len(problem.defenses),
        "budget": str(problem.budget),
    }
    said_of = ", ".join(f"{key}: {value}" for key, value in counts.items() if value)
    ok = f"ok: {said_of}"
    text = f"{IssuesError(issues)}\n{ok}" if issues else ok
    return found(text, counts, issues)


def _solve(given: Mapping[str, Any], cancel: Event) -> Result:
    problem, issues = sound_problem(given)
    aim = None if given["aim"] is None else parse_aim(given["aim"])
    seconds = given["time_limit_seconds"]
    with deadline(seconds):
        solution = solve(
            problem,
            after=given["after"],
            aim=aim,
            adversary=Adversary() if given["robust"] else None,
            exact=given["exact"],
            cancel=cancel,
            **_limits(given),
        )
        return answered(solution, issues)


def _explain(given: Mapping[str, Any], cancel: Event) -> Result:
    problem, issues = sound_problem(given)
    names = [action.name for action in problem.actions]
    if given["action"] not in names:
        what = f"there is no action `{given['action']}`"
        what += did_you_mean(given["action"], names)
        raise ArgumentsError.of(
            "argument `action`", what, f"give one of {', '.join(names)}"
        )
    asked = {"after": given["after"], "cancel": cancel, **_limits(given)}
    return answered(explain(problem, given["action"], **asked), issues)


def _analyze(given: Mapping[str, Any], cancel: Event) -> Result:
    problem, issues = _problem_after(given)
    analysis = analyze(
        problem,
        only=given["only"],
        gap=given["gap"],
        time_limit_seconds=given["time_limit_seconds"],
        cancel=cancel,
    )
    return answered(analysis, issues)


def _simulate(given: Mapping[str, Any], cancel: Event) -> Result:
    problem, issues = _problem_after(given)
    names = [*dict.fromkeys(given["policies"])]
    source = solve(problem, cancel=cancel, verify=False, **_limits(given))
    runs = given["runs"]
    simulations = [
        simulate(source, num_runs=runs, seed=given["seed"], policy=n) for n in names
    ]
    return answered(simulations, issues)


def _defend(given: Mapping[str, Any], cancel: Event) -> Result:
    problem, issues = sound_problem(given)
    interdiction = defend(
        problem, budget=given["defense_budget"], cancel=cancel, **_limits(given)
    )
    return answered(interdiction, issues)


def _convert(given: Mapping[str, Any], _: Event) -> Result:
    problem, issues = _problem_after(given)
    source = given["path"] or SOURCE
    said = assumptions(source, issues) if given["to"] in COMMENTED else ()
    text = write_text(problem, given["to"], said)
    return found(text, {"format": given["to"], "text": text}, issues)


def _schema(given: Mapping[str, Any], _: Event) -> Result:
    layout = schema(given["kind"])
    return Result(json.dumps(layout), {"ok": True, "issues": [], "result": layout})


def _limits(given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "gap": given["gap"],
        "time_limit_seconds": given["time_limit_seconds"],
        "memory_limit_bytes": _MEMORY_BYTES,
    }


def _problem_after(given: Mapping[str, Any]) -> tuple[Problem, Sequence[Any]]:
    """Return what is left of the problem after what has happened, and its warnings."""
    problem, issues = sound_problem(given)
    after = given["after"]
    return (problem_after(problem, after) if after else problem), issues


_LIMITED: Final = (GAP, TIME_LIMIT)
_STATED: Final = (*PROBLEM, *CHANGES)
_TOOLS: Final[Mapping[str, Tool]] = {
    tool.name: tool
    for tool in (
        Tool(
            "check",
            "Check a problem",
            "Find everything that is wrong with a problem file: each error and warning "
            "with its line and column, the cause, and what to write instead. Use it "
            "after every edit, before anything else.",
            PROBLEM,
            _check,
        ),
        Tool(
            "solve",
            "Find the best plan",
            "Find the optimal contingent plan: what to do first, and what next "
            "whatever happens, with its expected reward and whether it is proven "
            "optimal (`status`, `upper_bound`). `policy` lists every state of the plan "
            "once, the root first.",
            (
                *_STATED,
                AFTER,
                Argument(
                    "aim",
                    {
                        "type": "string",
                        "description": "Make the most of this instead of the expected "
                        "reward: `cvar=10%`, `at-least=50`, `exponential=100`.",
                    },
                ),
                Argument(
                    "robust",
                    {
                        "type": "boolean",
                        "description": "Plan for the worst case of probabilities that "
                        "the problem states as intervals.",
                    },
                    usual=False,
                ),
                Argument(
                    "exact",
                    {
                        "type": "boolean",
                        "description": "Compute with fractions; for small problems.",
                    },
                    usual=False,
                ),
                *_LIMITED,
            ),
            _solve,
        ),
        Tool(
            "explain",
            "Ask why not",
            "Say why the best plan does not take an action at some point: what that "
            "would lose, and the likeliest case in which it shows.",
            (
                *_STATED,
                AFTER,
                Argument(
                    "action",
                    {"type": "string", "description": "The action asked about."},
                    is_required=True,
                ),
                *_LIMITED,
            ),
            _explain,
        ),
        Tool(
            "analyze",
            "Analyze a problem",
            "Say what matters and what would change the plan. Sections: criticality "
            "(what each action is worth), thresholds (where a number changes the first "
            "action), tornado, derivatives, frontier (what more budget buys), "
            "strategies, two-way, uncertainty, information (what knowing would be "
            "worth), risk, cost-effectiveness.",
            (
                *_STATED,
                AFTER,
                Argument(
                    "only",
                    {
                        "type": "array",
                        "items": {"type": "string", "enum": list(SECTIONS)},
                        "description": "The sections wanted.",
                    },
                    usual=_FIRST_SECTIONS,
                ),
                *_LIMITED,
            ),
            _analyze,
        ),
        Tool(
            "simulate",
            "Try a plan out",
            "Play the problem through many times, by the best plan or by simpler "
            "policies, and return how rewards and costs are distributed.",
            (
                *_STATED,
                AFTER,
                Argument(
                    "policies",
                    {
                        "type": "array",
                        "items": {"type": "string", "enum": list(POLICY_NAMES)},
                        "description": "What decides on the actions.",
                    },
                    usual=[POLICY_NAMES[0]],
                ),
                Argument(
                    "runs",
                    {"type": "integer", "minimum": 2, "maximum": _MOST_RUNS},
                    usual=10_000,
                ),
                Argument("seed", {"type": ["integer", "string"]}, usual=0),
                *_LIMITED,
            ),
            _simulate,
        ),
        Tool(
            "defend",
            "Choose defenses",
            "For a problem whose agent is an attacker: find the `defenses` that leave "
            "the attacker the least, with proof, and what each defense is worth.",
            (
                *_STATED,
                Argument(
                    "defense_budget",
                    {
                        "type": ["string", "number"],
                        "description": "What may be spent on defenses, instead of the "
                        "file's: a number or `unlimited`.",
                    },
                ),
                *_LIMITED,
            ),
            _defend,
        ),
        Tool(
            "convert",
            "Write in another format",
            "Return the problem as text in another format. Nothing is written to disk.",
            (
                *_STATED,
                AFTER,
                Argument(
                    "to",
                    {"type": "string", "enum": list(_WRITTEN)},
                    is_required=True,
                ),
            ),
            _convert,
        ),
        Tool(
            "schema",
            "Show a JSON Schema",
            "Return the JSON Schema of problem files, or of the results of the other "
            "tools. Read that of `problem` before writing a problem from scratch.",
            (
                Argument(
                    "kind",
                    {"type": "string", "enum": list(DOCUMENTS)},
                    usual="problem",
                ),
            ),
            _schema,
        ),
    )
}

TOOLS: Final = tuple(_TOOLS.values())
"""All tools, in the order in which an assistant needs them."""
