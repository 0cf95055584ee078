// Elements, made one by one. Text is only ever set as text, so nothing that a problem
// says can become markup.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element: its class, its attributes, and what is inside it. */
function element(tag, { text, ...attributes } = {}, ...children) {
  return filled(document.createElement(tag), text, attributes, children);
}

/** Make an element of a picture. */
function shape(tag, { text, ...attributes } = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), text, attributes, children);
}

function filled(made, text, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(name, value);
  }
  if (text !== undefined) made.textContent = text;
  made.append(...children.filter((child) => child));
  return made;
}

/** Show a name that somebody gave; its direction of writing stays its own. */
function nameElement(text) {
  return element("bdi", { text });
}

/** Show what came of an action. */
function eventElement(action, outcome) {
  return element("span", { class: "event" }, nameElement(action), "\u00a0=\u00a0", nameElement(outcome));
}

/** Make a button that does something. */
function button(attributes, act, ...children) {
  const made = element("button", { type: "button", ...attributes }, ...children);
  made.addEventListener("click", act);
  return made;
}

/** Make a list of facts; those that say nothing are left out. */
function factList(facts) {
  const list = element("dl", { class: "node-facts" });
  for (const [label, what] of facts) {
    if (what === "" || what === null) continue;
    list.append(element("div", {}, element("dt", { text: label }), element("dd", {}, what)));
  }
  return list;
}
