"""The dependency graph of a problem in the languages of Graphviz and Mermaid."""

from collections.abc import Iterator
from typing import Final

from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.report.dependency_graph.boxes import (
    cost_words,
    outcome_words,
    reward_words,
)
from branchwise.report.dependency_graph.dependencies import (
    Dependencies,
    Gate,
    Link,
    Relation,
    dependencies,
)
from branchwise.report.text.wording import chance
from branchwise.report.tree_drawing.dot import digraph, statement
from branchwise.report.tree_drawing.lettering import cropped, legible
from branchwise.report.tree_drawing.mermaid import flowchart, quoted_text

# Outcomes that go without saying where something is needed.
_SUCCESS: Final = frozenset({"ok", "success", "succeeded", "done", "yes"})

# How each relation looks in Graphviz, and its arrow in Mermaid.
_LINKS: Final[dict[Relation, tuple[dict[str, str], str]]] = {
    Relation.NEEDS: ({}, "-->"),
    Relation.RULES_OUT: (
        {"style": "dashed", "arrowhead": "tee", "color": "#b45309"},
        "-.-x",
    ),
    Relation.CHANGES: ({"style": "dotted", "constraint": "false"}, "-.->"),
}
_CLASSES: Final = {
    "reward": "fill:#0f766e,stroke:#0f766e,color:#ffffff",
    "penalty": "fill:#ffffff,stroke:#0f766e,color:#1b2733",
    "gate": "fill:#e9eef3,stroke:#6b7a8a,color:#1b2733",
}


def dependency_dot(problem: Problem) -> str:
    """
    Write the dependency graph of a problem in DOT, the language of Graphviz.

    Examples
    --------
    >>> a = Action("a", outcomes={"no": "1/2", "ok": "1/2"})
    >>> text = dependency_dot(Problem([a], [Reward("a=ok", 5)]))
    >>> print(text.splitlines()[-2].strip())
    n0 -> n1;
    """
    graph = dependencies(problem)
    lines = [statement(f"n{n}", _dot_item(graph, n)) for n in range(len(graph.items))]
    for link in graph.links:
        words = _link_words(graph, link)
        look = {**({"label": words} if words else {}), **_LINKS[link.relation][0]}
        lines.append(statement(f"n{link.source} -> n{link.target}", look))
    return digraph("dependencies", problem.name, lines, arrow_size="0.7")


def dependency_mermaid(problem: Problem) -> str:
    """Write the dependency graph of a problem for Mermaid."""
    return flowchart(problem.name, _mermaid(dependencies(problem)), _CLASSES)


def _mermaid(graph: Dependencies) -> Iterator[str]:
    for number, item in enumerate(graph.items):
        if isinstance(item, Action):
            words = quoted_text("\n".join(_action_words(graph, number)))
            yield f"  n{number}[{words}]"
        elif isinstance(item, Reward):
            noun = "penalty" if item.value < 0 else "reward"
            words = quoted_text(f"{noun} {reward_words(item)}")
            yield f"  n{number}{{{{{words}}}}}:::{noun}"
        else:
            yield f"  n{number}(({quoted_text(item.words)})):::gate"
    for link in graph.links:
        words = _link_words(graph, link)
        label = f"|{quoted_text(words)}|" if words else ""
        yield f"  n{link.source} {_LINKS[link.relation][1]}{label} n{link.target}"


def _dot_item(graph: Dependencies, number: int) -> dict[str, str]:
    item = graph.items[number]
    if isinstance(item, Action):
        return {"label": "\n".join(_action_words(graph, number))}
    if isinstance(item, Reward):
        star = {"label": reward_words(item), "shape": "star"}
        filled = {"style": "filled", "fillcolor": "#0f766e", "fontcolor": "white"}
        return star if item.value < 0 else {**star, **filled}
    return {"label": item.words, "shape": "circle", "margin": "0.02"}


def _action_words(graph: Dependencies, number: int) -> list[str]:
    action = graph.items[number]
    assert isinstance(action, Action)
    outcomes = [
        f"{outcome_words(o, graph)} {chance(o.probability)}" for o in action.outcomes
    ]
    head = [cropped(legible(action.name)), cost_words(action.cost)]
    letter = graph.shared.get(number)
    return [*head, ", ".join(outcomes), *([f"ruled out by {letter}"] if letter else [])]


def _link_words(graph: Dependencies, link: Link) -> str:
    """
    Return which outcome counts, unless that goes without saying.

    Something is needed with success, and rules out whatever came of it, unless stated.
    """
    if isinstance(graph.items[link.source], Gate):
        return ""
    outcome = None if link.outcome is None else cropped(legible(link.outcome))
    if link.relation is Relation.NEEDS:
        is_plain = outcome is not None and outcome.casefold() in _SUCCESS
        return "" if is_plain else outcome or "attempted"
    return outcome or ""
