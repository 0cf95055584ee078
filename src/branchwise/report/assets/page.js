// The start: the still page becomes one to walk through, or stays as it was.

function start() {
  const mount = document.getElementById("explorer");
  try {
    const data = JSON.parse(document.getElementById("plan-data").textContent);
    new Explorer(mount, new Plan(data));
  } catch (error) {
    mount.replaceChildren();
    throw error;
  }
  overlookPictures();
  document.documentElement.classList.add("alive");
  document.documentElement.dataset.state = "ready";
  performance.mark("branchwise-ready");
}

start();
