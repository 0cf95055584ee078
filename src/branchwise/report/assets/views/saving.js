// Saving: what is shown, as a file of its own. Nothing leaves the machine.

const INLINED = [
  "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "font-size",
  "font-weight", "font-family", "text-anchor", "paint-order",
];

/** Hand a text over to be saved under a name. */
function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Write rows as CSV, as spreadsheets read it. */
function csvText(rows) {
  const cell = (value) => {
    const text = String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Write a picture that is in the document as a file that needs no style sheet. */
function svgText(picture, { width, height, left = 0, top = 0 }) {
  const copy = picture.cloneNode(true);
  const shown = picture.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((made, i) => {
    const style = getComputedStyle(shown[i]);
    const isHidden = style.display === "none";
    for (const name of INLINED) {
      const value = style.getPropertyValue(name);
      if (value) made.setAttribute(name, value);
    }
    if (isHidden) made.setAttribute("display", "none");
    for (const name of ["class", "id", "role", "tabindex"]) made.removeAttribute(name);
  });
  copy.firstElementChild.removeAttribute("transform");
  const attributes = { xmlns: SVG, width, height, viewBox: `${left} ${top} ${width} ${height}` };
  for (const [name, value] of Object.entries(attributes)) copy.setAttribute(name, value);
  copy.removeAttribute("class");
  return new XMLSerializer().serializeToString(copy);
}

/** What a file is called: after the page. */
function fileName(what, end) {
  const name = document.title.replace(/ · branchwise$/, "").replace(/[^\p{L}\p{N}]+/gu, "-");
  return `${name.slice(0, 60).replace(/^-|-$/g, "") || "plan"}-${what}.${end}`;
}
