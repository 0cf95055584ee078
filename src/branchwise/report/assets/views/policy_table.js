// The policy as a table: every state at which something is decided, the likeliest first.

const ROWS_AT_A_TIME = 50;
const MOST_LISTED = 20000; // of a larger policy, so many are looked through

/** Lists what to do at each state, finds rows by what they say, and saves them. */
class PolicyTable {
  constructor(tree, go) {
    this.tree = tree;
    this.plan = tree.root.plan;
    this.go = go;
    this.numShown = ROWS_AT_A_TIME;
    const { action, reached } = this.plan.states;
    const decisions = Array.from(action.keys()).filter((state) => action[state] >= 0);
    this.states = decisions.sort((a, b) => reached[b] - reached[a]).slice(0, MOST_LISTED);
    this.isCropped = decisions.length > MOST_LISTED;
    this.build();
    this.search();
  }

  build() {
    this.field = element("input", {
      type: "search", placeholder: "Find states and actions", spellcheck: "false",
      "aria-label": "Find rows of the table", autocomplete: "off",
    });
    this.field.addEventListener("input", () => { this.numShown = ROWS_AT_A_TIME; this.search(); });
    this.found = element("span", { class: "none", role: "status", "aria-live": "polite" });
    this.body = element("tbody");
    this.more = button({ text: "Show more" }, () => { this.numShown *= 4; this.search(); });
    const worth = this.plan.isCost ? "Costs from here on" : "Worth from here on";
    const heads = ["State: what has happened", "Do", "Probability", worth, "Left and known"];
    this.heads = heads;
    const numbers = [2, 3];
    const head = heads.map((text, i) => (
      element("th", { scope: "col", class: numbers.includes(i) ? "number" : undefined, text })
    ));
    const table = element("table", { class: "wide cards" }, element("thead", {}, element("tr", {}, ...head)), this.body);
    this.view = element(
      "div",
      { class: "policy" },
      element("div", { class: "tools" }, element("div", { class: "search" }, this.field), this.found,
        element("div", { class: "buttons" }, button({ text: "Save CSV" }, () => this.save()))),
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The policy" }, table, this.more),
    );
  }

  node(state) { return this.tree.follow(this.plan.likeliestWay(state)); }

  /** What a row is found by. */
  text(state) {
    this.texts ??= new Map();
    if (!this.texts.has(state)) {
      const node = this.node(state);
      this.texts.set(state, searchable(`${node.description} ${node.action} ${notesText(node)}`));
    }
    return this.texts.get(state);
  }

  search() {
    const wanted = searchable(this.field.value);
    this.matching = wanted
      ? this.states.filter((state) => this.text(state).includes(wanted)) : this.states;
    const shown = this.matching.slice(0, this.numShown);
    this.body.replaceChildren(...shown.map((state) => this.row(state)));
    this.more.hidden = shown.length === this.matching.length;
    const all = pluralText(this.states.length, this.isCropped ? "likely decision" : "decision");
    this.found.textContent = wanted ? `${countText(this.matching.length)} of ${all}` : all;
  }

  row(state) {
    const node = this.node(state);
    const places = this.plan.states.places[state];
    // On a phone each cell says what it is.
    const cell = (number, how, ...inside) => element("td", { ...how, "data-title": this.heads[number] }, ...inside);
    const others = places === 1 ? "" : ` and ${typeof places === "number" ? pluralText(places - 1, "other way", "other ways") : "many other ways"}`;
    return element(
      "tr",
      {},
      element("th", { scope: "row", class: "history" },
        button({ class: "link" }, () => this.go(node), node.parent ? stateElement(node) : "At the start"),
        element("small", { text: others })),
      cell(1, { class: "action" }, nameElement(node.action)),
      cell(2, { class: "number", text: chanceText(this.plan.states.reached[state]) }),
      cell(3, { class: "number" }, valueElement(node.value)),
      cell(4, {}, notesText(node) || "\u2013"),
    );
  }

  save() {
    const worth = this.plan.isCost ? "cost" : "worth";
    const rows = this.matching.map((state) => {
      const node = this.node(state);
      const { reached, places } = this.plan.states;
      return [node.description, node.action, reached[state], node.value, places[state], notesText(node)];
    });
    const head = ["state", "action", "probability", worth, "ways", "known"];
    save(fileName("policy", "csv"), "text/csv", csvText([head, ...rows]));
  }
}

/** What is left and known at a node, in words. */
function notesText(node) {
  const notes = node.plan.notes?.[node.state];
  if (notes) return notes.map(([name, text]) => `${name}: ${text}`).join("; ");
  return node.budgetLeft ? `Budget left: ${node.budgetLeft}` : "";
}
