from branchwise.generator.dice import Dice


def test_the_same_seed_gives_the_same_choices():
    one, other = Dice(1, "graph"), Dice(1, "graph")

    assert [one.within(0, 99) for _ in range(50)] == [
        other.within(0, 99) for _ in range(50)
    ]


def test_another_part_of_the_seed_gives_other_choices():
    assert Dice(1, "graph").shuffled(range(50)) != Dice(1, "probabilities").shuffled(
        range(50)
    )


def test_every_number_within_comes_up():
    dice = Dice(0)

    assert {dice.within(2, 4) for _ in range(200)} == {2, 3, 4}


def test_shuffling_keeps_everything():
    assert sorted(Dice(0).shuffled("branchwise")) == sorted("branchwise")
