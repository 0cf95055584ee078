// Search: find actions, outcomes and states by what they say.

const MAX_FOUND = 40;

/** How texts are compared: whatever the case, and with or without room around `=`. */
function searchable(text) { return text.toLowerCase().replace(/\s*=\s*/g, "=").trim(); }

/** Finds states of a plan by a text; the likeliest come first. */
class Finder {
  constructor(plan) { this.plan = plan; }

  get order() {
    const { reached } = this.plan.states;
    this.known ??= Array.from(reached.keys()).sort((a, b) => reached[b] - reached[a]);
    return this.known;
  }

  /**
   * Give the states that a text is found in, and whether there are more; those that do
   * what is searched come before those that follow it.
   */
  find(query) {
    const wanted = searchable(query);
    const doing = [];
    const after = [];
    const names = new Set(wanted ? this.namesWith(wanted) : []);
    for (const state of wanted ? this.order : []) {
      if (doing.length > MAX_FOUND) break;
      if (names.has(this.plan.states.action[state])) doing.push(state);
      else if (after.length <= MAX_FOUND && this.follows(state, wanted, names)) after.push(state);
    }
    const found = [...doing, ...after];
    return { found: found.slice(0, MAX_FOUND), isMore: found.length > MAX_FOUND };
  }

  /** The numbers of the names that a text is found in. */
  namesWith(wanted) {
    return this.plan.names.flatMap((name, i) => (searchable(name).includes(wanted) ? [i] : []));
  }

  /** Whether a state is an end, or comes of an outcome, that is searched. */
  follows(state, wanted, names) {
    const { plan } = this;
    const { action, before, by, start, reward } = plan.states;
    if (action[state] < 0 && `stop with ${valueText(reward[state])}`.includes(wanted)) return true;
    if (plan.descriptions && searchable(plan.descriptions[state]).includes(wanted)) return true;
    if (state === 0) return false;
    const outcome = plan.branchColumns.outcome[start[before[state]] + by[state]];
    if (names.has(outcome)) return true;
    const event = `${plan.action(before[state])}=${plan.names[outcome]}`;
    return searchable(event).includes(wanted);
  }
}

/** A field to type into, and what is found. */
class SearchBox {
  constructor(tree, plan, go) {
    this.tree = tree;
    this.finder = new Finder(plan);
    this.go = go;
    this.field = element("input", {
      type: "search", placeholder: "Search actions, outcomes, states", spellcheck: "false",
      "aria-label": "Search the plan", "aria-controls": "found", autocomplete: "off",
    });
    this.list = element("ul", { id: "found", class: "found", hidden: "", "aria-label": "Found" });
    this.box = element("div", { class: "search" }, this.field, this.list);
    this.field.addEventListener("input", () => this.search());
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("focusout", (event) => {
      if (!this.box.contains(event.relatedTarget)) this.list.hidden = true;
    });
    this.field.addEventListener("focus", () => { if (this.field.value) this.search(); });
  }

  search() {
    const { found, isMore } = this.finder.find(this.field.value);
    const items = found.map((state) => element("li", {}, this.result(state)));
    if (isMore) items.push(element("li", { class: "none", text: "and more: type on" }));
    if (found.length === 0) items.push(element("li", { class: "none", text: "Nothing found" }));
    this.list.replaceChildren(...items);
    this.list.hidden = this.field.value.trim() === "";
  }

  result(state) {
    const node = this.tree.follow(this.finder.plan.likeliestWay(state));
    const places = node.plan.states.places[state];
    const what = node.isLeaf ? `stop with ${valueText(node.reward)}` : node.action;
    const where = places === 1 ? "" : `, one of ${countText(places)} places`;
    return button(
      {},
      () => { this.list.hidden = true; this.go(node); },
      element("strong", {}, nameElement(cropped(what, 60))),
      element("span", {}, node.parent ? " after " : " at the start", node.parent && stateElement(node)),
      element("span", { class: "probabilities", text: ` ${chanceText(node.probability)}${where}` }),
    );
  }

  key(event) {
    const stops = [this.field, ...this.list.querySelectorAll("button")];
    const at = stops.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !this.list.hidden) {
      event.preventDefault();
      stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus();
    } else if (event.key === "Enter" && at === 0) {
      stops[1]?.click();
    } else if (event.key === "Escape") {
      this.list.hidden = true;
      this.field.focus();
    }
  }
}
