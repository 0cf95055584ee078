// Walk it: press what happened, and see what to do next.

const MAX_ENDINGS = 6;
const MAX_OUTCOMES = 200; // more are found by their names

/** The panel that leads through the plan, one outcome at a time. */
class WalkPanel {
  constructor({ go, back, restart }) {
    this.go = go;
    this.path = element("ol", { class: "path", "aria-label": "The path so far" });
    this.now = element("div", { class: "now" });
    this.news = element("p", { class: "unseen", role: "status", "aria-live": "polite" });
    this.backButton = button({ text: "Back" }, back);
    this.restartButton = button({ text: "Restart" }, restart);
    this.linkButton = button({ text: "Copy link" }, () => this.copyLink());
    const buttons = [this.backButton, this.restartButton, hasAddress() && this.linkButton];
    this.panel = element(
      "aside",
      { class: "walk", "aria-label": "Walk it" },
      element(
        "div",
        { class: "walk-head" },
        element("h3", { text: "Walk it" }),
        element("div", { class: "buttons" }, ...buttons),
      ),
      this.path,
      this.now,
      this.news,
    );
  }

  /** Show where we stand. */
  show(node) {
    this.backButton.disabled = !node.parent;
    this.restartButton.disabled = !node.parent;
    this.path.replaceChildren(...node.line.map((at) => this.step(at, at === node)));
    this.now.replaceChildren(...this.position(node).filter((part) => part));
    this.path.scrollTop = this.path.scrollHeight;
  }

  /** Say what is wrong, for all to see. */
  warn(text) {
    this.news.textContent = text;
    this.news.classList.remove("unseen");
  }

  /** Tell those who cannot see it where we stand; put the focus on what comes next. */
  announce(node, { isFocused }) {
    const outcomes = node.plan.branches(node.state).slice(0, MAX_TOLD);
    const labels = outcomes.map((branch) => branch.outcome).join(", ");
    const next = node.isLeaf ? "The plan ends here." : `It may come out: ${labels}.`;
    this.news.textContent = `${spoken(node)}. ${next}`;
    this.news.classList.add("unseen");
    if (!isFocused) return;
    const target = this.now.querySelector("button.outcome") ?? this.restartButton;
    target.focus({ preventScroll: true });
  }

  step(node, isLast) {
    const what = node.parent
      ? eventElement(node.parent.action, node.branch.outcome)
      : element("span", { text: "Start" });
    if (isLast) return element("li", { "aria-current": "step" }, what);
    return element("li", {}, button({}, () => this.go(node), what));
  }

  position(node) {
    const shared = sharedText(node);
    const others = alternativesElement(node);
    return [
      element("p", { class: "eyebrow", text: node.isLeaf ? "The plan ends" : "Do now" }),
      this.headline(node),
      factList(factsOf(node)),
      node.plan.hasDeviation(node.state) && deviationNote(),
      node.canOpen && this.question(node),
      node.plan.isCut(node.state) && cutNote(),
      node.canOpen && endingsElement(node),
      others && element("h4", { text: "What else could be done here" }),
      others,
      shared && this.shared(node, shared),
    ];
  }

  headline(node) {
    const what = node.isLeaf
      ? ["Stop with ", valueElement(node.reward)]
      : [nameElement(node.action)];
    return element("p", { class: "headline" }, ...what);
  }

  question(node) {
    const list = element("ul", { class: "outcomes" });
    for (const child of node.children.slice(0, MAX_OUTCOMES)) {
      list.append(element("li", {}, this.outcome(child)));
    }
    const rest = node.children.length - MAX_OUTCOMES;
    const more = `${pluralText(rest, "more outcome")}: the search finds them.`;
    if (rest > 0) list.append(element("li", { class: "none", text: more }));
    return element("div", {}, element("h4", { text: "What happened? Press it." }), list);
  }

  outcome(child) {
    const next = child.isLeaf
      ? ["stop with ", valueElement(child.reward)]
      : ["then ", nameElement(child.action), `, ${child.plan.isCost ? "costs" : "worth"} `, valueElement(child.value)];
    return button(
      { class: "outcome" },
      () => this.go(child, { isFocused: true }),
      element("span", { class: "label" }, nameElement(child.branch.outcome)),
      element("span", { class: "probabilities", text: probabilitiesText(child.branch) }),
      barElement(child.branch.probabilities),
      element("span", { class: "next" }, ...next),
    );
  }

  /** Lead to the likeliest of the places where the same plan follows. */
  shared(node, text) {
    const way = node.plan.likeliestWay(node.state);
    const isHere = way.join() === node.line.slice(1).map((at) => at.number).join();
    const note = element("p", { class: "card-note", text });
    if (isHere) {
      note.append(" This is the likeliest of them.");
      return note;
    }
    const there = way.reduce((at, number) => at.children[number], node.line[0]);
    note.append(" Same as after ", stateElement(there), ". ");
    note.append(button({ class: "link", text: "Go there" }, () => this.go(there)));
    return note;
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.news.textContent = "The link to this position is copied.";
      this.linkButton.textContent = "Copied";
      setTimeout(() => { this.linkButton.textContent = "Copy link"; }, 1500);
    } catch {
      this.news.textContent = "The link to this position is in the address bar.";
      this.linkButton.textContent = "See the address bar";
    }
  }
}

/** How likely an outcome is, and how likely it would be without a deviation. */
function probabilitiesText({ probabilities, nominal }) {
  const isMoved = nominal !== null && nominal !== probabilities;
  return isMoved ? `${chanceText(probabilities)}, nominally ${chanceText(nominal)}` : chanceText(probabilities);
}

/** How likely each reward is, from a node on. */
function endingsElement(node) {
  const endings = node.plan.endings(node.state);
  const likely = [...endings].sort((a, b) => b[1] - a[1]).slice(0, MAX_ENDINGS);
  const list = element("ul", { class: "endings" });
  for (const ending of endings) {
    if (!likely.includes(ending)) continue;
    const [reward, probability] = ending;
    list.append(element(
      "li",
      {},
      reward === null ? element("span", { text: "not in this file" }) : valueElement(node.plan.shown(reward)),
      barElement(probability, asNumber(reward) > 0 ? "" : "muted"),
      element("span", { class: "probabilities", text: chanceText(probability) }),
    ));
  }
  const rest = endings.length - likely.length;
  if (rest > 0) list.append(element("li", { class: "rest", text: pluralText(rest, "other reward") }));
  return element("div", {}, element("h4", { text: "How it may end from here" }), list);
}

function barElement(share, style = "") {
  const width = 100 * share;
  return shape(
    "svg",
    { class: "share", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
    shape("rect", { class: "bw-track", width: 100, height: 6 }),
    shape("rect", { class: `bw-bar ${style}`, width, height: 6 }),
  );
}
