// The whole tree in a corner, while a part of it fills the window.

const MINIMAP = { fewest: 60, least: 20, widest: 100, share: { width: 0.2, height: 0.6 } };

/** All that is open, as small as it has to be, with a frame around what is seen. */
class Minimap {
  constructor(parent, viewport) {
    this.viewport = viewport;
    this.canvas = element("canvas");
    this.seen = element("div", { class: "seen" });
    this.box = element("div", { class: "minimap", "aria-hidden": "true", hidden: "" }, this.canvas, this.seen);
    parent.append(this.box);
    this.box.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      this.box.setPointerCapture(event.pointerId);
      this.move(event);
    });
    this.box.addEventListener("pointermove", (event) => { if (event.buttons) this.move(event); });
    for (const name of ["pointerup", "click"]) {
      this.box.addEventListener(name, (event) => event.stopPropagation());
    }
  }

  /** Take over a new layout; where all of it can be read at once, none is needed. */
  show(nodes, size) {
    this.size = size;
    this.nodes = nodes;
    this.isDrawn = false;
    this.follow();
  }

  /** Put the frame around what is seen. */
  follow() {
    if (!this.size) return;
    const { seen, width, height } = this.viewport;
    const isAll = seen.left <= 0 && seen.top <= 0
      && seen.right >= this.size.width && seen.bottom >= this.size.height;
    const isSmall = this.nodes.length < MINIMAP.fewest;
    this.box.hidden = isAll || isSmall || this.viewport.isReadable(this.size);
    if (this.box.hidden) return;
    const wide = Math.min(MINIMAP.share.width * width, MINIMAP.widest);
    const high = MINIMAP.share.height * height;
    this.scale = Math.min(wide / this.size.width, high / this.size.height);
    if (!this.isDrawn) this.draw();
    const [left, right] = [seen.left, seen.right].map((x) => this.within(x, this.size.width));
    const [top, bottom] = [seen.top, seen.bottom].map((y) => this.within(y, this.size.height));
    Object.assign(this.seen.style, {
      left: `${this.inset + left}px`, width: `${right - left}px`,
      top: `${top}px`, height: `${Math.max(bottom - top, 2)}px`,
    });
  }

  within(place, end) { return Math.min(Math.max(place, 0), end) * this.scale; }

  draw() {
    const width = Math.max(this.size.width * this.scale, MINIMAP.least);
    const height = this.size.height * this.scale;
    this.inset = (width - this.size.width * this.scale) / 2;
    Object.assign(this.box.style, { width: `${width}px`, height: `${height}px` });
    const whole = { x: this.inset, y: 0, scale: this.scale, width, height };
    drawFar(this.canvas, whole, this.nodes, new Set());
    this.isDrawn = true;
  }

  /** Bring what is pressed into the middle of the window. */
  move(event) {
    const { left, top } = this.box.getBoundingClientRect();
    const x = (event.clientX - left - this.inset) / this.scale;
    const y = (event.clientY - top) / this.scale;
    this.viewport.center(x, y);
  }
}
