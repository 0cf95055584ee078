// The tree as a picture: only what is seen is in the document.

const MAX_DRAWN = 600; // more at once are drawn on a canvas, without letters

/** Draws the nodes that are seen, and takes away those that are not. */
class Drawing {
  constructor(frame, viewport) {
    this.viewport = viewport;
    this.canvas = element("canvas", { class: "far", "aria-hidden": "true" });
    // What an edge says is part of what its node says, so a reader hears it once. The
    // groups must be nothing to a reader, or its nodes belong to no tree.
    this.edges = shape("g", { class: "edges", "aria-hidden": "true" });
    this.marks = shape("g", { class: "marks", role: "presentation" });
    this.world = shape("g", { role: "presentation" }, this.edges, this.marks);
    this.picture = shape("svg", { class: "near", role: "presentation" }, this.world);
    frame.append(this.canvas, this.picture);
    this.drawn = new Map();
    this.nodes = [];
    this.cursor = null;
    this.line = new Set();
  }

  /** Take over a new layout. */
  show(nodes) {
    this.nodes = nodes;
    for (const parts of this.drawn.values()) parts.forEach((part) => part.remove());
    this.drawn.clear();
    this.refresh();
  }

  /** Say which node has the focus, and which nodes lead to where we stand. */
  mark(cursor, position) {
    this.cursor = cursor;
    this.position = position;
    this.line = new Set(position.line);
    for (const node of this.drawn.keys()) this.style(node);
    this.refresh();
  }

  refresh() {
    const { x, y, scale, seen } = this.viewport;
    const near = this.nodes.filter((node) => touches(node, seen));
    const isFar = near.length > MAX_DRAWN;
    const wanted = new Set(isFar ? [] : near);
    // A screen reader is sent to this one, so it has to be there.
    if (this.cursor) wanted.add(this.cursor);
    this.world.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    for (const [node, parts] of this.drawn) {
      if (wanted.has(node)) continue;
      parts.forEach((part) => part.remove());
      this.drawn.delete(node);
    }
    for (const node of wanted) if (!this.drawn.has(node)) this.draw(node);
    this.canvas.hidden = !isFar;
    if (isFar) drawFar(this.canvas, this.viewport, near, this.line);
  }

  /** Draw every node for a moment, and let something be made of it. */
  whole(make) {
    const edges = this.nodes.filter((node) => node.parent).map((node) => this.edge(node));
    const marks = this.nodes.map((node) => this.node(node));
    const world = shape("g", {}, shape("g", {}, ...edges), shape("g", {}, ...marks));
    const picture = shape("svg", { "aria-hidden": "true" }, world);
    this.picture.after(picture);
    try {
      return make(picture);
    } finally {
      picture.remove();
    }
  }

  draw(node) {
    const edge = node.parent && this.edge(node);
    const mark = this.node(node);
    if (edge) this.edges.append(edge);
    this.marks.append(mark);
    this.drawn.set(node, edge ? [mark, edge] : [mark]);
    this.style(node);
  }

  edge(node) {
    const baseline = node.y - thickness(node) / 2 - 4;
    const label = { "font-size": SIZES.label, y: baseline };
    const probabilities = { ...label, x: node.labelEnd, class: "probabilities", "text-anchor": "end" };
    const below = { x: node.labelStart, y: node.y + thickness(node) / 2 + 11, "font-size": SIZES.cost };
    return shape(
      "g",
      { class: node.isLikeliest ? "edge likeliest" : "edge" },
      shape("path", { d: edgePath(node), "stroke-width": thickness(node) }),
      shape("text", { ...label, x: node.labelStart, class: "outcome", text: node.outcome }),
      shape("text", { ...probabilities, text: node.probabilities }),
      node.cost && shape("text", { ...below, class: "cost", text: node.cost }),
    );
  }

  node(node) {
    return shape(
      "g",
      { class: `mark ${node.kind}`, id: nodeId(node), ...treeItem(node) },
      this.halo(node),
      outlineOf(node),
      shape("text", {
        x: node.x + node.width / 2, y: node.y + (node.worth ? -2.5 : 0.35 * SIZES.node),
        "text-anchor": "middle", "font-size": SIZES.node, text: node.text,
      }),
      node.worth && shape("text", {
        class: "worth", x: node.x + node.width / 2, y: node.y + 13,
        "text-anchor": "middle", "font-size": SIZES.worth, text: node.worth,
      }),
      node.plan.states.places[node.state] !== 1 && node.canOpen && sharedSign(node),
      !node.isLeaf && asNumber(node.plan.states.reward[node.state]) > 0 && heldSign(node),
      node.canOpen && toggleSign(node),
    );
  }

  halo(node) {
    const reach = 5;
    return shape("rect", {
      class: "halo", x: node.x - reach, y: node.y - node.height / 2 - reach,
      width: node.width + 2 * reach, height: node.height + 2 * reach, rx: 12,
    });
  }

  style(node) {
    const [mark, edge] = this.drawn.get(node);
    mark.classList.toggle("cursor", node === this.cursor);
    mark.classList.toggle("here", node === this.position);
    mark.setAttribute("aria-selected", node === this.position);
    edge?.classList.toggle("walked", this.line.has(node));
    if (edge && this.line.has(node)) this.edges.append(edge);
  }
}

/** Whether a node, or the edge that leads to it, can be seen. */
function touches(node, seen) {
  const { parent } = node;
  const left = parent ? parent.x + parent.width : node.x;
  if (node.x + node.width + 24 < seen.left || left > seen.right) return false;
  const reach = node.height / 2 + 8;
  const top = Math.min(node.y, parent ? parent.y : node.y) - reach;
  const bottom = Math.max(node.y, parent ? parent.y : node.y) + reach;
  return bottom > seen.top && top < seen.bottom;
}

/** A name for a node that lasts as long as the page. */
function nodeId(node) { return `node-${node.line.slice(1).map((n) => n.number).join("-")}`; }

/** What a screen reader is to know of a node. */
function treeItem(node) {
  return {
    role: "treeitem",
    "aria-level": node.depth + 1,
    "aria-setsize": node.parent ? node.parent.children.length : 1,
    "aria-posinset": node.number + 1,
    "aria-expanded": node.canOpen ? node.isOpen : undefined,
    "aria-label": spoken(node),
  };
}

/** A node in a sentence. */
function spoken(node) {
  const arrival = node.parent
    ? `${node.parent.action} = ${node.branch.outcome}, ${[chanceText(node.branch.probabilities), node.cost].filter(Boolean).join(", ")}: `
    : "";
  const does = node.isLeaf
    ? `stop with ${valueText(node.reward)}`
    : `do ${node.action}, ${worthText(node)}`;
  return `${arrival}${does}`;
}

function toggleSign(node) {
  const { x, y, radius } = toggleOf(node);
  const arm = radius - 4;
  const stroke = node.isOpen ? `M${-arm} 0H${arm}` : `M${-arm} 0H${arm}M0 ${-arm}V${arm}`;
  const hidden = node.plan.states.size[node.state];
  const count = typeof hidden === "string" ? hidden : countText(hidden - 1);
  return shape(
    "g",
    { class: "toggle", transform: `translate(${x} ${y})` },
    shape("circle", { r: radius }),
    shape("path", { d: stroke }),
    !node.isOpen && shape("text", { x: radius + 4, y: 4, "font-size": 11, text: count }),
  );
}

/** A second outline behind nodes whose future stands elsewhere, too. */
function sharedSign(node) {
  const { x, y, width, height } = node;
  const d = `M${x + 8} ${y + height / 2 + 3.5}H${x + width - 5}`
    + `Q${x + width + 3.5} ${y + height / 2 + 3.5} ${x + width + 3.5} ${y + height / 2 - 6}`
    + `V${y - height / 2 + 9}`;
  return shape("path", { class: "shared", d });
}

function heldSign(node) {
  const text = `\u2605 ${valueText(node.reward)}`;
  const y = node.y - node.height / 2 - 4;
  return shape("text", { class: "held", x: node.x + 4, y, "font-size": 10, text });
}
