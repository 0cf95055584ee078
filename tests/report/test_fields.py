"""Fields of JSON documents: values become plain data, as their schema says."""

from branchwise.model.conditions.condition import Happened
from branchwise.report.fields import EVENT, NUMBER, nullable


def test_a_record_takes_its_fields_from_the_attributes_of_their_names():
    event = EVENT.plain(Happened("drill", "oil"))

    assert event == {"action": "drill", "outcome": "oil"}


def test_a_kind_that_may_be_missing_is_the_same_or_null():
    number = nullable(NUMBER)

    assert number.schema == {"type": ["number", "null"]}
    assert (number.plain(2.0), number.plain(None)) == (2, None)
