// The start: the static page becomes one to walk through.

const data = JSON.parse(document.getElementById("plan-data").textContent);
document.documentElement.classList.add("alive");
new Explorer(document.getElementById("explorer"), new Plan(data));
performance.mark("branchwise-ready");
document.documentElement.dataset.state = "ready";
