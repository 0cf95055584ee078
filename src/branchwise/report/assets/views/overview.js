// Large still pictures: fitted where that can be read, else with an overview to move by.

const FITTED = 0.62; // down to this scale, the letters of a picture can be read

/** Let every large picture of the page fit its box, or give it an overview. */
function overlookPictures() {
  for (const picture of document.querySelectorAll("figure .scroll > svg.bw-graph")) {
    const room = picture.parentElement.clientWidth;
    const wide = picture.width.baseVal.value;
    if (room === 0 || wide <= room) continue;
    if (room / wide >= FITTED) picture.classList.add("fitted");
    else new Overview(picture);
  }
}

/** A small copy of a picture, with a frame around the part that is seen. */
class Overview {
  constructor(picture) {
    this.picture = picture;
    this.box = picture.parentElement;
    this.copy = picture.cloneNode(true);
    for (const part of [this.copy, ...this.copy.querySelectorAll("[id]")]) part.removeAttribute("id");
    for (const name of ["aria-labelledby", "role", "width", "height"]) this.copy.removeAttribute(name);
    this.copy.setAttribute("class", "overview");
    this.copy.setAttribute("aria-hidden", "true");
    this.frame = shape("rect", { class: "seen", y: 0 });
    this.copy.append(this.frame);
    this.box.before(this.copy);
    this.box.addEventListener("scroll", () => this.follow());
    new ResizeObserver(() => this.follow()).observe(this.box);
    this.copy.addEventListener("pointerdown", (event) => this.move(event));
    this.copy.addEventListener("pointermove", (event) => { if (event.buttons) this.move(event); });
  }

  /** Put the frame around what is seen. */
  follow() {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.box;
    const look = { x: scrollLeft, y: scrollTop, width: clientWidth, height: clientHeight };
    for (const [name, value] of Object.entries(look)) this.frame.setAttribute(name, value);
  }

  /** Bring what is pressed into the middle of the box. */
  move(event) {
    const { left, top, width, height } = this.copy.getBoundingClientRect();
    const { viewBox: { baseVal: all } } = this.picture;
    const x = ((event.clientX - left) / width) * all.width;
    const y = ((event.clientY - top) / height) * all.height;
    this.box.scrollTo(x - this.box.clientWidth / 2, y - this.box.clientHeight / 2);
  }
}
