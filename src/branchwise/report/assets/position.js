// Links to a position: what has happened, in the part of an address after `#`.

const PREFIX = "#at/";

/** Whether the page has an address: inside a notebook it stands in a frame without one. */
function hasAddress() { return location.protocol !== "about:"; }

/** Write where a node is: `#at/a1=ok/a3=fail`. */
function addressOf(node) {
  const steps = node.line.slice(1).map(stepText);
  return steps.length > 0 ? PREFIX + steps.join("/") : "";
}

/** Write the last step to a node; the outcome's number stands where two look alike. */
function stepText(node) {
  const { parent, branch, number } = node;
  const alike = parent.children.filter((other) => other.branch.outcome === branch.outcome);
  const label = alike.length === 1 ? branch.outcome : `~${number}`;
  return `${encodeURIComponent(parent.action)}=${encodeURIComponent(label)}`;
}

/** Find the node an address leads to; null where the plan never comes there. */
function nodeAt(root, address) {
  if (!address.startsWith(PREFIX)) return root;
  let node = root;
  for (const step of address.slice(PREFIX.length).split("/")) {
    node = node.children.find((child) => sameStep(stepText(child), step));
    if (!node) return null;
  }
  return node;
}

/** Compare steps as read, since whoever passes on a link may write it otherwise. */
function sameStep(ours, theirs) {
  try {
    return decodeURIComponent(ours) === decodeURIComponent(theirs);
  } catch {
    return false;
  }
}
