// What is known of a node, at a closer look.

const MAX_TOLD = 6;

/** The facts of a node: what we know, how likely we come here, what is left. */
function factsOf(node) {
  return [
    ["Probability of being here", chanceText(node.probability)],
    [node.plan.isCost ? "Costs from here on" : "Worth from here on", node.isLeaf ? "" : valueElement(node.value)],
    [node.plan.isCost ? "Stopping here counts as" : "Reward for stopping here", valueElement(node.reward)],
    ["Budget left", node.budgetLeft],
    ...(node.plan.notes?.[node.state] ?? []),
  ];
}

/** What other actions would have been worth here, compared with the plan's. */
function alternativesElement(node) {
  const others = node.plan.alternatives(node.state);
  if (others.length === 0) return null;
  const list = element("ul", { class: "alternatives" });
  for (const other of others) {
    const { isCost } = node.plan;
    const atMost = other.isBound ? `at ${isCost ? "least" : "most"} ` : "";
    const difference = differenceText(asNumber(node.value), asNumber(other.value));
    list.append(element(
      "li",
      {},
      nameElement(other.action),
      " instead: ",
      element("span", { class: "figure", text: `${atMost}${difference}` }),
      element("span", { class: "worth" }, ` (${isCost ? "costs" : "worth"} ${atMost}`, valueElement(other.value), ")"),
      ...whyElements(other),
    ));
  }
  return list;
}

/** Why another action is worth what it is: what each outcome would lead to. */
function whyElements(other) {
  if (other.prospects.length === 0) return [];
  const parts = other.prospects.flatMap((prospect, i) => [
    i > 0 ? ", " : "", valueElement(prospect.value), " after ",
    nameElement(prospect.outcome),
    ` (${chanceText(prospect.probabilities)})`,
  ]);
  return [element("span", { class: "why" }, ...parts)];
}

/** Where else the same plan follows; null where it does nowhere. */
function sharedText(node) {
  const places = node.plan.states.places[node.state];
  if (places === 1 || !node.canOpen) return "";
  return `The same plan follows at ${countText(places)} places of the tree.`;
}

/** The card that shows beside a node what is known of it. */
class DetailCard {
  constructor(frame) {
    this.frame = frame;
    this.card = element("div", { class: "card", role: "tooltip", hidden: "" });
    frame.append(this.card);
  }

  hide() { this.card.hidden = true; }

  show(node, viewport) {
    const does = node.isLeaf
      ? ["Stop with ", valueElement(node.reward)]
      : ["Do ", nameElement(node.action)];
    const shared = sharedText(node);
    const others = alternativesElement(node);
    this.card.replaceChildren(
      element("p", { class: "card-title" }, ...does),
      element("p", { class: "card-state" }, "State: ", stateElement(node)),
      factList(factsOf(node)),
      ...(others ? [others] : []),
      ...(node.plan.hasDeviation(node.state) ? [deviationNote()] : []),
      ...(shared ? [element("p", { class: "card-note", text: shared })] : []),
      ...(node.plan.isCut(node.state) ? [cutNote()] : []),
    );
    this.card.hidden = false;
    this.place(node, viewport);
  }

  /** Stand below the node, or above it, and never outside the frame. */
  place(node, { x, y, scale, width, height }) {
    const { offsetWidth, offsetHeight } = this.card;
    const left = Math.min(Math.max(node.x * scale + x, 8), width - offsetWidth - 8);
    const below = (node.y + node.height / 2) * scale + y + 10;
    const above = (node.y - node.height / 2) * scale + y - offsetHeight - 10;
    const top = below + offsetHeight < height || above < 0 ? below : above;
    this.card.style.left = `${Math.max(left, 8)}px`;
    this.card.style.top = `${Math.max(Math.min(top, height - offsetHeight - 8), 8)}px`;
  }
}

function deviationNote() {
  const text = "In the worst case the adversary deviates here: the probabilities are not the nominal ones.";
  return element("p", { class: "card-note", text });
}

function cutNote() {
  const text = "What follows is too unlikely to be in this file.";
  return element("p", { class: "card-note", text });
}

/** What has happened so far; of a long history the last steps. */
function stateElement(node) {
  if (node.plan.descriptions) return nameElement(cropped(node.description, 120));
  const line = node.line.slice(1);
  if (line.length === 0) return element("span", { text: node.description });
  const told = line.slice(-MAX_TOLD).flatMap((at, i) => [
    i > 0 ? ", " : "", eventElement(cropped(at.parent.action, 40), cropped(at.branch.outcome, 40)),
  ]);
  const before = line.length - MAX_TOLD;
  const start = before > 0 ? `${pluralText(before, "earlier step")}, ` : "";
  return element("span", {}, start, ...told);
}
