"""The page in a browser: it opens, small or huge, and its tree can be looked into."""

import re

import pytest

from branchwise.formats.read import read
from branchwise.generator.generate import generate
from branchwise.report.page.solution import solution_page
from branchwise.report.text.wording import chance, count, short
from branchwise.solver import solve
from pages import ROOT
from problems.stand_ins import branching, solution_of, steps, tosses


@pytest.fixture(scope="module")
def illustrative():
    return solution_page(solve(read(ROOT / "examples" / "illustrative.yaml")))


def tool(page, label):
    page.click(f".tools button[aria-label='{label}']")


def scale(page):
    moved = page.run("document.querySelector('svg.near > g').getAttribute('transform')")
    return [float(number) for number in re.findall(r"-?\d[\d.e-]*", moved)]


def test_a_small_tree_is_seen_whole(opened, illustrative):
    page = opened(illustrative, width=1440)

    assert page.count(".mark") == 33
    assert page.count(".mark.reward") + page.count(".mark.nothing") == 17
    assert page.run("document.documentElement.dataset.state") == "ready"


@pytest.mark.parametrize(
    "solution",
    [
        pytest.param(lambda: solve(generate(25, budget=12, seed=5)), id="1,137 nodes"),
        pytest.param(lambda: solve(steps(16)), id="131,071 nodes"),
        pytest.param(lambda: solution_of(branching(13)), id="16,383 states"),
        pytest.param(lambda: solution_of(tosses(45)), id="70 trillion nodes"),
    ],
)
def test_a_large_tree_arrives_folded_to_the_likely_part(opened, solution):
    """The seconds are in benchmarks/; what they depend on is counted here."""
    solved = solution()
    page = opened(solution_page(solved))

    assert page.run("document.documentElement.dataset.state") == "ready"
    assert page.count(".explorer *") < 2_000
    assert 10 < page.count(".mark") < 120
    assert short(solved.expected_reward) in page.text(".walk")


def test_all_of_a_huge_tree_can_be_opened_and_few_elements_show_it(opened):
    page = opened(solution_page(solve(steps(16))))

    tool(page, "Unfold every node, the likeliest first")
    assert page.count(".mark") < 700
    tool(page, "Fit what is open into the window")
    for _ in range(6):
        tool(page, "Zoom out")
    assert page.run("document.querySelector('canvas.far').hidden") is False
    assert page.count(".mark") <= 1
    for _ in range(28):  # 1.4 ** 28 is 12,000
        tool(page, "Zoom in")
    assert page.run("document.querySelector('canvas.far').hidden") is True
    assert 1 <= page.count(".mark") < 700


def test_all_that_is_open_fits_into_the_window(opened):
    """Of 1,137 nodes none is outside, however small they are then."""
    page = opened(solution_page(solve(generate(25, budget=12, seed=5))))

    tool(page, "Unfold every node, the likeliest first")
    tool(page, "Fit what is open into the window")
    rows = page.run(
        """(() => {
            const canvas = document.querySelector("canvas.far");
            const { width, height } = canvas;
            const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
            const drawn = [];
            for (let at = 3; at < data.length; at += 4) {
                if (data[at]) drawn.push(Math.floor(at / 4 / width));
            }
            return [drawn.at(0), drawn.at(-1), height];
        })()"""
    )
    first, last, height = rows
    assert 10 < first < 30
    assert height - 30 < last < height - 10


def test_all_is_shown_where_it_can_be_read_with_a_map_of_the_rest(opened):
    """The likeliest end is in view; what is pressed on the map comes into view."""
    page = opened(solution_page(solve(generate(25, budget=12, seed=5))))
    hidden = "document.querySelector('.minimap').hidden"
    assert page.run(hidden) is True

    tool(page, "Unfold every node, the likeliest first")
    assert page.run(hidden) is False
    assert scale(page)[2] >= 0.7
    end = page.page.locator(".edge.likeliest .outcome").last.bounding_box()
    frame = page.page.locator("#tree-view").bounding_box()
    assert frame["y"] < end["y"] < frame["y"] + frame["height"]
    assert frame["x"] < end["x"] < frame["x"] + 0.8 * frame["width"]
    at = scale(page)
    page.page.locator(".minimap").click(position={"x": 5, "y": 10})
    assert scale(page)[1] > at[1]
    assert scale(page)[2] == at[2]
    tool(page, "Fit what is open into the window")
    assert page.run(hidden) is True


def test_levels_fold_and_unfold_one_by_one(opened, illustrative):
    """The root, its two outcomes, and what follows these: 1, 3 and 7 nodes."""
    page = opened(illustrative, width=1440)
    seen = [page.count(".mark")]

    while seen[-1] > 1:
        tool(page, "Fold one level, the last")
        seen.append(page.count(".mark"))
    assert seen == sorted(seen, reverse=True)
    assert seen[-3:] == [7, 3, 1]
    while seen[-1] < 33:
        tool(page, "Unfold one more level")
        seen.append(page.count(".mark"))
    assert seen == seen[::-1]


def test_every_node_has_its_worth_and_every_branch_its_cost(opened, illustrative):
    page = opened(illustrative, width=1440)

    assert page.count(".mark .worth") == 16  # 33 nodes, of which 17 are leaves
    assert page.texts(".mark.first .worth") == ["worth 8.437"]
    assert page.texts(".edge .cost") == ["costs 1"] * 32
    # a1 is likeliest to come out ok, and then a4 to fail.
    assert page.texts(".edge.likeliest .outcome")[:2] == ["ok", "fail"]


def test_a_node_folds_and_opens(opened, illustrative):
    page = opened(illustrative, width=1440)

    page.click(".mark.first .toggle")
    assert page.count(".mark") == 1
    assert page.texts(".mark.first .toggle text") == ["32"]
    page.click(".mark.first .toggle")
    assert page.count(".mark") == 33


def test_buttons_wheel_and_drag_zoom_and_pan(opened, illustrative):
    page = opened(illustrative)
    start = scale(page)

    tool(page, "Zoom in")
    assert scale(page)[2] > start[2]
    tool(page, "Fit what is open into the window")
    assert scale(page) == pytest.approx(start)
    page.run("document.querySelector('#tree-view').focus()")
    x, y = page.run(
        "(() => { const b = document.querySelector('#tree-view')"
        ".getBoundingClientRect(); return [b.x + 30, b.y + 30]; })()"
    )
    page.page.mouse.move(x, y)
    page.page.mouse.wheel(0, -200)
    assert scale(page)[2] > start[2]
    before = scale(page)
    page.page.mouse.down()
    page.page.mouse.move(x + 60, y + 40)
    page.page.mouse.up()
    assert scale(page)[:2] == pytest.approx([before[0] + 60, before[1] + 40])


def test_keys_move_in_the_tree_and_a_reader_hears_where(opened, illustrative):
    page = opened(illustrative)
    page.run("document.querySelector('#tree-view').focus()")

    def current():
        return page.run(
            "document.getElementById(document.querySelector('[role=tree]')"
            ".getAttribute('aria-activedescendant')).getAttribute('aria-label')"
        )

    assert current() == "do a1, worth 8.437"
    page.press("ArrowRight")
    assert current() == "a1 = fail, 40 %, costs 1: do a3, worth 3.194"
    page.press("ArrowDown")
    assert current() == "a3 = fail, 70 %, costs 1: stop with 0"
    page.press("ArrowUp")
    page.press(" ")
    assert page.run(
        "document.querySelector('.cursor').getAttribute('aria-expanded')"
    ) == ("false")
    page.press("ArrowLeft")
    assert current() == "do a1, worth 8.437"
    before = scale(page)
    page.press("Shift+ArrowLeft")
    assert scale(page)[0] == before[0] + 80
    page.press("+")
    assert scale(page)[2] > before[2]


def test_a_closer_look_shows_what_is_known_of_a_node(opened, illustrative):
    page = opened(illustrative)
    solution = solve(read(ROOT / "examples" / "illustrative.yaml"))
    node = solution.tree.after("a1=ok, a4=ok")

    page.hover(".mark[aria-label^='a4 = ok, 30 %, costs 1: do a5'] .frame")

    text = page.text(".card").replace("\xa0", " ")
    assert "Do a5" in text
    assert "State: a1 = ok, a4 = ok" in text
    assert chance(node.probability) in text
    assert short(node.value) in text
    assert f"Budget left\n{node.budget_left}" in text


def test_search_finds_actions_outcomes_and_states(opened):
    solution = solve(generate(25, budget=12, seed=5))
    page = opened(solution_page(solution))
    decisions = {n.key for n in solution.tree.walk() if n.action == "a16"}

    page.click(".search input")
    page.type("a16")
    found = page.texts(".found button")
    assert [text.startswith("a16 after ") for text in found[: len(decisions) + 1]] == (
        [True] * len(decisions) + [False]
    )
    page.press("Enter")
    assert page.text(".headline") == "a16"
    assert "a16" in page.texts(".mark.here > text")
    page.run("document.querySelector('.search input').value = ''")
    page.click(".search input")
    page.type("a1=fail")
    history = [text.replace("\xa0", " ") for text in page.texts(".found button")]
    assert history
    assert all("a1 = fail" in text for text in history)


def test_shared_parts_are_marked_and_lead_to_each_other(opened):
    page = opened(solution_page(solution_of(tosses(45))), "#at/toss%2045=tails")

    assert page.count(".mark .shared") > 0
    assert f"at {count(2)} places" in page.text(".walk")
    page.click("button.link")
    assert page.run("location.hash") == "#at/toss%2045=heads"
    assert "This is the likeliest of them." in page.text(".walk")


def test_numbers_are_written_as_python_writes_them(opened, illustrative):
    """Every way a number can look: tiny, huge, nearly certain, rounded."""
    numbers = [0, 1, -1, 0.5, 1 / 3, 8.43672, 99999.5, 123456.7, 1234.5678, -1234.5678]
    numbers += [1000.5, 1001.5, -1000.5, -1001.5, 999.95, 999.99, 0.99996]
    numbers += [1e-5, 1.234e-05, 12345678, 1e15, 1.5e300, -2e-300, 0.000123456789, 1000]
    chances = [0, 1, 0.4, 1 / 3, 0.003, 0.00001, 0.99999, 0.9996, 0.5, 0.12345, 0.9994]
    page = opened(illustrative)
    source = ROOT / "src/branchwise/report/assets/numbers.js"

    script = source.read_text(encoding="utf-8")
    written = page.run(
        f"(() => {{ {script} return [{numbers}.map(valueText), "
        f"{chances}.map(chanceText)]; }})()"
    )

    assert written[0] == [short(number) for number in numbers]
    assert written[1] == [chance(number) for number in chances]


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(320, "dark"), (390, "light"), (1280, "dark"), (2560, "light")],
)
def test_fits_every_screen(opened, illustrative, width, scheme):
    page = opened(illustrative, width=width, color_scheme=scheme)

    assert page.run("document.documentElement.scrollWidth") == width
    paper = page.run("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(16, 22, 29)"}[scheme]


def test_prints_the_still_picture(opened, illustrative, tmp_path):
    page = opened(illustrative)
    page.page.emulate_media(media="print")

    assert page.run("document.querySelector('#explorer').offsetHeight") == 0
    assert page.run("document.querySelector('.bw-tree').getBoundingClientRect().height")
    page.print(tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


def test_without_script_the_picture_and_the_tables_are_there(opened, illustrative):
    still = re.sub(r"<script.*?</script>", "", illustrative, flags=re.DOTALL)
    page = opened(still)

    assert page.run("document.querySelector('#explorer').offsetHeight") == 0
    assert page.count("table") >= 4
    assert page.run("document.querySelector('.bw-tree').getBoundingClientRect().height")


def test_where_the_script_fails_the_picture_stays(open_file, illustrative, tmp_path):
    path = tmp_path / "broken.html"
    path.write_text(illustrative.replace('"plan-data">{', '"plan-data">'))
    page = open_file(path)

    assert len(page.complaints()) == 1
    assert page.run("document.querySelector('#explorer').offsetHeight") == 0
    assert page.run("document.querySelector('figure.still').offsetHeight") > 100
