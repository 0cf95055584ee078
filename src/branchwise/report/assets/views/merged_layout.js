// Where the states of the merged graph stand: in layers, with as few crossings as can be.

const BOX = { row: 18, title: 40, side: 10, gap: 26, between: 84, point: 10 };
const SWEEPS = 6;

/** A point of a long edge: it keeps room for the edge between the boxes of a layer. */
function bendOf(layer) { return { isBend: true, layer, height: BOX.point, width: 0, ins: [], outs: [] }; }

/** Give every box its place; edges get the points that they run through. */
function layOutMerged(boxes, edges) {
  const layers = [];
  for (const box of boxes) (layers[box.layer] ??= []).push(box);
  for (const edge of edges) {
    edge.points = [];
    let before = edge.from;
    for (let layer = edge.from.layer + 1; layer < edge.to.layer; layer += 1) {
      const bend = bendOf(layer);
      (layers[layer] ??= []).push(bend);
      edge.points.push(bend);
      link(before, bend);
      before = bend;
    }
    link(before, edge.to);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) order(layers, sweep % 2 === 0);
  stack(layers);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) settle(layers, sweep % 2 === 0);
  return place(layers);
}

function link(from, to) {
  from.outs.push(to);
  to.ins.push(from);
}

/** Sort each layer by the middle of what it is linked with in the one before. */
function order(layers, isForward) {
  for (const layer of layers) layer.forEach((item, i) => { item.rank = i; });
  const run = isForward ? layers : [...layers].reverse();
  for (const layer of run) {
    for (const item of layer) {
      const near = isForward ? item.ins : item.outs;
      item.wish = near.length > 0 ? mean(near.map((other) => other.rank)) : item.rank;
    }
    layer.sort((a, b) => a.wish - b.wish || a.rank - b.rank);
    layer.forEach((item, i) => { item.rank = i; });
  }
}

/** Put the items of each layer below each other, around a common middle. */
function stack(layers) {
  for (const layer of layers) {
    const all = layer.reduce((sum, item) => sum + item.height + BOX.gap, -BOX.gap);
    let y = -all / 2;
    for (const item of layer) {
      item.y = y + item.height / 2;
      y += item.height + BOX.gap;
    }
  }
}

/** Move items towards what they are linked with; nothing passes a neighbor. */
function settle(layers, isForward) {
  for (const layer of isForward ? layers : [...layers].reverse()) {
    for (const item of layer) {
      const near = isForward ? item.ins : item.outs;
      item.wish = near.length > 0 ? mean(near.map((other) => other.y)) : item.y;
    }
    const down = pushed(layer, layer.map((item) => item.wish));
    const mirrored = [...layer].reverse();
    const up = pushed(mirrored, mirrored.map((item) => -item.wish)).reverse().map((y) => -y);
    layer.forEach((item, i) => { item.y = (down[i] + up[i]) / 2; });
  }
}

/** Where items come to stand if each makes way for the one before it. */
function pushed(layer, wishes) {
  let end = -Infinity;
  return layer.map((item, i) => {
    const y = Math.max(wishes[i], end + item.height / 2);
    end = y + item.height / 2 + BOX.gap;
    return y;
  });
}

function place(layers) {
  let x = 0;
  let top = Infinity;
  let bottom = -Infinity;
  for (const layer of layers) {
    const width = Math.max(...layer.map((item) => item.width));
    for (const item of layer) {
      item.x = x;
      item.columnWidth = width;
      top = Math.min(top, item.y - item.height / 2);
      bottom = Math.max(bottom, item.y + item.height / 2);
    }
    x += width + BOX.between;
  }
  for (const item of layers.flat()) item.y -= top;
  return { width: x - BOX.between, height: bottom - top };
}

function mean(numbers) { return numbers.reduce((sum, each) => sum + each, 0) / numbers.length; }
