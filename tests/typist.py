"""Types what a message says: by its place, its cause and its fix, and nothing else."""

import json
import re

import yaml

_TICKED = re.compile("`([^`]+)`")
_EDIT = re.compile("(?:add|write|complete|call|give|put|alone)[^`]*`([^`]+)`")
_SHAPE = re.compile("write `[^`]+` as `([^`]+)`")
_NUMBER = re.compile(r"write (?:a number (?:of at least|from) )?(\d+)")
_AT_THE_TOP = {"actions", "budget", "combine", "cost_weight", "finish", "objective"}


def typed(text, issue):
    """Return the text after the edit; None where the message asks for none."""
    if not issue.path:
        return _in_text(text, issue)
    document = yaml.load(text, yaml.BaseLoader)  # which only makes text
    return json.dumps(document) if _in_document(document, issue) else None


def _in_text(text, issue):
    """Edit what is no document yet."""
    if issue.fix == "indent with spaces":
        return text.replace("\t", "  ")
    place = re.match(r"[^:]*:(\d+):(\d+)", issue.where)
    line, column = int(place[1]) - 1, int(place[2]) - 1
    lines = text.splitlines() or [""]
    if issue.fix == "remove the comma":
        lines[line] = lines[line][:column] + lines[line][column + 1 :]
    elif found := re.match("close it with `(.)`", issue.fix):
        lines[line] += found[1]
    elif found := re.search("`(actions: .+)`", issue.fix):
        lines = [found[1]]
    elif found := re.match("put it in quotes[^`]*: `(.+)`", issue.fix):
        lines[line] = lines[line].replace(found[1].strip('"'), found[1])
    else:
        return None
    return "\n".join(lines) + "\n"


def _in_document(document, issue):
    """Edit a document at the path of an issue; return whether there was something."""
    *path, key = issue.path
    inside = document
    for step in path:
        inside = inside[step]
    if issue.fix.startswith("remove it"):
        del inside[key]
        return True
    number = _NUMBER.search(issue.fix)
    edit = _SHAPE.search(issue.fix) or _EDIT.search(issue.fix)
    if surplus := re.search("remove `([^`]+)`", issue.fix) if edit is None else None:
        (inside if surplus[1] in inside else document).pop(surplus[1])
        return True
    if edit is None and number is None:
        edit = re.search("such as `([^`]+)`", issue.fix)
    if edit is None:
        if number is not None:
            inside[key] = number[1]
        return number is not None
    _write(document, issue, inside, edit[1])
    return True


def _write(document, issue, inside, new):
    *_, key = issue.path
    said = re.fullmatch(r'"?([\w ]+?)"?: (.+)', new)
    is_map = isinstance(inside, dict)
    value = (inside.get(key) if is_map else inside[key]) or ""
    named = [issue.culprit, *_TICKED.findall(issue.what)]
    if said is not None:
        _set(document, issue.path, said[1], yaml.load(said[2], yaml.BaseLoader))
    elif isinstance(value, str) and (olds := _found_in(value, named, new)):
        inside[key] = value.replace(olds[0], new, 1)
    elif is_map and (
        not key
        or re.search(
            "has no (key|outcome)|there is no|empty name|called so", issue.what
        )
    ):
        renamed = [
            (new if name == key else name, part) for name, part in inside.items()
        ]
        inside.clear()
        inside.update(renamed)
    else:
        inside[key] = yaml.load(new, yaml.BaseLoader) if new[0] in "[{" else new


def _found_in(value, named, new):
    return [each for each in named if each and each in value and each != new]


def _set(document, path, name, part):
    """Set a key in the nearest map that has it, or else in the nearest."""
    maps = [document]
    for step in path:
        try:
            maps.append(maps[-1][step])
        except (KeyError, IndexError, TypeError):
            break
    maps = [each for each in maps if isinstance(each, dict)]
    near = next((each for each in reversed(maps) if name in each), maps[-1])
    target = document if name in _AT_THE_TOP else near
    target[name] = part
