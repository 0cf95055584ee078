"""Files made to hurt whatever reads them: the worst first, then variations."""

import io
import itertools
import json
import random
import zipfile
from collections.abc import Callable, Iterator

BIG = 100_000
OUTCOMES = "{outcomes: {ok: 0.6, fail: 0.4}}"

Hostile = tuple[str, Callable[[], bytes]]
"""The name of a file, and what makes its contents."""


def worst() -> list[Hostile]:
    """The sixty worst, each of another kind."""
    return [*_yaml(), *_json(), *_tables(), *_workbooks(), *_names(), *_foreign()]


def variations(seed: int = 0) -> Iterator[Hostile]:
    """More of them, without end: broken, mixed and cut at random."""
    chance = random.Random(seed)
    made = [
        (name, make())
        for name, make in worst()
        if name.endswith((".yaml", ".json", ".xlsx"))
    ]
    sources = [(name, data) for name, data in made if len(data) < 200_000]
    sources.append(("plain.yaml", f"actions:\n  a: {OUTCOMES}\n".encode()))
    for number in itertools.count():
        name, data = chance.choice(sources)
        broken = _broken(data, chance)
        yield f"variation{number}.{name.rpartition('.')[2]}", lambda d=broken: d


def _broken(data: bytes, chance: random.Random) -> bytes:
    pieces = [
        b"{",
        b"[",
        b"&a ",
        b"*a",
        b"\0",
        b"\xff",
        b"\x1b[2J",
        b'"',
        b"\n- ",
        b": ",
    ]
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(len(data) + 1)
        kind = chance.randrange(4)
        if kind == 0:
            data = data[:place]
        elif kind == 1:
            data = data[:place] + chance.choice(pieces) * chance.choice([1, 9, 999])
        elif kind == 2:
            end = min(len(data), place + chance.randint(1, 500))
            data = data[:end] + data[place:end] * chance.choice([2, 50]) + data[end:]
        else:
            data = data[:place] + chance.choice(pieces) + data[place:]
    return data[:1_000_000]


def _text(text: str) -> Callable[[], bytes]:
    return text.encode


def _yaml() -> list[Hostile]:
    a = f"actions:\n  a: {OUTCOMES}\n"
    many = range(BIG)
    bomb = "\n".join(
        ["x0: &x0 [y]"]
        + [f"x{i}: &x{i} [{','.join([f'*x{i - 1}'] * 9)}]" for i in range(1, 60)]
    )
    made: dict[str, Callable[[], bytes]] = {
        "fifty_megabytes": lambda: (
            b"actions:\n" + b"  a: {outcomes: {x: 1}}\n" * 2_200_000
        ),
        "comment": lambda: b"#" * 30_000_000 + b"\n" + a.encode(),
        "one_scalar": lambda: b"name: " + b"x" * 30_000_000,
        "one_key": lambda: b"x" * 30_000_000 + b": 1",
        "flow_list": lambda: b"name: [" + b"a," * 1_900_000 + b"]",
        "flow_map": lambda: b"actions: {" + b"a," * 1_900_000 + b"}",
        "deep_flow": lambda: b"[" * 1_000_000,
        "deep_block": lambda: b"- " * 1_000_000,
        "deep_maps": lambda: b"{a: " * 400_000,
        "deep_condition": lambda: (
            a.encode() + b"rewards: [{when: '" + b"(" * BIG + b"a"
        ),
        "deep_not": lambda: (
            a.encode() + b"rewards: [{value: 1, when: " + b"not " * BIG + b"a}]"
        ),
        "alias_bomb": _text(bomb),
        "anchors": ("actions: [" + ",".join(f"&n{i} x" for i in many) + ", *m]").encode,
        "aliases": lambda: (
            b"actions:\n  a: &a {outcomes: {x: 1}}\n"
            + b"".join(b"  b%d: *a\n" % i for i in many)
        ),
        "alias_of_text": lambda: (
            b"name: &c '"
            + b"a or " * BIG
            + b"a'\nrewards:\n"
            + b"- {when: *c, value: 1}\n" * 1000
        ),
        "alias_in_itself": _text("actions: &a {b: *a}"),
        "outcomes": lambda: (
            b"actions: {a: {outcomes: {"
            + b",".join(b"x%d: 0.00001" % i for i in many)
            + b"}}}"
        ),
        "outcomes_wrong": lambda: (
            b"actions: {a: {outcomes: {"
            + b",".join(b"x%d: 2" % i for i in many)
            + b"}}}"
        ),
        "rewards": lambda: (
            a.encode()
            + b"rewards:\n"
            + b"".join(b"- {when: a=ok, value: %d}\n" % i for i in many)
        ),
        "clauses": lambda: (
            b"actions:\n  a:\n    outcomes: {ok: 1}\n    given:\n"
            + b"".join(b"    - {when: a=ok, cost: %d}\n" % i for i in many)
        ),
        "clauses_of_others": lambda: (
            b"actions:\n"
            + b"".join(b"  b%d: {outcomes: {x: 1}}\n" % i for i in range(50_000))
            + b"  a:\n    outcomes: {ok: 1, no: 0}\n    given:\n"
            + b"".join(
                b"    - {when: b%d=x, outcomes: {ok: 1}}\n" % i for i in range(50_000)
            )
        ),
        "clauses_by_outcomes": lambda: (
            b"actions:\n  a:\n    outcomes: {"
            + b",".join(b"x%d: 0.00002" % i for i in range(50_000))
            + b"}\n    given:\n"
            + b"".join(b"    - {when: a=x%d, cost: 2}\n" % i for i in range(50_000))
        ),
        "unknown_names": lambda: (
            a.encode()
            + b"rewards:\n"
            + b"".join(b"- {when: b%d=ok, value: 1}\n" % i for i in many)
        ),
        "unknown_in_one": lambda: (
            a.encode()
            + b"rewards: [{value: 1, when: "
            + b" or ".join(b"b%d" % i for i in many)
            + b"}]"
        ),
        "unknown_outcomes": lambda: (
            a.encode()
            + b"rewards: [{value: 1, when: "
            + b" or ".join(b"a=b%d" % i for i in many)
            + b"}]"
        ),
        "unknown_keys": lambda: a.encode() + b"".join(b"k%d: 1\n" % i for i in many),
        "unknown_resources": lambda: (
            b"budget: {m: 1}\nactions:\n"
            + b"".join(
                b"  b%d: {cost: {r%d: 1}, outcomes: {x: 1}}\n" % (i, i)
                for i in range(50_000)
            )
        ),
        "same_key": lambda: b"actions:\n" + b"  a: {outcomes: {x: 1}}\n" * BIG,
        "errors": lambda: (
            b"actions:\n"
            + b"".join(b"  b%d: {outcomes: {x: 2}}\n" % i for i in range(10_000))
        ),
        "not_numbers": lambda: (
            b"actions:\n"
            + b"".join(b"  b%d: {outcomes: {x: many}}\n" % i for i in range(50_000))
        ),
        "chain": lambda: (
            b"budget: 5000\nactions:\n  b0: {outcomes: {x: 1}}\n"
            + b"".join(
                b"  b%d: {requires: b%d=x, outcomes: {x: 1}}\n" % (i, i - 1)
                for i in range(1, 10_000)
            )
        ),
        "circle": lambda: (
            b"actions:\n"
            + b"".join(
                b"  b%d: {requires: b%d=x, outcomes: {x: 1}}\n" % (i, (i + 1) % 50_000)
                for i in range(50_000)
            )
        ),
        "backwards": lambda: (
            b"actions:\n"
            + b"".join(
                b"  b%d: {requires: b%d=x, outcomes: {x: 1}}\n" % (i, i + 1)
                for i in range(50_000)
            )
            + b"  b50000: {outcomes: {x: 1}}\n"
        ),
        "wide_condition": lambda: (
            b"actions:\n"
            + b"".join(b"  b%d: {outcomes: {x: 1}}\n" % i for i in range(30_000))
            + b"  a: {requires: "
            + b" and ".join(b"b%d=x" % i for i in range(30_000))
            + b", outcomes: {x: 1}}\n"
        ),
        "choices": lambda: (
            b"actions:\n"
            + b"".join(b"  b%d: {outcomes: {x: 1}}\n" % i for i in range(10_000))
            + b"  a: {requires: "
            + b" and ".join(b"b%d=x" % i for i in range(10_000))
            + b" and ("
            + b" or ".join(b"(b%d=y and b1)" % i for i in range(10_000))
            + b")"
            + b", outcomes: {x: 1}}\n"
        ),
        "long_condition": lambda: (
            a.encode()
            + b"rewards: [{value: 1, when: '"
            + b"a or " * 5_000_000
            + b"a'}]"
        ),
        "long_number": lambda: b"budget: " + b"9" * 10_000_000,
        "exponent": _text("budget: 1e999999999\n" + a),
        "documents": lambda: b"--- a\n" * BIG,
        "tags": lambda: b"actions: [" + b"!!python/object:os.system x," * 50_000 + b"]",
        "defenses": lambda: (
            a.encode()
            + b"defenses:\n"
            + b"".join(b"  d%d: {scales: {a: {ok: 0.5}}}\n" % i for i in range(3_000))
        ),
        "defenses_cover": lambda: (
            b"actions: {a: {outcomes: {"
            + b",".join(b"x%d: 0.05" % i for i in range(20))
            + b"}}}\ndefenses:\n"
            + b"".join(
                b"  d%d_%d: {scales: {a: {x%d: 0.5}}}\n" % (i, j, i)
                for i in range(19)
                for j in range(9)
            )
        ),
        "mixed_brackets": lambda: b"{[" * 500_000,
    }
    return [(f"{name}.yaml", make) for name, make in made.items()]


def _json() -> list[Hostile]:
    return [
        ("fifty.json", lambda: b"[" + b'{"a":1},' * 6_000_000 + b"1]"),
        ("lists.json", lambda: b"[" + b"[]," * 900_000 + b"1]"),
        ("deep.json", lambda: b"[" * 1_000_000),
        ("string.json", lambda: b'{"name": "' + b"x" * 30_000_000 + b'"}'),
        ("digits.json", lambda: b'{"budget": ' + b"9" * 20_000_000 + b"}"),
        (
            "unclosed.json",
            lambda: json.dumps({f"k{i}": "x" for i in range(BIG)}).encode()[:-1],
        ),
    ]


def _tables() -> list[Hostile]:
    head = b"action,outcome,probability\n"
    return [
        ("rows.csv", lambda: head + b"a\n" * 2_000_000),
        ("blank_rows.csv", lambda: head + b"\n" * 3_000_000),
        ("cells.csv", lambda: head + (b";" * 190 + b"\n") * 80_000),
        ("one_row.csv", lambda: b";" * 30_000_000),
        ("unclosed.csv", lambda: head + b'"' + b"a" * 20_000_000),
        ("quotes.csv", lambda: head + b'""' * 10_000_000),
        ("strangers.csv", lambda: head + b"a,ok,1\n\ngiven,when,cost\n"
            + b"".join(b"b%d,a,1\n" % i for i in range(60_000))),
    ]  # fmt: skip


def workbook(sheet: bytes, shared: bytes = b"<sst/>") -> bytes:
    """A workbook with this sheet, and these shared texts."""
    main = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    links = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    packaged = b"http://schemas.openxmlformats.org/package/2006/"
    parts = {
        "[Content_Types].xml": b'<Types xmlns="' + packaged + b'content-types"/>',
        "_rels/.rels": b'<Relationships xmlns="' + packaged + b'relationships">'
        b'<Relationship Id="r1" Type="' + links + b'/officeDocument" '
        b'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": b'<workbook xmlns="' + main + b'" xmlns:r="' + links
        + b'"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": b'<Relationships xmlns="' + packaged
        + b'relationships"><Relationship Id="r1" Type="' + links
        + b'/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": b'<worksheet xmlns="' + main + b'"><sheetData>'
        + sheet + b"</sheetData></worksheet>",
        "xl/sharedStrings.xml": shared,
    }  # fmt: skip
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return packed.getvalue()


def _workbooks() -> list[Hostile]:
    cell = b'<c t="inlineStr"><is><t>x</t></is></c>'
    made: dict[str, Callable[[], bytes]] = {
        "deep": lambda: workbook(b"<row>" + b"<c>" * 2_000_000),
        "deep_closed": lambda: workbook(b"<a>" * 400_000 + b"</a>" * 400_000),
        "rows": lambda: workbook(b"<row/>" * 5_000_000),
        "cells": lambda: workbook(b"<row>" + b"<c/>" * 9_000_000 + b"</row>"),
        "filled": lambda: workbook((b"<row>" + cell * 150 + b"</row>") * 8_000),
        "attributes": lambda: workbook(
            b"<row " + b" ".join(b'a%d="1"' % i for i in range(3_000_000)) + b"/>"
        ),
        "far_cell": lambda: workbook(
            b'<row r="1048576"><c r="GR1048576"><v>1</v></c></row>'
        ),
        "shared": lambda: workbook(
            b'<row><c t="s"><v>0</v></c></row>' * 100_000,
            b"<sst><si><t>" + b"x" * 30_000 + b"</t></si></sst>",
        ),
        "long_text": lambda: workbook(cell.replace(b"x", b"x" * 60_000_000)),
        "entities": lambda: workbook(
            b"", b'<!DOCTYPE x [<!ENTITY a "aaaa">]><sst><si><t>&a;</t></si></sst>'
        ),
        "zeros": lambda: workbook(b"\0" * 63_000_000),
        "cut": lambda: workbook(b"<row>" + cell * 100 + b"</row>")[:-40],
    }
    return [(f"{name}.xlsx", make) for name, make in made.items()]


def _names() -> list[Hostile]:
    invisible = "\u200b\u202e\ufeff\u2066\u00ad\u2028\ue000\u3164\u115f\x85"
    return [
        (f"invisible{i}.yaml", _text(f'actions: {{"a{c}b": {OUTCOMES}}}\n'))
        for i, c in enumerate(invisible)
    ]


def _foreign() -> Iterator[Hostile]:
    """Files of other tools."""
    entities = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 10))
    bomb = f'<!DOCTYPE a [<!ENTITY e0 "ha">{entities}]><adtree>&e9;</adtree>'
    yield "bomb.xml", bomb.encode
    yield "deep.xml", (b"<adtree>" + b"<node>" * 5_000_000).__bytes__
    yield "wide.xml", (b"<adtree><node>" + b"<node/>" * 4_000_000).__bytes__
    label = b"<adtree><node><label>" + b"x" * 30_000_000 + b"</label></node></adtree>"
    yield "long.xml", label.__bytes__
    yield "deep.pddl", (b"(" * 20_000_000).__bytes__
    yield "wide.pddl", (b"(" + b"a " * 15_000_000).__bytes__
    yield "objects.pddl", _planning("(?a ?b ?c ?d ?e ?f)", "(done)").encode
    quantified = "(forall (?a ?b) " * 40 + "(done)" + ")" * 40
    yield "quantified.pddl", _planning("()", quantified).encode
    tosses = " ".join(f"(probabilistic 1/2 (f{i}))" for i in range(1000))
    yield "tosses.pddl", _planning("()", f"(and (done) {tosses})").encode
    yield "network.yaml", _network(100).encode
    steps = [
        f'{{"type": "attack-action", "id": "a{i}", "name": "x"}}' for i in range(BIG)
    ]
    flow = '{"type": "attack-flow", "name": "x"}'
    bundle = f'{{"type": "bundle", "objects": [{", ".join([flow, *steps])}]}}'
    yield "flow.json", bundle.encode
    end = '{"type": "terminal", "childEdges": []}'
    edges = ", ".join(f'{{"name": "{i}", "childNode": {end}}}' for i in range(20_000))
    tree = f'{{"type": "decision", "childEdges": [{edges}]}}'
    yield "choices.json", f'{{"SilverDecisions": "1", "trees": [{tree}]}}'.encode


def _planning(parameters: str, effect: str) -> str:
    objects = " ".join(f"o{i}" for i in range(100))
    action = f"(:action go :parameters {parameters} :effect {effect})"
    return (
        f"(define (domain d) {action}) (define (problem p) (:domain d) "
        f"(:objects {objects}) (:init) (:goal (done)))"
    )


def _network(size: int) -> str:
    """A scenario in which every machine is next to every other one."""
    addresses = [f"({i}, 0)" for i in range(1, size + 1)]
    row = f"[{', '.join(['1'] * (size + 1))}]"
    rules = "".join(
        f"  ({i}, {j}): [s]\n"
        for i in range(size + 1)
        for j in range(size + 1)
        if i != j
    )
    hosts = "".join(
        f"  {a}: {{os: x, services: [s], processes: [p]}}\n" for a in addresses
    )
    return (
        f"subnets: [{', '.join(['1'] * size)}]\n"
        f"topology: [{', '.join([row] * (size + 1))}]\n"
        f"sensitive_hosts: {{'(1, 0)': 1}}\nos: [x]\nservices: [s]\nprocesses: [p]\n"
        "exploits:\n  e: {service: s, os: x, prob: 0.5, cost: 1, access: user}\n"
        "privilege_escalation:\n"
        "  r: {process: p, os: x, prob: 0.5, cost: 1, access: root}\n"
        f"subnet_scan_cost: 1\nhost_configurations:\n{hosts}firewall:\n{rules}"
    )
