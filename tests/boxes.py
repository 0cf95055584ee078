"""Where the texts of a page stand: which of them overlap, are cut, or stick out."""

_MEASURE = """(() => {
    const shown = (node) => {
        for (let at = node.parentElement; at; at = at.parentElement) {
            const style = getComputedStyle(at);
            if (style.display === "none" || style.visibility === "hidden") return false;
            if (style.clipPath !== "none" || style.opacity === "0") return false;
            if (at.matches("title, desc, script, .overview, .unseen")) return false;
            const isFolded = at.matches("details:not([open])");
            if (isFolded && !at.querySelector("summary").contains(node)) return false;
        }
        return true;
    };
    // What scrolls, or is moved by hand, can be brought into view; what is hidden
    // elsewhere is cut for good.
    const clipped = (node, box) => {
        for (let at = node.parentElement; at; at = at.parentElement) {
            const style = getComputedStyle(at);
            if (/auto|scroll/.test(style.overflowX + style.overflowY)) return null;
            if (at.matches(".merged")) return null;
            if (!/hidden|clip/.test(style.overflowX + style.overflowY)) continue;
            const frame = at.getBoundingClientRect();
            const isOut = box.left < frame.left - 2 || box.right > frame.right + 2
                || box.top < frame.top - 4 || box.bottom > frame.bottom + 4;
            return isOut ? at.className.baseVal ?? at.className : null;
        }
        return null;
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const boxes = [];
    const cut = [];
    while (texts.nextNode()) {
        const node = texts.currentNode;
        if (!node.textContent.trim() || !shown(node)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const scroller = node.parentElement.closest(".scroll, .walk, .frame-of-tree");
        for (const box of range.getClientRects()) {
            if (box.width < 1 || box.height < 1) continue;
            const frame = scroller?.getBoundingClientRect();
            const isSeen = !frame || (box.bottom > frame.top && box.top < frame.bottom
                && box.right > frame.left && box.left < frame.right);
            const text = node.textContent.trim().slice(0, 40);
            const clip = clipped(node, box);
            if (clip !== null) cut.push(`${text} (${clip})`);
            // Lines stand close: what touches at the edge of a line is apart.
            const slack = 0.22 * box.height;
            const within = frame ?? { left: -1e9, right: 1e9, top: -1e9, bottom: 1e9 };
            if (isSeen && clip === null) boxes.push({
                text,
                left: Math.max(box.left + 1, within.left),
                right: Math.min(box.right - 1, within.right),
                top: Math.max(box.top + slack, within.top),
                bottom: Math.min(box.bottom - slack, within.bottom),
            });
        }
    }
    boxes.sort((a, b) => a.top - b.top);
    const overlaps = [];
    boxes.forEach((one, i) => {
        for (let j = i + 1; j < boxes.length && boxes[j].top < one.bottom; j += 1) {
            const other = boxes[j];
            const isOver = one.left < other.right && other.left < one.right;
            if (isOver) overlaps.push(`${one.text} / ${other.text}`);
        }
    });
    const wide = document.documentElement.scrollWidth - window.innerWidth;
    return { overlaps, cut, wide: Math.max(wide, 0), numTexts: boxes.length };
})()"""


def measured(page):
    """Measure every text that is shown; give what is wrong, and how many there are."""
    return page.run(_MEASURE)


def check_boxes(page, least=20):
    """Make sure that no text overlaps another, is cut, or makes the page too wide."""
    found = measured(page)
    assert found["overlaps"] == []
    assert found["cut"] == []
    assert found["wide"] == 0
    assert found["numTexts"] >= least
