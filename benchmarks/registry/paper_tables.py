"""The paper's two tables of computational results, row by row."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """How many there are: rewarding sets, states of the graphs, nodes of the tree."""

    rewarding_sets: int | None
    full_graph_states: int | None = None
    reduced_graph_states: int | None = None
    tree_nodes: int | None = None


@dataclass(frozen=True)
class Seconds:
    """How long the paper's stages took."""

    rewarding_sets: float | None
    full_graph: float
    reduced_graph: float
    tree: float
    total: float


@dataclass(frozen=True)
class PaperRow:
    """A row of Table 1; where the second table has it too, the naive way beside it."""

    expected_reward: str
    counts: Counts
    seconds: Seconds
    naive_counts: Counts | None = None
    naive_seconds: Seconds | None = None


PAPER_ROWS = (
    PaperRow(
        expected_reward="0.000243",
        counts=Counts(20, 2_518_548, 2_239_364, 235),
        seconds=Seconds(2.09, 3236.23, 359.97, 432.94, 4031.24),
    ),
    PaperRow(
        expected_reward="0.000971",
        counts=Counts(28, 1_954_163, 1_820_303, 309),
        seconds=Seconds(3.00, 2270.99, 272.66, 308.83, 2855.48),
    ),
    PaperRow(
        expected_reward="0.038782",
        counts=Counts(13, 164_758, 105_235, 1_347),
        seconds=Seconds(1.70, 210.13, 17.65, 17.45, 246.94),
    ),
    PaperRow(
        expected_reward="0.034325",
        counts=Counts(12, 87_950, 76_747, 954),
        seconds=Seconds(1.62, 109.27, 10.00, 12.82, 133.72),
    ),
    PaperRow(
        expected_reward="0.467120",
        counts=Counts(12, 13_892, 13_892, 324),
        seconds=Seconds(1.57, 14.28, 1.87, 2.52, 20.24),
    ),
    PaperRow(
        expected_reward="0.466594",
        counts=Counts(12, 8_186, 6_758, 314),
        seconds=Seconds(1.50, 7.49, 0.85, 1.11, 10.95),
        naive_counts=Counts(None, 9_466, 6_758, 314),
        naive_seconds=Seconds(None, 7.24, 0.76, 0.95, 8.95),
    ),
    PaperRow(
        expected_reward="0.000968",
        counts=Counts(27, 8_416, 1_312, 86),
        seconds=Seconds(2.87, 5.06, 0.34, 0.17, 8.43),
    ),
    PaperRow(
        expected_reward="0.181530",
        counts=Counts(12, 8_599, 3_188, 456),
        seconds=Seconds(1.42, 5.43, 0.42, 0.44, 7.72),
        naive_counts=Counts(None, 18_775, 4_064, 456),
        naive_seconds=Seconds(None, 21.53, 1.49, 0.55, 23.57),
    ),
    PaperRow(
        expected_reward="0.026389",
        counts=Counts(12, 2_237, 217, 76),
        seconds=Seconds(1.73, 1.41, 0.08, 0.05, 3.27),
        naive_counts=Counts(None, 83_854, 525, 76),
        naive_seconds=Seconds(None, 155.15, 7.98, 0.08, 163.21),
    ),
    PaperRow(
        expected_reward="0.000227",
        counts=Counts(20, 1_011, 102, 40),
        seconds=Seconds(2.26, 0.49, 0.03, 0.03, 2.81),
    ),
    PaperRow(
        expected_reward="0.021860",
        counts=Counts(10, 1_673, 344, 90),
        seconds=Seconds(1.37, 0.85, 0.06, 0.08, 2.36),
        naive_counts=Counts(None, 47_320, 760, 90),
        naive_seconds=Seconds(None, 78.98, 4.53, 0.11, 83.62),
    ),
)
