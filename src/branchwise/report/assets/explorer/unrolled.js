// The tree, unrolled only as far as somebody looks.

/** One point of the tree: a state of the plan, and the way there. */
class PlanNode {
  constructor(plan, state, parent, number) {
    this.plan = plan;
    this.state = state;
    this.parent = parent;
    this.number = number; // which branch of its parent leads here
    this.isOpen = false;
    this.depth = parent ? parent.depth + 1 : 0;
    this.branch = parent ? plan.branch(parent.state, number) : null;
    this.probability = parent ? parent.probability * this.branch.probabilities : 1;
    this.known = null;
  }

  get action() { return this.plan.action(this.state); }

  get value() { return this.plan.shown(this.plan.states.value[this.state]); }

  get reward() { return this.plan.shown(this.plan.states.reward[this.state]); }

  /** Whether we come here if the likeliest happens at every step. */
  get isLikeliest() {
    const { parent } = this;
    if (!parent) return true;
    this.onLikeliest ??= parent.isLikeliest
      && this.plan.likeliestBranch(parent.state) === this.number;
    return this.onLikeliest;
  }

  get isLeaf() { return this.plan.states.action[this.state] < 0; }

  get canOpen() { return this.plan.numBranches(this.state) > 0; }

  get children() {
    if (this.known === null) {
      const length = this.plan.numBranches(this.state);
      this.known = Array.from({ length }, (_, number) => (
        new PlanNode(this.plan, this.plan.branch(this.state, number).state, this, number)
      ));
    }
    return this.known;
  }

  /** The nodes from the root to this one. */
  get line() {
    const line = [];
    for (let node = this; node; node = node.parent) line.push(node);
    return line.reverse();
  }

  /** What has happened on the way here, in order, by the numbers of names. */
  get events() {
    const { states, branchColumns } = this.plan;
    return this.line.slice(1).map((node) => ({
      action: states.action[node.parent.state],
      outcome: branchColumns.outcome[states.start[node.parent.state] + node.number],
    }));
  }

  /** What has happened on the way here, in words. */
  get history() {
    return this.line.slice(1).map((node) => `${node.parent.action} = ${node.branch.outcome}`);
  }

  get budgetLeft() { return budgetText(this.plan, this.events); }

  /** What is known here: how often each outcome has come up; or a state of one's own. */
  get description() {
    if (this.plan.descriptions) return this.plan.descriptions[this.state];
    const counts = new Map();
    for (const event of this.history) counts.set(event, (counts.get(event) ?? 0) + 1);
    const told = [...counts].map(([event, times]) => (
      times > 1 ? `${event} (${times} times)` : event
    ));
    return told.join(", ") || "nothing has happened yet";
  }
}

/** The part of the tree that is open. */
class OpenTree {
  constructor(plan) {
    this.root = new PlanNode(plan, 0, null, 0);
  }

  /** The nodes to be seen, each before its children, in order. */
  visible() {
    const nodes = [];
    const pending = [this.root];
    while (pending.length > 0) {
      const node = pending.pop();
      nodes.push(node);
      if (node.isOpen) {
        for (let i = node.children.length - 1; i >= 0; i -= 1) pending.push(node.children[i]);
      }
    }
    return nodes;
  }

  /** Close everything, then open the likeliest nodes until about so many are seen. */
  foldToLikely(maxNodes, maxDepth = Infinity) {
    for (const node of this.visible()) node.isOpen = false;
    return this.openLikely(this.root, maxNodes, maxDepth);
  }

  /** Open the likeliest nodes at and below one; tell how many more are seen then. */
  openLikely(start, maxNodes, maxDepth = Infinity) {
    const likelier = (a, b) => a.probability > b.probability;
    const pending = [start];
    let numSeen = 1;
    while (pending.length > 0 && numSeen < maxNodes) {
      const node = popLowest(pending, likelier);
      if (!node.canOpen || node.depth >= maxDepth) continue;
      node.isOpen = true;
      numSeen += node.children.length;
      for (const child of node.children) pushLowest(pending, child, likelier);
    }
    return numSeen;
  }

  /** Close the deepest level that is open; whether there was one. */
  foldLevel() {
    const open = this.visible().filter((node) => node.isOpen);
    const deepest = open.reduce((depth, node) => Math.max(depth, node.depth), -1);
    for (const node of open) if (node.depth === deepest) node.isOpen = false;
    return deepest >= 0;
  }

  /** Open the first level that has something closed, up to so many nodes. */
  unfoldLevel(maxNodes) {
    const seen = this.visible();
    const closed = seen.filter((node) => node.canOpen && !node.isOpen);
    const first = closed.reduce((depth, node) => Math.min(depth, node.depth), Infinity);
    let numSeen = seen.length;
    for (const node of closed) {
      if (node.depth !== first || numSeen > maxNodes) continue;
      node.isOpen = true;
      numSeen += node.children.length;
    }
    return closed.length > 0;
  }

  /** Open all that leads to a node. */
  reveal(node) {
    for (let at = node.parent; at; at = at.parent) at.isOpen = true;
  }

  /** Find the node that these branches lead to. */
  follow(way) {
    return way.reduce((node, number) => node.children[number], this.root);
  }
}
