"""What a secondary objective makes of a tree, by brute force over raw states."""

__all__ = ["measured"]


def measured(oracle, tree, prefer):
    """What the objective makes of a tree, counted node by node."""
    if prefer == "fewest-nodes":
        return tree.num_nodes
    if prefer == "least-depth":
        return max(len(node.path) for node in tree.walk())
    names = list(oracle.doc["actions"])
    total = 0.0
    raws = {(): oracle.root}
    for node in tree.walk():
        if node.action is None:
            continue
        raw = raws[node.path]
        offer, rest = next(
            (offer, rest)
            for index, offer, rest in oracle.available(raw)
            if names[index] == node.action
        )
        amount = 1 if prefer == "fewest-expected-actions" else offer.cost
        total += float(node.probability) * amount
        labels = list(oracle.doc["actions"][node.action]["outcomes"])
        units = {labels[place]: unit for _, unit, place in offer.probabilities}
        for outcome, child in node.children.items():
            raws[child.path] = (raw[0] + units[outcome], rest)
    return total
