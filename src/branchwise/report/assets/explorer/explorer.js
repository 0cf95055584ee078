// The tree to look into: the picture, its tools, and the keys that move in it.

// A tree arrives folded to about as many nodes as can be read at once.
const LIKELY_NODES = [60, 50, 42, 36, 30, 25, 20, 16, 12, 9, 6];
const LEVELS = [Infinity, 8, 7, 6, 5, 4, 3, 2, 1];
const MOST_NODES = 100000; // more are never unrolled at once
const PART = "This file holds the likeliest part of the plan; dashed nodes are where it ends.";

/** Puts the parts together: the tree, where we stand in it, and what is shown of it. */
class Explorer {
  constructor(mount, plan) {
    this.plan = plan;
    this.tree = new OpenTree(plan);
    this.position = this.tree.root;
    this.cursor = this.tree.root;
    this.build(mount);
    // The panel decides how high the picture is, so it is filled first.
    this.panel.show(this.position);
    this.foldToReadable();
    this.viewport.begin(this.size, this.tree.root);
    this.goToAddress();
    window.addEventListener("popstate", () => this.goToAddress());
  }

  build(mount) {
    this.frame = element("div", {
      class: "frame-of-tree", role: "tree", tabindex: "0", id: "tree-view",
      "aria-label": "Decision tree. Arrow keys move, Enter walks there, Space folds.",
    });
    this.viewport = new Viewport(this.frame, {
      changed: () => this.viewChanged(),
      clicked: (place) => this.click(place),
      hovered: (place) => this.hover(place),
    });
    this.drawing = new Drawing(this.frame, this.viewport);
    this.minimap = new Minimap(this.frame, this.viewport);
    this.card = new DetailCard(this.frame);
    this.panel = new WalkPanel({
      go: (node, how) => this.go(node, how),
      back: () => this.go(this.position.parent, { isFocused: true }),
      restart: () => this.go(this.tree.root, { isFocused: true }),
    });
    this.search = new SearchBox(this.tree, this.plan, (node) => this.go(node));
    mount.append(element("div", { class: "explorer" }, this.views(), this.panel.panel));
    this.lettering = new Lettering(getComputedStyle(this.frame).fontFamily);
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.frame.addEventListener("focus", () => this.showCard(this.cursor));
    this.frame.addEventListener("blur", () => this.card.hide());
  }

  /** The plan as a tree, as a table and as a graph; the last two when asked for. */
  views() {
    const go = (node) => this.go(node);
    const views = new Views({
      Tree: { make: () => [this.tools(), this.frame] },
      Table: { make: () => [new PolicyTable(this.tree, go).view] },
      Graph: {
        make: () => {
          this.graph = new MergedGraph(this.tree, this.lettering, go);
          return [this.graph.view];
        },
        shown: () => this.graph.shown(),
      },
    });
    const note = !this.plan.isComplete && element("p", { class: "part", text: PART });
    return element("div", { class: "picture" }, views.bar, views.box, note);
  }

  tools() {
    const tool = (text, label, act) => button({ text, "aria-label": label, title: label }, act);
    return element(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "Tree" },
      this.search.box,
      element(
        "div",
        { class: "buttons" },
        tool("\u2212", "Zoom out", () => this.viewport.zoom(1 / 1.4)),
        tool("+", "Zoom in", () => this.viewport.zoom(1.4)),
        tool("Fit", "Fit what is open into the window", () => this.viewport.fit(this.size)),
        tool("Fold", "Fold one level, the last", () => this.step(this.tree.foldLevel())),
        tool("Unfold", "Unfold one more level", () => this.step(this.tree.unfoldLevel(MOST_NODES))),
        tool("Likely", "Fold to the likely part", () => this.fold()),
        tool("All", "Unfold every node, the likeliest first", () => this.unfold()),
        tool("Save SVG", "Save what is open as a picture", () => this.save()),
      ),
    );
  }

  /** Lay out what is open; a node that was pressed stays where it is. */
  relay(anchor = null) {
    const before = anchor && anchor.y;
    this.nodes = this.tree.visible();
    this.size = layOut(this.nodes, this.lettering);
    if (anchor) this.viewport.y -= (anchor.y - before) * this.viewport.scale;
    this.drawing.show(this.nodes);
    this.minimap.show(this.nodes, this.size);
    this.drawing.mark(this.cursor, this.position);
    this.frame.setAttribute("aria-activedescendant", nodeId(this.cursor));
  }

  toggle(node) {
    if (!node.canOpen) return;
    node.isOpen = !node.isOpen;
    if (!node.isOpen && this.cursor.line.includes(node)) this.cursor = node;
    this.relay(node);
  }

  /** Fold what is unlikely, until the rest can be read as a whole. */
  foldToReadable() {
    let best = { numSeen: 0, many: LIKELY_NODES.at(-1), levels: LEVELS.at(-1) };
    for (const many of LIKELY_NODES) {
      for (const levels of LEVELS) {
        this.tree.foldToLikely(many, levels);
        const nodes = this.tree.visible();
        const isRead = this.viewport.isReadable(layOut(nodes, this.lettering));
        if (isRead && nodes.length > best.numSeen) best = { numSeen: nodes.length, many, levels };
      }
    }
    this.tree.foldToLikely(best.many, best.levels);
    this.relay();
  }

  fold() {
    this.cursor = this.tree.root;
    this.foldToReadable();
    this.tree.reveal(this.position);
    this.cursor = this.position;
    this.relay();
    this.viewport.begin(this.size, this.tree.root);
  }

  /** Show one level more or less: all of it if it can be read, else where we were. */
  step(isChanged) {
    if (!isChanged) return;
    if (!this.tree.visible().includes(this.cursor)) this.cursor = this.tree.root;
    this.relay(this.tree.root);
    if (this.viewport.isReadable(this.size)) this.viewport.fit(this.size);
  }

  /** Open all; where that is too much to be read at once, look at the likeliest end. */
  unfold() {
    this.tree.openLikely(this.tree.root, MOST_NODES);
    this.relay();
    const likeliest = this.nodes.filter((node) => node.isLikeliest).at(-1);
    if (this.viewport.isReadable(this.size)) this.viewport.fit(this.size);
    else this.viewport.endAt(boxOf(likeliest));
  }

  /** Save all that is open, also what is not seen. */
  save() {
    const { width, height } = this.size;
    const around = { left: -12, top: -24, width: width + 24, height: height + 36 };
    const text = this.drawing.whole((picture) => svgText(picture, around));
    save(fileName("tree", "svg"), "image/svg+xml", text);
  }

  /** Walk to a node: show it, say it, and put it into the address. */
  go(node, { isFocused = false } = {}) {
    const address = addressOf(node);
    this.stand(node);
    this.panel.announce(node, { isFocused });
    if (!hasAddress() || location.hash === address) return;
    history.pushState(null, "", address || location.href.split("#")[0]);
  }

  goToAddress() {
    const node = nodeAt(this.tree.root, location.hash);
    this.stand(node ?? this.tree.root);
    if (!node) this.panel.warn("The link leads to a position that this plan never comes to.");
    else if (node.parent) this.panel.announce(node, { isFocused: false });
  }

  stand(node) {
    this.position = node;
    this.cursor = node;
    this.tree.reveal(node);
    node.isOpen = node.canOpen;
    this.relay();
    this.panel.show(node);
    if (node.parent || this.hasWalked) this.bringIn(node);
    this.hasWalked = true;
    this.card.hide();
  }

  /** Bring a node into view; where all can be read at once, nothing moves. */
  bringIn(node) {
    const { seen, scale } = this.viewport;
    const isWide = seen.left <= 0 && seen.right >= this.size.width;
    const isHigh = seen.top <= 0 && seen.bottom >= this.size.height;
    if (isWide && isHigh && scale >= SCALES.legible) return;
    this.viewport.bringIn(boxOf(node));
  }

  moveTo(node) {
    this.cursor = node;
    this.drawing.mark(node, this.position);
    this.bringIn(node);
    this.drawing.refresh();
    this.frame.setAttribute("aria-activedescendant", nodeId(node));
    this.showCard(node);
  }

  showCard(node) { this.card.show(node, this.viewport); }

  viewChanged() {
    this.drawing.refresh();
    this.minimap.follow();
    if (this.card.card.hidden) return;
    if (this.frame.matches(":focus")) this.card.place(this.cursor, this.viewport);
    else this.card.hide();
  }

  /** Find the node at a place of the frame, and whether its toggle is meant. */
  pick(place) {
    const [x, y] = this.viewport.inPicture(...place);
    const slack = 4 / this.viewport.scale;
    for (const node of this.nodes) {
      const box = boxOf(node);
      if (y < box.top - slack || y > box.bottom + slack || x < box.left - slack) continue;
      if (x <= box.right + slack / 4) return { node, isToggle: false };
      const toggle = toggleOf(node);
      const reach = Math.hypot(x - toggle.x, y - toggle.y);
      if (node.canOpen && reach < toggle.radius + slack) return { node, isToggle: true };
    }
    return null;
  }

  click(place) {
    this.frame.focus({ preventScroll: true });
    const picked = this.pick(place);
    if (!picked) this.card.hide();
    else if (picked.isToggle) this.toggle(picked.node);
    else {
      this.go(picked.node);
      // A finger leaves nothing to look closer at: the panel says it all.
      if (matchMedia("(hover: hover)").matches) this.showCard(picked.node);
    }
  }

  hover(place) {
    const picked = place && this.pick(place);
    this.frame.classList.toggle("pointing", Boolean(picked));
    if (picked && !picked.isToggle) this.showCard(picked.node);
    else if (this.frame.matches(":focus-visible")) this.showCard(this.cursor);
    else this.card.hide();
  }

  key(event) {
    const act = event.shiftKey ? panKeys(this.viewport)[event.key] : this.keys()[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  }

  keys() {
    const { cursor, nodes, viewport } = this;
    const at = nodes.indexOf(cursor);
    const step = (to) => () => { if (nodes[to]) this.moveTo(nodes[to]); };
    return {
      ArrowDown: step(at + 1),
      ArrowUp: step(at - 1),
      ArrowRight: () => {
        if (cursor.canOpen && !cursor.isOpen) this.toggle(cursor);
        else if (cursor.isOpen) this.moveTo(cursor.children[0]);
      },
      ArrowLeft: () => {
        if (cursor.isOpen) this.toggle(cursor);
        else if (cursor.parent) this.moveTo(cursor.parent);
      },
      Home: step(0),
      End: step(nodes.length - 1),
      Enter: () => this.go(cursor),
      " ": () => this.toggle(cursor),
      "+": () => viewport.zoom(1.25),
      "=": () => viewport.zoom(1.25),
      "-": () => viewport.zoom(0.8),
      0: () => viewport.fit(this.size),
      Escape: () => this.card.hide(),
    };
  }
}

/** With the shift key, arrows move the picture. */
function panKeys(viewport) {
  const far = 80;
  return {
    ArrowLeft: () => viewport.pan(far, 0),
    ArrowRight: () => viewport.pan(-far, 0),
    ArrowUp: () => viewport.pan(0, far),
    ArrowDown: () => viewport.pan(0, -far),
    "+": () => viewport.zoom(1.25),
  };
}
