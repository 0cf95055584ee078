"""The paper's own 0/1 program of rewarding sets, as its appendix prints it."""

from types import SimpleNamespace

import highspy


def pairs_of(condition, doc):
    """The (action, outcome)s of a literal; of a bare action, each of its outcomes."""
    action, _, outcome = condition.partition("=")
    return [(action, o) for o in [outcome] if o] or [
        (action, o) for o in doc["actions"][action]["outcomes"]
    ]


def parts(condition, doc):
    """AND and OR of a condition: a literal, or all or any of some literals."""
    if isinstance(condition, str):
        condition = {"all": [condition]}
    [(kind, literals)] = condition.items()
    found = [pair for literal in literals for pair in pairs_of(literal, doc)]
    return (found, []) if kind == "all" else ([], found)


def dependency_graph(doc, *, preclusions=True):
    """Omega and its AND, OR and NOTAND; as in the paper's footnote, a dummy action
    stands for a reward that asks for more than one pair.
    """
    graph = SimpleNamespace(omega=[], all={}, any={}, none={}, sinks=[])
    for name, body in doc["actions"].items():
        for pair in pairs_of(name, doc):
            needs = parts(body.get("requires", {"all": []}), doc)
            out = pairs_of(body["precluded_by"], doc) if "precluded_by" in body else []
            graph.omega.append(pair)
            graph.all[pair], graph.any[pair] = needs
            graph.none[pair] = out if preclusions else []
    for number, reward in enumerate(doc["rewards"]):
        sink = ("reward", number)
        graph.all[sink], graph.any[sink] = parts(reward["when"], doc)
        graph.none[sink] = []
        if len(graph.all[sink]) == 1:
            [sink] = graph.all[sink]
        else:
            graph.omega.append(sink)
        graph.sinks.append(sink)
    return graph


def paper_program(doc, **kinds):
    """The sets it lists: no order, no attempts, and one list for all rewards."""
    graph = dependency_graph(doc, **kinds)
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    z = {pair: highs.addBinary() for pair in graph.omega}
    highs.addConstr(sum(z[sink] for sink in graph.sinks) >= 1)
    for pair in graph.omega:
        if graph.any[pair]:
            highs.addConstr(sum(z[other] for other in graph.any[pair]) >= z[pair])
        for other in graph.all[pair]:
            highs.addConstr(z[other] >= z[pair])
        for other in graph.none[pair]:
            highs.addConstr(1 - z[other] >= z[pair])
    listed = set()
    while True:
        highs.minimize(sum(z.values()))
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return listed
        found = [pair for pair in z if highs.val(z[pair]) > 0.5]
        listed.add(frozenset(pair for pair in found if pair[0] != "reward"))
        highs.addConstr(sum(z[pair] for pair in found) <= len(found) - 1)
