from branchwise.generator.witness import Event, Needs, Witnesses


def events_of(witness):
    return {
        (place // 6, place % 6)
        for place in range(witness.events.bit_length())
        if witness.events >> place & 1
    }


def test_all_of_two_events_take_both_and_what_they_share_only_once():
    """Action 0 leads to 1 and to 2; all three cost one each."""
    witnesses = Witnesses([3])
    for needs in (Needs(), Needs((Event(0, 1),)), Needs((Event(0, 1),))):
        assert witnesses.add(needs, (1,))

    [witness] = witnesses.of(Needs((Event(1, 1), Event(2, 1))))

    assert events_of(witness) == {(0, 1), (1, 1), (2, 1)}
    assert witness.price == (3,)


def test_what_the_budget_does_not_pay_for_has_no_witness():
    witnesses = Witnesses([2])

    assert witnesses.add(Needs(), (1,))
    assert witnesses.add(Needs((Event(0, 1),)), (1,))
    assert not witnesses.add(Needs((Event(1, 1),)), (1,))


def test_two_outcomes_of_one_action_exclude_each_other():
    witnesses = Witnesses([9])
    witnesses.add(Needs(), (1,))
    witnesses.add(Needs((Event(0, 1),)), (1,))
    witnesses.add(Needs((Event(0, 2),)), (1,))

    assert witnesses.of(Needs((Event(1, 1), Event(2, 1)))) == []
    assert len(witnesses.of(Needs((Event(1, 1), Event(2, 1)), is_or=True))) == 2


def test_the_smallest_witnesses_have_nothing_to_spare():
    """Any of 0 and 1 leads to 2; 2 and 0 together need no 1."""
    witnesses = Witnesses([9])
    witnesses.add(Needs(), (5,))
    witnesses.add(Needs(), (1,))
    witnesses.add(Needs((Event(0, 1), Event(1, 1)), is_or=True), (1,))

    [witness] = witnesses.smallest(Needs((Event(0, 1), Event(2, 1))))

    assert events_of(witness) == {(0, 1), (2, 1)}
    assert witness.price == (6,)


def test_any_of_two_is_implied_by_each():
    both = (Event(0, 1), Event(1, 1))

    assert Needs(both).imply(Needs(both, is_or=True))
    assert not Needs(both, is_or=True).imply(Needs(both))
