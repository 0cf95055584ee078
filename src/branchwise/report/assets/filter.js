// Finds individuals: shows the rows of a table that hold what somebody types.

for (const box of document.querySelectorAll("input[data-filters]")) {
  const rows = [...document.querySelectorAll(`#${box.dataset.filters} tbody tr`)];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const told = document.getElementById(`${box.dataset.filters}-found`);
  box.closest("label").hidden = false;
  box.addEventListener("input", () => {
    const wanted = box.value.trim().toLowerCase();
    let found = 0;
    rows.forEach((row, number) => {
      row.hidden = !texts[number].includes(wanted);
      found += row.hidden ? 0 : 1;
    });
    told.textContent = wanted ? `${found} found` : "";
  });
}
