"""The same document in other words: conditions as text, awkward names, parameters."""

import re
from fractions import Fraction

from oracles.oracle import literal, number

AWKWARD = (
    "yes no on off true null ~ None 1 0 01 1.0 1e3 0x1F 2024-01-01 12:30 .inf and or "
    "not AND Not all any rest unlimited = == =1+1 +1 -1 - -x x- @x & * ! | > % ? . # "
    "() [a] {b} <b> </script> __proto__ constructor "
    "ünï 東京 🙂 👩\u200d🚀 e\u0301t שלום مرحبا"
).split()
AWKWARD += ["my action", "a and b", "not a=b", "(a4,2)", "a, b", "it's", "key: value"]
AWKWARD += [
    '"',
    'say "hi"',
    "back\\slash",
    "end\\",
    "x #y",
    "a=b",
    "- item",
    "a\u00a0b",
]

OR, AND, NOT, ATOM = range(4)  # how tightly each binds


def _with_conditions(doc, reword, names=None, labels=None):
    """A copy of the document with each condition reworded and each name replaced."""

    def new_labels(action, outcomes):
        chosen = labels[action] if labels else {}
        return {chosen.get(label, label): p for label, p in outcomes.items()}

    def new_body(action, body):
        body = dict(body)
        for key in {"requires", "precluded_by", "when"} & set(body):
            body[key] = reword(body[key])
        if "outcomes" in body:
            body["outcomes"] = new_labels(action, body["outcomes"])
        if "given" in body:
            body["given"] = [new_body(action, clause) for clause in body["given"]]
        return body

    actions = {
        names[action] if names else action: new_body(action, body)
        for action, body in doc["actions"].items()
    }
    rewards = [r | {"when": reword(r["when"])} for r in doc["rewards"]]
    return doc | {"actions": actions, "rewards": rewards}


def conditions_as_text(doc, random):
    """
    The same document with its conditions in the text language.

    Some keep their outermost structure with text inside, and `{"all": []}` and
    `{"any": []}`, which have no text, keep it all the way down.
    """

    def reword(condition):
        if isinstance(condition, str):
            return text_of(condition, random)
        if not _has_text(condition) or random.random() < 0.15:
            return with_parts(condition, reword)
        return text_of(condition, random)

    return _with_conditions(doc, reword)


def text_of(condition, random):
    """One condition as text: some needless parentheses, sometimes as in the paper."""
    paper = random.random() < 0.3

    def word(keyword):
        return f" {keyword.upper() if paper else keyword} "

    def render(condition, binding):
        """The text, in parentheses if it binds less tightly than it must."""
        if isinstance(condition, str):
            text, tightness = _literal_text(condition, paper), ATOM
        else:
            [(kind, inner)] = condition.items()
            if kind == "at_least":
                [(count, inner)] = inner.items()
                parts = ", ".join(render(part, OR) for part in inner)
                words = f"{word('at')}{word('least').lstrip()}{count}{word('of')}"
                text, tightness = f"{words.lstrip()}({parts})", ATOM
            elif kind == "not":
                text, tightness = word("not").lstrip() + render(inner, NOT), NOT
            elif len(inner) == 1:
                return render(inner[0], binding)
            else:
                joint, tightness = (
                    (word("and"), AND) if kind == "all" else (word("or"), OR)
                )
                text = joint.join(render(part, tightness) for part in inner)
        needless = random.random() < (0.05 if tightness == ATOM else 0.2)
        return f"({text})" if tightness < binding or needless else text

    return render(condition, OR)


def _has_text(condition):
    if isinstance(condition, str):
        return True
    [(kind, inner)] = condition.items()
    if kind == "not":
        return _has_text(inner)
    if kind == "at_least":
        [inner] = inner.values()
    return bool(inner) and all(map(_has_text, inner))


def with_parts(condition, reword):
    """The same condition with each of its parts reworded."""
    [(kind, inner)] = condition.items()
    if kind == "not":
        return {kind: reword(inner)}
    if kind == "at_least":
        return {kind: {count: [*map(reword, some)] for count, some in inner.items()}}
    return {kind: [*map(reword, inner)]}


def _literal_text(text, paper):
    names = literal(text)
    if paper and len(names) == 2 and all(map(_is_plain, names)):
        return f"({names[0]},{names[1]})"
    return "=".join(name if _is_plain(name) else quoted(name) for name in names)


def _is_plain(name):
    """May this name stand in a condition without quotes?"""
    word = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+", name)
    return bool(word) and name.lower() not in {"and", "or", "not"}


def quoted(name):
    """The name in double quotes, as conditions write those that are not plain words."""
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'


PARAMETERS = ("rate", "visit", "per call", "Größe", "x.y")


def with_parameters(doc, random):
    """The same document with some numbers computed from named parameters."""
    names = random.sample(PARAMETERS, random.choice([1, 2, 3]))
    values = {
        name: Fraction(random.choice(["1/2", "3", "0.3", "7/4"])) for name in names
    }
    stated = {name: str(value) for name, value in values.items()}
    if len(names) > 1:  # One is computed from another, which may stand below it.
        first, second = random.sample(names, 2)
        stated[first] = _expression(values[first], {second: values[second]}, random)

    def each(tree):
        if isinstance(tree, dict):
            kept = ("requires", "precluded_by", "when", "name", "combine")
            return {key: v if key in kept else each(v) for key, v in tree.items()}
        if isinstance(tree, list):
            return [each(item) for item in tree]
        if tree in ("rest", "unlimited") or random.random() < 0.5:
            return tree
        if number(tree) == 0 and isinstance(doc["budget"], dict):
            return tree  # Nothing needs no resource; what is computed does.
        return _expression(number(tree), values, random)

    return {"name": doc["name"], "parameters": stated} | each(doc)


def _expression(value, values, random):
    """An expression that has this value."""
    name, known = random.choice(list(values.items()))
    bare = name if re.fullmatch(r"\w+", name) or "." in name else f'"{name}"'
    share, rest = Fraction(value) / known, value - known
    return random.choice(
        [
            f"{bare} * {share}",
            f"{share} * {bare}" if share.denominator == 1 else f"{bare} * ({share})",
            f"{bare} - ({known}) + {value}" if value >= 0 else f"{bare} - {-rest}",
            f"min({value}, {value} + {bare})" if value >= 0 else f"-{bare} * {-share}",
            f"max({bare} * ({share}), {value} - 1)"
            if value >= 1
            else f"{bare}*{share}",
        ]
    )


def awkward_names(doc, random):
    """The same document with action names and outcome labels that trip readers up."""

    def some(old):
        supply = AWKWARD + [
            f"{name} {i}" for name in AWKWARD for i in range(len(old) // 40)
        ]
        return dict(zip(old, random.sample(supply, len(old)), strict=True))

    names = some(list(doc["actions"]))
    labels = {a: some(list(body["outcomes"])) for a, body in doc["actions"].items()}

    def reword(condition):
        if isinstance(condition, str):
            action, *outcome = literal(condition)
            parts = [names[action], *(labels[action][label] for label in outcome)]
            return "=".join(map(quoted, parts))
        return with_parts(condition, reword)

    return _with_conditions(doc, reword, names, labels)
