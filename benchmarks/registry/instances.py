"""
The registry of problems that engines are measured on, all made by `generate`.

`TABLE_1` follows the paper's Table 1, whose own problems are not published: the same
numbers of actions and the same budgets, with similar numbers of rewarding sets and of
states, and optima of a similar size. As the paper's seem to be, some rows are one
problem with two budgets: 1 and 6, 2 and 8, 3 and 10, 4 and 5. `LARGE` is out of reach
of full graphs, and of the canonical graph as a whole: deep, with a budget that leaves
little to spare. `HARD` is shallower and wider, where perfect information is worth far
more than any plan. `MANY_STATES` has tens of millions of canonical states. `STORM` is a ladder up to what Storm can do in minutes: the first
problem that `generate` makes of each size. `MIXED` has what the others lack, in many
mixtures: repeated attempts, conditioned probabilities, preclusions, several resources
and rewards, three outcomes and unequal costs; `MIXED_HARD` are those with more than
100,000 canonical states.

Run as a program, this writes the files in `instances/` afresh.
"""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from registry.paper_tables import PAPER_ROWS, Counts, PaperRow

import branchwise

FOLDER = Path(__file__).parents[1] / "instances"


@dataclass(frozen=True)
class Instance:
    """
    A problem to measure, and what is known of it.

    Parameters
    ----------
    name
        What its file is called.
    options
        The options of `branchwise generate` that make it; the rows of Table 1 have a
        reward of 1, the others one of 100.
    counts
        Ours, with the pruning of the engine `reference` and its default objective.
    optimum
        The expected reward of the best plan, exactly; None where nobody knows.
    naive_states
        How many states the naive full graph has, where the paper says it of its own.
    paper
        What the paper says of its problem in the same row.
    canonical_states
        How many states exploring finds, where that is known.
    """

    name: str
    options: str
    counts: Counts
    optimum: str | None = None
    naive_states: int | None = None
    paper: PaperRow | None = None
    canonical_states: int | None = None

    def __str__(self):
        return self.name

    @property
    def file(self):
        return FOLDER / f"{self.name}.yaml"

    @property
    def expected_reward(self):
        return None if self.optimum is None else Fraction(self.optimum)

    @property
    def knobs(self):
        """The arguments of `branchwise.generate` that make it."""
        words = self.options.split()
        names = [word.removeprefix("--").replace("-", "_") for word in words[::2]]
        value = 100 if self.paper is None else 1
        return {**dict(zip(names, words[1::2], strict=True)), "value": value}

    def problem(self):
        return branchwise.read(self.file)

    def text(self):
        """Make the problem again, as the text of its file."""
        return branchwise.write_text(branchwise.generate(**self.knobs))


TABLE_1 = (
    Instance(
        "table1-00",
        "--actions 25 --budget 15 --seed 5276 --layers 5"
        " --outcomes 2-3 --success 0.1-0.25",
        Counts(23, 2_206_341, 300_733, 3_014),
        optimum="0.0002379219033930961190310144",
        paper=PAPER_ROWS[0],
    ),
    Instance(
        "table1-01",
        "--actions 20 --budget 15 --seed 7745 --layers 5"
        " --prerequisites 1-2 --or-share 0.7 --outcomes 2-3 --success 0.25-0.85",
        Counts(23, 1_760_479, 1_018_911, 1_680),
        optimum="0.00123214258651637523262104",
        paper=PAPER_ROWS[1],
    ),
    Instance(
        "table1-02",
        "--actions 20 --budget 15 --seed 5019 --layers 6"
        " --prerequisites 1-2 --or-share 0.4 --outcomes 2-3 --success 0.75-0.95",
        Counts(12, 117_913, 29_519, 1_048),
        optimum="0.03626658442279405672827072",
        paper=PAPER_ROWS[2],
    ),
    Instance(
        "table1-03",
        "--actions 20 --budget 15 --seed 7827 --layers 5"
        " --prerequisites 1-2 --or-share 0.6 --success 0.35-0.85",
        Counts(12, 112_653, 59_929, 265),
        optimum="0.0356292306709004851442240256",
        paper=PAPER_ROWS[3],
    ),
    Instance(
        "table1-04",
        "--actions 15 --budget 15 --seed 7444 --layers 5"
        " --or-share 0.3 --success 0.6-0.9",
        Counts(12, 15_379, 15_379, 193),
        optimum="0.471265251652020029037408",
        paper=PAPER_ROWS[4],
    ),
    Instance(
        "table1-05",
        "--actions 15 --budget 10 --seed 7444 --layers 5"
        " --or-share 0.3 --success 0.6-0.9",
        Counts(12, 8_268, 2_632, 113),
        optimum="0.4609992017408292",
        naive_states=10_053,
        paper=PAPER_ROWS[5],
    ),
    Instance(
        "table1-06",
        "--actions 20 --budget 10 --seed 7745 --layers 5"
        " --prerequisites 1-2 --or-share 0.7 --outcomes 2-3 --success 0.25-0.85",
        Counts(21, 8_546, 2_109, 55),
        optimum="0.000902729061661176",
        paper=PAPER_ROWS[6],
    ),
    Instance(
        "table1-07",
        "--actions 17 --budget 10 --seed 7538 --layers 5"
        " --prerequisites 1-2 --or-share 0.3 --success 0.35-0.95",
        Counts(12, 8_264, 817, 101),
        optimum="0.185136465443707008",
        naive_states=18_347,
        paper=PAPER_ROWS[7],
    ),
    Instance(
        "table1-08",
        "--actions 20 --budget 10 --seed 5019 --layers 6"
        " --prerequisites 1-2 --or-share 0.4 --outcomes 2-3 --success 0.75-0.95",
        Counts(12, 2_844, 680, 103),
        optimum="0.0335447289255990912",
        naive_states=75_102,
        paper=PAPER_ROWS[8],
    ),
    Instance(
        "table1-09",
        "--actions 25 --budget 10 --seed 2270 --layers 7"
        " --or-share 0.4 --success 0.05-0.45",
        Counts(19, 1_018, 188, 77),
        optimum="0.000209557676127176",
        paper=PAPER_ROWS[9],
    ),
    Instance(
        "table1-10",
        "--actions 20 --budget 10 --seed 7827 --layers 5"
        " --prerequisites 1-2 --or-share 0.6 --success 0.35-0.85",
        Counts(8, 1_613, 390, 57),
        optimum="0.023574515769971712",
        naive_states=46_353,
        paper=PAPER_ROWS[10],
    ),
)

LARGE = (
    Instance(
        "large-60",
        "--actions 60 --budget 15 --seed 724964 --layers 11"
        " --prerequisites 2-3 --or-share 0.5 --success 0.7-0.95",
        Counts(672),
    ),
    Instance(
        "large-100",
        "--actions 100 --budget 20 --seed 89414 --layers 16"
        " --prerequisites 2-3 --or-share 0.3 --success 0.7-0.95",
        Counts(687),
    ),
    Instance(
        "large-200",
        "--actions 200 --budget 30 --seed 71270 --layers 26"
        " --prerequisites 1-2 --or-share 0.5 --success 0.85-0.98",
        Counts(368),
    ),
)

HARD = (
    Instance(
        "hard-60",
        "--actions 60 --budget 15 --seed 993 --layers 7"
        " --prerequisites 2-3 --or-share 0.7 --success 0.4-0.9",
        Counts(377),
    ),
    Instance(
        "hard-100",
        "--actions 100 --budget 20 --seed 438 --layers 10 --success 0.5-0.9",
        Counts(771),
    ),
    Instance(
        "hard-200",
        "--actions 200 --budget 30 --seed 193 --layers 20 --success 0.8-0.98",
        Counts(758),
    ),
)

MANY_STATES = (
    Instance(
        "many-60",
        "--actions 60 --budget 18 --seed 1 --layers 7"
        " --prerequisites 2-3 --or-share 0.7 --success 0.4-0.9",
        Counts(260),
    ),
)

STORM = (
    Instance(
        "storm-25-12",
        "--actions 25 --budget 12 --seed 0",
        Counts(15),
        optimum="10.065507143312474401792",
    ),
    Instance(
        "storm-25-15",
        "--actions 25 --budget 15 --seed 0",
        Counts(23),
        optimum="10.130868226629050523136872448",
    ),
    Instance(
        "storm-25-18",
        "--actions 25 --budget 18 --seed 0",
        Counts(23),
        optimum="10.149714042717004991137507647225856",
    ),
    Instance(
        "storm-30-12",
        "--actions 30 --budget 12 --seed 0",
        Counts(19),
        optimum="19.0403248114319660643456",
    ),
    Instance(
        "storm-30-14",
        "--actions 30 --budget 14 --seed 0",
        Counts(16),
        optimum="17.41969943186053242506472192",
    ),
    Instance(
        "storm-30-15",
        "--actions 30 --budget 15 --seed 0",
        Counts(16),
        optimum="17.46378187591275378199013376",
    ),
    Instance(
        "storm-30-16",
        "--actions 30 --budget 16 --seed 0",
        Counts(16),
        optimum="17.474610015570380226919897972224",
    ),
    Instance(
        "storm-35-12",
        "--actions 35 --budget 12 --seed 0",
        Counts(16),
        optimum="15.135416624830036769728",
    ),
    Instance(
        "storm-35-13",
        "--actions 35 --budget 13 --seed 0",
        Counts(25),
        optimum="15.2705799386567788891872",
    ),
    Instance(
        "storm-40-12",
        "--actions 40 --budget 12 --seed 0",
        Counts(92),
        optimum="20.55609874884920730356",
    ),
    Instance(
        "storm-40-15",
        "--actions 40 --budget 15 --seed 0",
        Counts(21),
        optimum="0.6311946642858006190279176192",
    ),
    Instance(
        "storm-35-15",
        "--actions 35 --budget 15 --seed 0",
        Counts(36),
        optimum="15.3891501840185791806055744",
    ),
)

MIXED_EASY = (
    Instance(
        "mixed-01",
        "--actions 20 --budget 9 --seed 2 --resources 2 --cost 1-2"
        " --repeats 0.4 --rewards 3",
        Counts(8),
        optimum="13.435204394765956224",
        canonical_states=629,
    ),
    Instance(
        "mixed-02",
        "--actions 28 --budget 11 --seed 10 --repeats 0.5 --outcomes 2-3"
        " --rewards 3 --cost 1-2",
        Counts(19),
        optimum="17.242978892220879",
        canonical_states=791,
    ),
    Instance(
        "mixed-03",
        "--actions 25 --budget 14 --seed 1 --repeats 0.5 --cost 1-3"
        " --cost-weight 0.2 --outcomes 2-3",
        Counts(18),
        optimum="9.2390105328152",
        canonical_states=1_618,
    ),
    Instance(
        "mixed-04",
        "--actions 30 --budget 12 --seed 7 --repeats 0.2 --conditioning 0.3"
        " --preclusions 0.2 --rewards 2 --combine sum --cost 1-2"
        " --cost-weight 0.5",
        Counts(25),
        optimum="13.08284876736204",
        canonical_states=1_864,
    ),
    Instance(
        "mixed-05",
        "--actions 25 --budget 10 --seed 1 --repeats 0.4 --conditioning 0.4"
        " --preclusions 0.2 --rewards 3 --combine sum --cost 1-3"
        " --cost-weight 0.5 --outcomes 2-3",
        Counts(14),
        optimum="29.15525114167944",
        canonical_states=6_446,
    ),
    Instance(
        "mixed-06",
        "--actions 25 --budget 9 --seed 13 --outcomes 2-3 --repeats 0.3"
        " --conditioning 0.4 --rewards 4 --combine sum",
        Counts(42),
        optimum="35.09629155626424",
        canonical_states=7_519,
    ),
    Instance(
        "mixed-07",
        "--actions 22 --budget 11 --seed 15 --repeats 0.5 --conditioning 0.5"
        " --cost 1-2 --cost-weight 0.5",
        Counts(15),
        optimum="46.68216939851244",
        canonical_states=7_893,
    ),
    Instance(
        "mixed-08",
        "--actions 30 --budget 9 --seed 3 --repeats 0.3 --conditioning 0.6"
        " --preclusions 0.3 --rewards 3",
        Counts(23),
        optimum="32.9817202977528",
        canonical_states=13_909,
    ),
    Instance(
        "mixed-09",
        "--actions 20 --budget 10 --seed 1 --repeats 0.5 --conditioning 0.5",
        Counts(9),
        optimum="38.4111789668407032",
        canonical_states=23_825,
    ),
    Instance(
        "mixed-10",
        "--actions 20 --budget 9 --seed 14 --resources 2 --preclusions 0.3"
        " --repeats 0.3 --rewards 2",
        Counts(17),
        optimum="63.7621142293955322535780709248",
        canonical_states=31_806,
    ),
)

MIXED_HARD = (
    Instance(
        "mixed-11",
        "--actions 30 --budget 14 --seed 11 --repeats 0.3 --conditioning 0.4"
        " --outcomes 2-3 --rewards 3 --combine sum --cost 1-2"
        " --cost-weight 0.5",
        Counts(27),
        optimum="27.4698402996080085776",
        canonical_states=111_013,
    ),
    Instance(
        "mixed-12",
        "--actions 20 --budget 12 --seed 8 --resources 3 --repeats 0.3"
        " --conditioning 0.3 --cost 1-2",
        Counts(12),
        optimum="29.329101595383048763375771648",
        canonical_states=128_287,
    ),
    Instance(
        "mixed-13",
        "--actions 30 --budget 14 --seed 2 --repeats 0.3 --conditioning 0.5"
        " --preclusions 0.2 --rewards 2 --cost 1-3",
        Counts(35),
        optimum="75.139789353076233528",
        canonical_states=136_517,
    ),
    Instance(
        "mixed-14",
        "--actions 20 --budget 13 --seed 5 --repeats 0.5 --conditioning 0.5"
        " --outcomes 2-3",
        Counts(10),
        optimum="6.51766565595178140349496",
        canonical_states=138_243,
    ),
    Instance(
        "mixed-15",
        "--actions 25 --budget 13 --seed 1 --repeats 0.4 --preclusions 0.3"
        " --rewards 3 --combine sum",
        Counts(23),
        optimum="43.561321751836458902566848",
        canonical_states=149_610,
    ),
    Instance(
        "mixed-16",
        "--actions 35 --budget 12 --seed 1 --conditioning 0.4"
        " --preclusions 0.3 --rewards 4",
        Counts(25),
        optimum="19.33200601588869083246",
        canonical_states=207_357,
    ),
    Instance(
        "mixed-17",
        "--actions 25 --budget 12 --seed 2 --repeats 0.3 --conditioning 0.4"
        " --outcomes 2-3",
        Counts(37),
        optimum="23.3106076310979255253858",
        canonical_states=213_714,
    ),
    Instance(
        "mixed-18",
        "--actions 20 --budget 14 --seed 4 --resources 2 --repeats 0.4"
        " --conditioning 0.4 --rewards 2 --combine sum --cost 1-3"
        " --cost-weight 0.3",
        Counts(24),
        optimum="89.7509449578452218227881848",
        canonical_states=214_099,
    ),
    Instance(
        "mixed-19",
        "--actions 30 --budget 11 --seed 2 --repeats 0.6 --conditioning 0.6",
        Counts(27),
        optimum="48.093719342024197724",
        canonical_states=329_991,
    ),
    Instance(
        "mixed-20",
        "--actions 20 --budget 10 --seed 1 --resources 2 --repeats 0.4"
        " --conditioning 0.4",
        Counts(9),
        optimum="38.0116361488901626754224487424",
        canonical_states=466_894,
    ),
)

MIXED = MIXED_EASY + MIXED_HARD

INSTANCES = TABLE_1 + LARGE + HARD + MANY_STATES + STORM + MIXED

if __name__ == "__main__":
    for each in INSTANCES:
        each.file.write_text(each.text(), encoding="utf-8")
