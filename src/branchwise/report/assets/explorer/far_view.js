// The tree from afar: thousands of nodes at once, drawn without elements or letters.

/** Draw what is seen on a canvas. */
function drawFar(canvas, viewport, nodes, line) {
  const density = window.devicePixelRatio || 1;
  canvas.width = viewport.width * density;
  canvas.height = viewport.height * density;
  const pen = canvas.getContext("2d");
  const colors = farColors(canvas);
  pen.setTransform(density, 0, 0, density, 0, 0);
  const apart = nodesApart(nodes, viewport, line);
  drawFarEdges(pen, viewport, apart, (node) => (line.has(node) ? colors.accent : colors.line));
  for (const node of apart) drawFarNode(pen, viewport, node, colors);
}

/** Leave out nodes that would hide behind one already drawn. */
function nodesApart(nodes, { scale }, line) {
  const least = 0.7 / scale;
  const last = [];
  return nodes.filter((node) => {
    const isApart = !(node.y - last[node.depth] < least);
    if (isApart) last[node.depth] = node.y;
    return isApart || line.has(node);
  });
}

function farColors(canvas) {
  const style = getComputedStyle(canvas);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    line: color("line"), accent: color("accent"), first: color("ink"),
    decision: color("outline"), cut: color("outline"), reward: color("accent"),
    nothing: color("line"), penalty: color("loss"),
  };
}

function drawFarEdges(pen, { x, y, scale }, nodes, colorOf) {
  for (const node of nodes) {
    if (!node.parent) continue;
    const start = (node.parent.x + node.parent.width) * scale + x;
    const bend = node.bendStart * scale + x;
    const end = node.x * scale + x;
    pen.strokeStyle = colorOf(node);
    pen.lineWidth = Math.max(thickness(node) * scale, 0.4);
    pen.beginPath();
    pen.moveTo(start, node.parent.y * scale + y);
    pen.lineTo(bend, node.parent.y * scale + y);
    pen.lineTo(node.bendEnd * scale + x, node.y * scale + y);
    pen.lineTo(end, node.y * scale + y);
    pen.stroke();
  }
}

/** Decisions are boxes, rewards are dots, penalties rhombs, and nothing is a dash. */
function drawFarNode(pen, { x, y, scale }, node, colors) {
  const left = node.x * scale + x;
  const middle = node.y * scale + y;
  const width = Math.max(node.width * scale, 2);
  const height = Math.max(node.height * scale, 1.5);
  pen.fillStyle = colors[node.kind];
  if (node.kind === "nothing") {
    pen.fillRect(left, middle - height / 6, width, Math.max(height / 3, 1));
  } else if (node.kind === "reward") {
    pen.beginPath();
    pen.arc(left + width / 2, middle, Math.max(height / 2, 1.5), 0, 2 * Math.PI);
    pen.fill();
  } else if (node.kind === "penalty") {
    pen.beginPath();
    pen.moveTo(left, middle);
    pen.lineTo(left + width / 2, middle - height / 2);
    pen.lineTo(left + width, middle);
    pen.lineTo(left + width / 2, middle + height / 2);
    pen.fill();
  } else {
    pen.fillRect(left, middle - height / 2, width, height);
  }
}
