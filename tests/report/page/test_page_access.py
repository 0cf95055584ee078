"""The page for everyone: what a screen reader hears, what fingers and Tab can do."""

import pytest

from branchwise.formats.read import read
from branchwise.report.page.solution import solution_page
from branchwise.solver import solve
from pages import ROOT

AT_ONCE = "Array.from(document.querySelectorAll('svg.near > g'))[0]"


@pytest.fixture(scope="module")
def illustrative():
    return solution_page(solve(read(ROOT / "examples" / "illustrative.yaml")))


def heard(page):
    """Return what a screen reader says: role, name and properties of everything."""
    page.call("Accessibility.enable")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    return [
        (
            node["role"]["value"],
            node.get("name", {}).get("value", ""),
            {p["name"]: p["value"].get("value") for p in node.get("properties", ())},
        )
        for node in nodes
        if not node["ignored"]
    ]


def test_a_screen_reader_hears_the_tree(opened, illustrative):
    page = opened(illustrative, width=1440)

    items = [(name, more) for role, name, more in heard(page) if role == "treeitem"]
    assert len(items) == 33
    name, more = items[0]
    assert name == "do a1, worth 8.437"
    assert more["level"] == 1
    assert more["expanded"] is True
    assert ("a3 = fail, 70 %, costs 1: stop with 0", 3) in [
        (n, m["level"]) for n, m in items
    ]


def test_everything_that_can_be_pressed_has_a_name(opened, illustrative):
    page = opened(illustrative)

    named = [(role, name) for role, name, _ in heard(page)]
    for role in ("button", "searchbox", "tree", "toolbar", "status", "complementary"):
        assert role in {r for r, _ in named}
    for role, name in named:
        if role in {"button", "searchbox", "tree", "treeitem", "toolbar", "region"}:
            assert name.strip(), role


def test_tab_reaches_everything_in_the_order_it_is_read(opened, illustrative):
    page = opened(illustrative, "#at/a1=ok")
    reached = []
    for _ in range(16):
        page.press("Tab")
        reached.append(
            page.run(
                "document.activeElement.getAttribute('aria-label')"
                " || document.activeElement.textContent"
            )
        )

    tools = ["Tree", "Search the plan", "Zoom out", "Zoom in"]
    assert reached[:4] == tools
    tree = next(i for i, name in enumerate(reached) if name.startswith("Decision tree"))
    assert reached[tree + 1 : tree + 5] == ["Back", "Restart", "Copy link", "Start"]
    assert reached[tree + 5].startswith("fail")


def test_one_finger_moves_the_tree_and_two_fingers_zoom(opened, illustrative):
    page = opened(illustrative, width=390, height=844)
    page.call("Emulation.setTouchEmulationEnabled", enabled=True)
    page.run("document.getElementById('tree-view').scrollIntoView()")
    left, top = page.run(
        "(() => { const box = document.getElementById('tree-view')"
        ".getBoundingClientRect(); return [box.x, box.y]; })()"
    )

    def touch(kind, *places):
        points = [
            {"x": left + x, "y": top + y, "id": i} for i, (x, y) in enumerate(places)
        ]
        page.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def view():
        return page.run(
            f"(() => {{ const m = {AT_ONCE}.transform.baseVal.consolidate().matrix;"
            "return [m.e, m.f, m.a]; })()"
        )

    before = view()
    touch("touchStart", (200, 250))
    touch("touchMove", (180, 230))
    touch("touchMove", (150, 200))
    touch("touchEnd")
    moved = view()
    assert moved[0] < before[0]
    assert moved[1] < before[1]
    assert moved[2] == before[2]
    touch("touchStart", (100, 150), (200, 150))
    touch("touchMove", (80, 150), (220, 150))
    touch("touchMove", (50, 150), (250, 150))
    touch("touchEnd")
    assert view()[2] == pytest.approx(2 * before[2], rel=0.15)


def test_those_who_want_motion_see_it_and_those_who_do_not_get_there_at_once(
    opened, illustrative
):
    far = "document.querySelectorAll('.path li').length === 4"
    for wish in ("reduce", "no-preference"):
        page = opened(illustrative, reduced_motion=wish)
        for _ in range(3):
            page.click("button.outcome", 1)
        page.wait_for(far)
        page.run("new Promise((done) => setTimeout(done, 600))")
        box = page.run(
            "(() => { const at = document.querySelector('.mark.here .frame')"
            ".getBoundingClientRect(), frame = document.getElementById('tree-view')"
            ".getBoundingClientRect(); return [at.x - frame.x, frame.right - at.right];"
            "})()"
        )
        assert min(box) > 0
