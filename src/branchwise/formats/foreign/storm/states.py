"""Every state of a model, from Storm in a process of its own; or why there is none."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from branchwise.errors import FormatError
from branchwise.formats.foreign.storm.question import Question
from branchwise.formats.place import Place
from branchwise.formats.source_text import excerpt, refuse

MOST_STATES: Final = 5_000
"""So many states in which something is decided are read."""

_MOST_SECONDS: Final = 120

Listing = dict[str, Any]


def listed(
    text: str, source: str, known: list[Question], files: Collection[Path]
) -> Listing:
    """Return every state of a model; Storm runs in a process of its own."""
    place = Place(source)
    if find_spec("stormpy") is None:
        what = "models of PRISM are read through Storm, which is not installed"
        raise refuse(place, what, "install it: `pip install stormpy`")
    wanted = json.dumps([[each.text, each.goal, each.stay] for each in known])
    with tempfile.TemporaryDirectory() as folder:
        model, found = Path(folder, "model.prism"), Path(folder, "states.json")
        model.write_text(text, encoding="utf-8")
        program = "branchwise.formats.foreign.storm.listing"
        command = [sys.executable, "-m", program, str(model), wanted, str(found)]
        try:
            subprocess.run(
                command, capture_output=True, check=False, timeout=_MOST_SECONDS
            )
            listing: Listing = json.loads(found.read_text(encoding="utf-8"))
        except subprocess.TimeoutExpired:
            listing = {"error": f"its states are not listed in {_MOST_SECONDS} seconds"}
        except (OSError, ValueError):
            listing = {"error": "its states are more than can be listed"}
    if "choices" not in listing:
        raise _refusal(listing, source, str(model), files)
    return listing


def _no_goal(labels: list[str], source: str, files: Collection[Path]) -> FormatError:
    names = ", ".join(f'`"{name}"`' for name in labels) or "none"
    fix = 'add a line such as `// property: Pmax=? [F "goal"]` at the top'
    said = ", ".join(excerpt(each.name) for each in files)
    what = "no property says what the goal is"
    if said:
        what = f"no property in {said} can be asked here: none is about reaching "
        what += "something from the start"
    return refuse(
        Place(source), f"{what}, and no label is called so; labels are {names}", fix
    )


def _refusal(
    listing: Listing, source: str, path: str, files: Collection[Path]
) -> FormatError:
    """Make the error that says why a model is not read."""
    if "labels" in listing:
        return _no_goal(listing["labels"], source, files)
    if "starts" in listing:
        what = f"the model starts in {listing['starts']:,} states, where one is wanted"
        return refuse(
            Place(source), what, "say where it starts, by `init` of variables"
        )
    if "states" in listing:
        what = f"the model has {listing['states']:,} states"
        return refuse(Place(source), what, f"at most {MOST_STATES:,} are read")
    said = " ".join(str(listing["error"]).replace(path, source).split())
    found = re.search(r" (?:at|line) (\d+):(\d*)", said)
    place = Place(source)
    if found is not None:
        place = Place(source, int(found[1]), int(found[2] or 1))
    what = f"Storm cannot read the model: {said[:300]}"
    return refuse(place, what, "mend it there, or take a smaller model")
