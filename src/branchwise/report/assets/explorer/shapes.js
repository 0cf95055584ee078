// The shapes of nodes and edges, for close views and far ones.

/** The outline of a node: each kind has its own, so that none is told by color alone. */
function outlineOf(node) {
  const { x, y, width, height, kind } = node;
  const top = y - height / 2;
  const common = { class: "frame" };
  if (kind === "penalty") {
    const side = height / 3;
    const points = [
      [x, y], [x + side, top], [x + width - side, top],
      [x + width, y], [x + width - side, top + height], [x + side, top + height],
    ];
    return shape("polygon", { ...common, points: points.map((p) => p.join(",")).join(" ") });
  }
  const rx = { reward: height / 2, nothing: 2 }[kind] ?? 8;
  return shape("rect", { ...common, x, y: top, width, height, rx });
}

/** How thick the edge to a node is: the likelier, the thicker. */
function thickness(node) { return 1.25 + 7 * node.probability; }

/** The line from a parent to a node: a curve, or round two corners if far. */
function edgePath(node) {
  const { parent } = node;
  const start = parent.y;
  const end = node.y;
  const from = `M${parent.x + parent.width} ${start}`;
  if (Math.abs(end - start) < 0.05) return `${from}H${node.x}`;
  const middle = (node.bendStart + node.bendEnd) / 2;
  if (Math.abs(end - start) < 130) {
    const curve = `C${middle} ${start} ${middle} ${end} ${node.bendEnd} ${end}`;
    return `${from}H${node.bendStart}${curve}H${node.x}`;
  }
  const corner = (node.bendEnd - node.bendStart) / 2;
  const down = end > start ? corner : -corner;
  const turn = `Q${middle} ${start} ${middle} ${start + down}`;
  const back = `V${end - down}Q${middle} ${end} ${node.bendEnd} ${end}`;
  return `${from}H${node.bendStart}${turn}${back}H${node.x}`;
}

/** Where a node can be pressed to open or close it. */
function toggleOf(node) {
  return { x: node.x + node.width + SIZES.toggle + 2, y: node.y, radius: SIZES.toggle };
}

/** What a picture of everything has to draw of a node. */
function boxOf(node) {
  const half = node.height / 2;
  return {
    left: node.x, right: node.x + node.width, top: node.y - half, bottom: node.y + half,
  };
}
