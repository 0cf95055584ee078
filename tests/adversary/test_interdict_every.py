"""Defenses of wide problems: the best set, and what each is worth, as by force."""

import json
from random import Random

import pytest

from branchwise import LimitError, ProblemError, defend, read_text
from branchwise.adversary import interdict_every
from oracles.defense_oracle import best, everything, with_defenses
from problems.wide_documents import wide_oracles

FEATURES = ("hidden", "counters", "comparisons", "endings", "outcome_costs")


def test_the_best_defenses_are_those_of_brute_force():
    num_helped = 0
    for index, drawn in enumerate(drawn_oracles()):
        document = with_defenses(drawn.doc, Random(f"defenses/{index}"), 3)
        found = list(everything(document))
        expected = best(found, document["defense_budget"])
        try:
            problem = read_text(json.dumps(document), format="json")
        except ProblemError:  # A cost may not tell a hidden fact, say.
            continue
        answer = defend(problem, exact=True)
        assert answer.value == expected.value, document
        assert answer.chosen == expected.names, document
        for each in answer.worths:
            alone = next(f.value for f in found if f.names == (each.name,))
            assert each.alone == alone, document
        num_helped += answer.value < answer.value_before
    assert num_helped > 3


def drawn_oracles():
    return wide_oracles(14, "defend", max_states=40, only=FEATURES)


def test_more_sets_than_anybody_would_try_are_refused(monkeypatch):
    monkeypatch.setattr(interdict_every, "MOST_SETS", 1)
    drawn = next(drawn_oracles())
    document = with_defenses(drawn.doc, Random("one"), 2) | {"defense_budget": 9}
    with pytest.raises(LimitError, match="each has to be tried here"):
        defend(read_text(json.dumps(document), format="json"))
