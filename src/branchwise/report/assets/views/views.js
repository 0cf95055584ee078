// Three views of one plan: as a tree, as a table, and as a graph of its states.

/** Tabs; what a view needs is made when it is first looked at. */
class Views {
  constructor(views) {
    this.views = views; // by name: what makes it, and what to do when it is shown
    this.tabs = new Map();
    this.panels = new Map();
    this.bar = element("div", { class: "tabs", role: "tablist", "aria-label": "Views of the plan" });
    this.box = element("div", { class: "views" });
    for (const name of Object.keys(views)) this.add(name);
    this.bar.addEventListener("keydown", (event) => this.key(event));
    this.show(Object.keys(views)[0]);
  }

  add(name) {
    const tab = button(
      { text: name, role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` },
      () => this.show(name),
    );
    const panel = element("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, hidden: "" });
    this.tabs.set(name, tab);
    this.panels.set(name, panel);
    this.bar.append(tab);
    this.box.append(panel);
  }

  show(name) {
    for (const [each, tab] of this.tabs) {
      tab.setAttribute("aria-selected", each === name);
      tab.tabIndex = each === name ? 0 : -1;
      this.panels.get(each).hidden = each !== name;
    }
    const panel = this.panels.get(name);
    if (!panel.firstChild) panel.append(...this.views[name].make());
    this.views[name].shown?.();
    for (const about of document.querySelectorAll("[data-view]")) {
      about.hidden = about.dataset.view !== name;
    }
  }

  key(event) {
    const names = [...this.tabs.keys()];
    const at = names.findIndex((name) => this.tabs.get(name) === document.activeElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    const next = names[(at + step + names.length) % names.length];
    this.show(next);
    this.tabs.get(next).focus();
  }
}
