// Where everything stands: columns by depth, and subtrees as close as can be.

const SIZES = {
  node: 14, label: 12, worth: 11, cost: 10.5, gap: 16, bend: 24, padding: 7, space: 8, toggle: 9, folded: 56,
  heights: { first: 42, decision: 42, reward: 30, nothing: 26, penalty: 30, cut: 42 },
  sides: { first: 15, decision: 15, reward: 14, nothing: 10, penalty: 16, cut: 15 },
};

/** What a node looks like follows from what it is. */
function kindOf(node) {
  if (!node.isLeaf) {
    if (node.plan.isCut(node.state)) return "cut";
    return node.parent ? "decision" : "first";
  }
  const reward = asNumber(node.plan.states.reward[node.state]);
  if (reward === 0) return "nothing";
  return reward > 0 ? "reward" : "penalty";
}

/** Crop a text, by characters as they are seen. */
function cropped(text, length = 24) {
  if (text.length <= length) return text;
  const start = text.slice(0, 4 * length);
  // Older browsers know characters, but not which of them are seen as one.
  const seen = Intl.Segmenter
    ? Array.from(new Intl.Segmenter().segment(start), (part) => part.segment)
    : Array.from(start);
  if (seen.length <= length && text.length <= 4 * length) return text;
  return `${seen.slice(0, length - 1).join("").trimEnd()}\u2026`;
}

/** Measures texts in the font of the page, each once. */
class Lettering {
  constructor(family) {
    this.context = document.createElement("canvas").getContext("2d");
    this.family = family;
    this.known = new Map();
  }

  width(text, size, weight = 400) {
    const key = `${weight} ${size} ${text}`;
    if (!this.known.has(key)) {
      this.context.font = `${weight} ${size}px ${this.family}`;
      this.known.set(key, this.context.measureText(text).width);
    }
    return this.known.get(key);
  }
}

/** Give every node its size, its place and the texts it shows. */
function layOut(nodes, lettering) {
  for (const node of nodes) letter(node, lettering);
  placeAcross(nodes);
  placeColumns(nodes);
  return {
    width: Math.max(...columnEnds(nodes)),
    height: nodes.reduce((end, node) => Math.max(end, node.y + node.height / 2), 0),
  };
}

function letter(node, lettering) {
  if (node.text === undefined) {
    node.kind = kindOf(node);
    node.text = node.isLeaf ? leafText(node) : cropped(node.action) || "\u00a0";
    node.height = SIZES.heights[node.kind];
    const sides = 2 * SIZES.sides[node.kind];
    node.worth = node.isLeaf ? "" : worthText(node);
    const letters = Math.max(
      lettering.width(node.text, SIZES.node, 600), lettering.width(node.worth, SIZES.worth),
    );
    node.width = Math.max(letters + sides, node.height);
    node.outcome = node.branch ? cropped(node.branch.outcome) : "";
    node.probabilities = node.branch ? chanceText(node.branch.probabilities) : "";
    node.cost = node.branch ? cropped(node.branch.cost, 30) : "";
    const weight = node.isLikeliest ? 700 : 400;
    const label = node.branch
      ? lettering.width(node.outcome, SIZES.label, weight) + SIZES.space
        + lettering.width(node.probabilities, SIZES.label, weight)
      : 0;
    node.labelWidth = Math.max(label, lettering.width(node.cost, SIZES.cost, weight));
  }
}

/** What a decision is worth from here on, rolled back from what may follow. */
function worthText(node) {
  return `${node.plan.isCost ? "costs" : "worth"} ${valueText(node.value)}`;
}

function leafText(node) {
  const text = valueText(node.reward);
  return node.kind === "reward" ? `\u2605 ${text}` : text;
}

/**
 * Place nodes across their columns. Each subtree knows its upper and lower contour,
 * deepest column first, so that of two neighbors the shorter one is merged into the
 * longer: no column is looked at twice.
 */
function placeAcross(nodes) {
  for (let i = nodes.length - 1; i >= 0; i -= 1) {
    const node = nodes[i];
    node.across = 0;
    node.contour = node.isOpen ? joined(node) : { top: [], bottom: [], offset: 0 };
    node.contour.top.push(node.across - node.height / 2 - node.contour.offset);
    node.contour.bottom.push(node.across + node.height / 2 - node.contour.offset);
  }
  let start = 0;
  for (const node of nodes) {
    node.y = node.parent ? node.parent.y - node.parent.across + node.across + node.shift : 0;
    node.contour = null;
    start = Math.min(start, node.y - node.height / 2);
  }
  for (const node of nodes) node.y -= start;
}

/** Place the children of a node one below the other; give the contour of them all. */
function joined(node) {
  const [first, ...others] = node.children;
  first.shift = 0;
  let contour = first.contour;
  for (const child of others) {
    child.shift = distance(contour, child.contour);
    child.contour.offset += child.shift;
    contour = merged(contour, child.contour);
  }
  const last = node.children[node.children.length - 1];
  node.across = (first.across + last.across + last.shift) / 2;
  return contour;
}

function distance(above, below) {
  let needed = -Infinity;
  const shared = Math.min(above.top.length, below.top.length);
  for (let k = 1; k <= shared; k += 1) {
    const room = above.bottom[above.bottom.length - k] + above.offset
      - below.top[below.top.length - k] - below.offset;
    if (room > needed) needed = room;
  }
  return needed + SIZES.gap;
}

function merged(above, below) {
  const shared = Math.min(above.top.length, below.top.length);
  const isAboveLonger = above.top.length > below.top.length;
  const [kept, other] = isAboveLonger ? [above, below] : [below, above];
  const side = isAboveLonger ? "bottom" : "top";
  for (let k = 1; k <= shared; k += 1) {
    kept[side][kept[side].length - k] = other[side][other[side].length - k]
      + other.offset - kept.offset;
  }
  return kept;
}

/** Give every depth a column as wide as its widest node and label. */
function placeColumns(nodes) {
  const widths = [];
  const labels = [];
  for (const { depth, width, labelWidth } of nodes) {
    widths[depth] = Math.max(widths[depth] ?? 0, width);
    labels[depth] = Math.max(labels[depth] ?? 0, labelWidth);
  }
  const starts = [0];
  for (let depth = 1; depth < widths.length; depth += 1) {
    const room = 2 * SIZES.toggle + SIZES.bend + labels[depth] + 2 * SIZES.padding;
    starts.push(starts[depth - 1] + widths[depth - 1] + room);
  }
  for (const node of nodes) {
    node.x = starts[node.depth];
    node.labelEnd = node.x - SIZES.padding;
    node.labelStart = node.labelEnd - labels[node.depth];
    node.bendEnd = node.labelStart - SIZES.padding / 2;
    node.bendStart = node.bendEnd - SIZES.bend;
  }
}

function columnEnds(nodes) {
  const ends = [];
  for (const node of nodes) {
    const { depth, x, width } = node;
    const isFolded = node.canOpen && !node.isOpen;
    ends[depth] = Math.max(ends[depth] ?? 0, x + width + (isFolded ? SIZES.folded : 0));
  }
  return ends;
}
