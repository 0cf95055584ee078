"""
Every page but the report of a plan, of four problems, measured on each kind of screen.

Defenses and individuals are those of two examples, which have some.

``pytest tests/report/page/test_every_page.py --basetemp=screens`` leaves pictures in
``screens``: look at them after a change of what pages look like.
"""

import pytest

from accessibility import stumbling_blocks
from boxes import check_boxes
from branchwise import (
    Adversary,
    DecisionRules,
    analyze,
    batch,
    certify,
    defend,
    explain,
    profiles,
    read,
    report,
    simulate,
)
from branchwise.analysis import AnalysisOptions, compare, evaluation
from branchwise.program import score_program
from branchwise.rewarding import RewardingSets
from branchwise.solver import solve
from pages import ROOT
from problems.shown_problems import shown_problems

# What takes longer for large problems is asked of small ones.
QUICK = ("criticality", "frontier", "tornado", "uncertainty", "risk")
SMALL = {"illustrative", "strep"}
NAMES = ("illustrative", "operation", "strep", "thousand", "examples")


def other_than(action, problem):
    return next(each.name for each in problem.actions if each.name != action)


def pages_of(name, folder_of_files):
    """Make every page that there is of a problem, by what it is of."""
    if name == "examples":
        folder = ROOT / "examples"
        yield "defense", defend(read(folder / "web_shop.yaml"))
        table = folder / "profiles" / "knee_pain.csv"
        patients = profiles(
            read(folder / "knee_pain.yaml"), table, keep=["age", "sex", "bmi"]
        )
        yield "profiles", patients
        vaccine = read(folder / "vaccine_trial.yaml")
        yield "robust", solve(vaccine, adversary=Adversary(gamma=2))
        yield "certificate", certify(read(folder / "illustrative.yaml"))
        yield "sets", RewardingSets(read(folder / "illustrative.yaml"))
        wrong = folder_of_files / "wrong.yaml"
        wrong.write_text("actions: 3\n", encoding="utf-8")
        names = ("illustrative", "knee_pain", "oil_wildcatter")
        yield "batch", batch([wrong, *(folder / f"{name}.yaml" for name in names)])
        return
    problem = shown_problems()[name]
    solution = solve(problem)
    options = AnalysisOptions(num_draws=20)
    only = None if name in SMALL else QUICK
    asked = other_than(solution.first_action, problem)
    rules = DecisionRules.of([(f'not "{asked}"', asked)], skips_unavailable=True)
    yield "analysis", analyze(problem, only=only, options=options)
    yield "explanation", explain(problem, asked)
    yield "simulation", simulate(problem, num_runs=1000)
    yield "evaluation", evaluation(rules, problem)
    yield "comparison", compare(problem, problem.with_budget(2))
    yield "program", score_program(problem).solve()
    if name == "thousand":
        yield "sets", RewardingSets(problem)


@pytest.fixture(scope="module", params=NAMES)
def pages(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    known = {}
    for kind, result in pages_of(request.param, folder):
        known[kind] = folder / f"{request.param}-{kind}.html"
        known[kind].write_text(report.html(result), encoding="utf-8")
    return known


def test_every_page_is_whole_on_a_desk_and_on_paper(open_file, pages, tmp_path):
    for kind, path in pages.items():
        page = open_file(path, width=1366, height=768)
        page.screenshot(tmp_path / f"{path.stem}-desktop.png")
        head = "document.querySelector('header').getBoundingClientRect().bottom"
        assert page.run(head) <= 768 / 5, kind
        check_boxes(page, least=10)
        if path.stem.startswith(("strep", "examples")):
            # Each kind of page is among these; what differs elsewhere are numbers.
            assert stumbling_blocks(page) == [], kind
        page.page.emulate_media(color_scheme="dark")
        page.screenshot(tmp_path / f"{path.stem}-dark.png")
        if path.stem == "strep-analysis":
            assert stumbling_blocks(page) == [], kind
        page.page.emulate_media(media="print", color_scheme="light")
        check_boxes(page, least=10)
        page.print(tmp_path / f"{path.stem}.pdf")


def test_every_page_is_whole_on_a_phone_and_on_a_tablet(open_file, pages, tmp_path):
    for kind, path in pages.items():
        for screen, width, height in (("phone", 390, 844), ("tablet", 820, 1180)):
            page = open_file(path, width=width, height=height)
            page.screenshot(tmp_path / f"{path.stem}-{screen}.png")
            assert page.run("document.documentElement.scrollWidth") <= width, kind
            check_boxes(page, least=10)


def test_every_page_is_a_small_file(pages):
    """
    With every section, that of the twelve steps takes minutes and has 215 kB; it has
    no other kinds of charts than that of the smaller problem, which had 229 kB when
    every point of a curve and every cell was written in full.
    """
    for kind, path in pages.items():
        assert path.stat().st_size < 200_000, kind
