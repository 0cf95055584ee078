"""Storm as a witness: the value of an exported model, without a rounding anywhere."""

import re
import tempfile
from fractions import Fraction
from pathlib import Path

import stormpy

HEADER = re.compile(
    r"// property: (?P<property>.+)\n"
    r"// expected (?:cost: result|reward: (?:(?P<most>\S+) - result|"
    r"(?:(?P<factor>\S+) \* )?result(?: - (?P<excess>\S+))?))\n"
)


def storm_value(text):
    """Do what the first lines of a model say, with fractions."""
    asked = HEADER.search(text)
    result, _ = storm_result(text, asked["property"])
    if asked["most"]:
        return fraction(asked["most"]) - result
    return fraction(asked["factor"] or "1") * result - fraction(asked["excess"] or "0")


def storm_result(text, property_text):
    """Check one property; give the exact result and the number of states."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problem.prism"
        path.write_text(text, encoding="utf-8")
        program = stormpy.parse_prism_program(path)
    [asked] = stormpy.parse_properties(property_text, program)
    model = stormpy.build_model[stormpy.Rational](program, [asked])
    [start] = model.initial_states
    found = stormpy.model_checking(model, asked, only_initial_states=True)
    return Fraction(str(found.get_value(start))), model.nr_states


def fraction(written):
    """Read `3/10` and `10000000000.0`."""
    top, _, bottom = written.partition("/")
    return Fraction(top) / Fraction(bottom or 1)
