"""Time against the states of the full graph, as in the paper's figure."""

from page.fit import fit
from page.plots import Series, chart
from page.results_page import read_results, seconds, table
from parts.tables import ENGINES
from parts.tables import measure as measure_tables
from registry.instances import TABLE_1

TITLE = "Seconds to the optimal tree against states of the paper's full graph"


def measure(effort):
    """Fit a power law to the times of the tables."""
    rows = (read_results("tables") or measure_tables(effort))["rows"]
    series = {"the paper's own": _published()}
    for engine in ENGINES:
        series[engine] = [
            (instance.counts.full_graph_states, row[engine]["seconds"])
            for instance, row in zip(TABLE_1, rows, strict=True)
            if engine in row
        ]
    series["canonical, by its own states"] = [
        (row["canonical"]["states"], row["canonical"]["seconds"]) for row in rows
    ]
    return {"points": series}


def _published():
    rows = [instance.paper for instance in TABLE_1]
    return [(row.counts.full_graph_states, row.seconds.total) for row in rows]


def blocks(found):
    """Show the fits, by marker of the page."""
    lines = []
    for name, points in found["points"].items():
        law = fit(points)
        most = max(points)[0]
        lines.append(
            [
                name,
                len(points),
                f"{law.slope:.2f}",
                f"{law.r_squared:.3f}",
                seconds(law(most) / most * 1e6),
            ]
        )
    header = ["", "problems", "slope", "R²", "microseconds per state at the large end"]
    return {"scaling": table(header, lines)}


def pictures(found):
    """Draw the figure; names of files without their ending."""
    series = []
    for name in ("the paper's own", *ENGINES):
        points = found["points"][name]
        law = fit(points)
        ends = [min(points)[0], max(points)[0]]
        series.append(Series(name, points, [(x, law(x)) for x in ends]))
    picture = chart(TITLE, series, x="states of the full graph", y="seconds")
    return {"engines-scaling": picture}
