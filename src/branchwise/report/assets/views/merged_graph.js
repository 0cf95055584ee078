// The merged graph: every state of the plan once, however many ways lead there.

const MOST_BOXES = 200; // of a larger plan, the likeliest states are drawn

/** The states to draw, and how they lead to each other. */
function mergedParts(plan, lettering) {
  const { action, reached } = plan.states;
  const decisions = Array.from(action.keys()).filter((state) => action[state] >= 0);
  const likely = [...decisions].sort((a, b) => reached[b] - reached[a]).slice(0, MOST_BOXES);
  const kept = likely.sort((a, b) => a - b);
  const boxes = new Map(kept.map((state) => [state, boxAt(plan, state, lettering)]));
  const edges = [];
  // States come after those that lead to them, so a layer is final when we come there.
  for (const box of boxes.values()) {
    box.rows.forEach((row, number) => {
      const to = boxes.get(row.state);
      if (!to) return;
      to.layer = Math.max(to.layer, box.layer + 1);
      edges.push({ from: box, to, row: number });
    });
  }
  return { boxes: [...boxes.values()], edges, numLeftOut: decisions.length - kept.length };
}

/** What stands in the box of a state, and how large it is. */
function boxAt(plan, state, lettering) {
  const isBest = (number) => plan.likeliestBranch(state) === number;
  const rows = plan.branches(state).map((branch, number) => ({
    state: branch.state,
    isBest: isBest(number),
    probability: plan.states.reached[state] * branch.probabilities,
    left: cropped(branch.outcome, 22),
    shift: lettering.width(cropped(branch.outcome, 22), 12, 700) + 8,
    right: [chanceText(branch.probabilities), branch.cost].filter(Boolean).join(", "),
    isNothing: plan.states.reward[branch.state] === 0,
    end: plan.action(branch.state) === null ? `stop with ${valueText(plan.shown(plan.states.reward[branch.state]))}` : "",
  }));
  const title = cropped(plan.action(state), 30);
  const word = plan.isCost ? "costs" : "worth";
  const note = `${word} ${valueText(plan.shown(plan.states.value[state]))}, reached with ${chanceText(plan.states.reached[state])}`;
  const wide = (text, size = 12, weight = 400) => lettering.width(text, size, weight);
  const widths = rows.map((row) => wide(row.left, 12, 700) + wide(row.right) + (row.end ? wide(row.end, 12, 600) + 14 : 0) + 14);
  const width = Math.max(wide(title, 14, 600), wide(note, 11), ...widths) + 2 * BOX.side;
  const height = BOX.title + rows.length * BOX.row + 6;
  return { state, rows, title, note, width, height, layer: 0, ins: [], outs: [] };
}

/** Shows the merged graph in a window of its own. */
class MergedGraph {
  constructor(tree, lettering, go) {
    this.tree = tree;
    this.plan = tree.root.plan;
    this.go = go;
    const { boxes, edges, numLeftOut } = mergedParts(this.plan, lettering);
    this.boxes = boxes;
    this.size = layOutMerged(boxes, edges);
    this.order = [...boxes].sort((a, b) => a.layer - b.layer || a.y - b.y);
    this.build(edges, numLeftOut);
  }

  build(edges, numLeftOut) {
    this.frame = element("div", {
      class: "frame-of-tree", role: "listbox", tabindex: "0", id: "graph-view",
      "aria-label": "The states of the plan. Arrow keys move, Enter walks there.",
    });
    this.world = shape("g", { role: "presentation" });
    this.picture = shape("svg", { class: "merged", role: "presentation" }, this.world);
    this.frame.append(this.picture);
    for (const edge of edges) this.world.append(edgeOf(edge));
    for (const box of this.boxes) this.world.append(this.box(box));
    this.viewport = new Viewport(this.frame, {
      changed: () => {
        const { x, y, scale } = this.viewport;
        this.world.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
      },
      clicked: (place) => this.click(place),
      hovered: () => {},
    });
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.view = element("div", { class: "merged-view" }, this.tools(numLeftOut), this.frame);
  }

  tools(numLeftOut) {
    this.field = element("input", {
      type: "search", placeholder: "Find states and actions", spellcheck: "false",
      "aria-label": "Find states of the graph", autocomplete: "off",
    });
    this.field.addEventListener("input", () => this.search());
    const all = pluralText(this.boxes.length, "state");
    const known = numLeftOut > 0 ? `the ${all} likeliest of ${countText(this.boxes.length + numLeftOut)}` : all;
    const tool = (text, label, act) => button({ text, "aria-label": label, title: label }, act);
    return element(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "Graph" },
      element("div", { class: "search" }, this.field),
      element("span", { class: "none", text: `${known} at which something is decided` }),
      element(
        "div",
        { class: "buttons" },
        tool("\u2212", "Zoom out of the graph", () => this.viewport.zoom(1 / 1.4)),
        tool("+", "Zoom into the graph", () => this.viewport.zoom(1.4)),
        tool("Fit", "Fit the graph into the window", () => this.viewport.fit(this.size)),
        tool("Save SVG", "Save the graph as a picture", () => this.save()),
      ),
    );
  }

  box(box) {
    const { x, width, height } = box;
    const top = box.y - height / 2;
    const text = (attributes) => shape("text", { "font-size": 12, ...attributes });
    const rows = box.rows.flatMap((row, i) => {
      const y = top + BOX.title + i * BOX.row + 12;
      return [
        text({ x: x + BOX.side, y, class: row.isBest ? "best" : "", text: row.left }),
        text({ x: x + width - BOX.side, y, class: row.isNothing ? "nothing" : "end", "text-anchor": "end", text: row.end }),
        text({
          class: "probabilities", y, "text-anchor": row.end ? "start" : "end", text: row.right,
          x: row.end ? x + BOX.side + row.shift : x + width - BOX.side,
        }),
      ];
    });
    box.mark = shape(
      "g",
      { class: `state-box${box.state === 0 ? " first" : ""}`, id: `state-${box.state}`, role: "option", "aria-selected": "false", "aria-label": `${box.title}, ${box.note}` },
      shape("rect", { x, y: top, width, height, rx: 8 }),
      shape("path", { d: `M${x} ${top + BOX.title - 4}H${x + width}` }),
      text({ x: x + BOX.side, y: top + 17, "font-size": 14, class: "title", text: box.title }),
      text({ x: x + BOX.side, y: top + 31, "font-size": 11, class: "note", text: box.note }),
      ...rows,
    );
    return box.mark;
  }

  /** Come into view for the first time, or again. */
  shown() {
    if (!this.hasBegun) this.viewport.begin(this.size, this.order[0]);
    this.hasBegun = true;
  }

  search() {
    const wanted = searchable(this.field.value);
    const found = this.order.filter((box) => wanted && this.text(box).includes(wanted));
    for (const box of this.boxes) {
      box.mark.classList.toggle("found", found.includes(box));
      box.mark.classList.toggle("faded", found.length > 0 && !found.includes(box));
    }
    if (found.length > 0) this.bringIn(found[0]);
  }

  text(box) {
    const outcomes = box.rows.map((row) => `${box.title}=${row.left} ${row.end}`);
    return searchable([box.title, ...outcomes].join(" "));
  }

  bringIn(box) {
    const half = box.height / 2;
    this.viewport.bringIn({ left: box.x, right: box.x + box.width, top: box.y - half, bottom: box.y + half });
  }

  moveTo(box) {
    this.cursor?.mark.setAttribute("aria-selected", "false");
    this.cursor = box;
    box.mark.setAttribute("aria-selected", "true");
    this.frame.setAttribute("aria-activedescendant", box.mark.id);
    this.bringIn(box);
  }

  click(place) {
    this.frame.focus({ preventScroll: true });
    const [x, y] = this.viewport.inPicture(...place);
    const box = this.boxes.find((each) => (
      x >= each.x && x <= each.x + each.width && Math.abs(y - each.y) <= each.height / 2
    ));
    if (!box) return;
    this.moveTo(box);
    this.walk(box);
  }

  walk(box) { this.go(this.tree.follow(this.plan.likeliestWay(box.state))); }

  key(event) {
    const at = this.order.indexOf(this.cursor);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step) this.moveTo(this.order[Math.min(Math.max(at + step, 0), this.order.length - 1)]);
    else if (event.key === "Enter" && this.cursor) this.walk(this.cursor);
    else return;
    event.preventDefault();
  }

  save() {
    const { width, height } = this.size;
    const around = { left: -12, top: -12, width: width + 24, height: height + 24 };
    save(fileName("graph", "svg"), "image/svg+xml", svgText(this.picture, around));
  }
}

/** The line from an outcome to the state that it leads to. */
function edgeOf({ from, to, row, points }) {
  const { isBest, probability } = from.rows[row];
  let x = from.x + from.width;
  let y = from.y - from.height / 2 + BOX.title + row * BOX.row + 8;
  let d = `M${x} ${y}H${from.x + from.columnWidth}`;
  x = from.x + from.columnWidth;
  for (const point of [...points, to]) {
    const middle = (x + point.x) / 2;
    d += `C${middle} ${y} ${middle} ${point.y} ${point.x} ${point.y}`;
    ({ y } = point);
    x = point.isBend ? point.x + point.columnWidth : point.x;
    if (point.isBend) d += `H${x}`;
  }
  return shape("path", { class: isBest ? "way best" : "way", d, "stroke-width": 1 + 5 * probability });
}
