"""What callgrind has counted, by the functions of the source."""

import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field

_NAME = re.compile(r"(fn|ob|cob|cfn)=\((\d+)\)(?: (.*))?")
_COUNTS = re.compile(r"(0x[0-9a-f]+|[+-]\d+|[+-]0x[0-9a-f]+|\*) ")


@dataclass
class Profile:
    """
    Counts of events by where they happened.

    `by_address` is for the object that was asked for: counts by event at each address;
    `by_function` is for all others. `calls` counts calls of each function.
    """

    events: list = field(default_factory=list)
    by_address: dict = field(default_factory=dict)
    by_function: dict = field(default_factory=dict)
    calls: Counter = field(default_factory=Counter)


def read(lines, object_name):
    """Read what `--dump-instr=yes` wrote; inclusive costs of calls are left out."""
    profile, names = Profile(), {"ob": {}, "fn": {}}
    place, address, is_call = {"ob": "", "fn": ""}, 0, False
    for line in lines:
        if match := _NAME.match(line):
            kind = match[1].removeprefix("c")
            if match[3]:
                names[kind][match[2]] = match[3]
            place[match[1]] = names[kind][match[2]]
        elif line.startswith("events:"):
            profile.events = line.split()[1:]
        elif line.startswith("calls="):
            is_call = True
            profile.calls[place["cfn"]] += int(line.split()[0].removeprefix("calls="))
        elif _COUNTS.match(line):
            first, _, *counts = line.split()
            address = _position(first, address)
            if not is_call:
                own = object_name in place["ob"]
                table = profile.by_address if own else profile.by_function
                key = address if own else place["fn"]
                numbers = dict(zip(profile.events, map(int, counts), strict=False))
                table.setdefault(key, Counter()).update(numbers)
            is_call = False
    return profile


def _position(text, before):
    if text == "*":
        return before
    if text[0] in "+-":
        return before + int(text, 16 if "x" in text else 10)
    return int(text, 16)


def inline_chains(object_file, addresses):
    """Return the functions an address is in: first the innermost one inlined there."""
    asked = [f"{address:#x}" for address in addresses]
    options = ["--inlines", "--functions", "--demangle", "--addresses"]
    done = subprocess.run(
        ["addr2line", *options, "--exe", str(object_file)],
        input="\n".join(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    chains, chain = {}, []
    for line in done.stdout.splitlines():
        if line.startswith("0x"):
            chain = chains.setdefault(int(line, 16), [])
        elif not re.search(r":(\d+|\?)( \(discriminator \d+\))?$", line):
            chain.append(line)
    return chains
