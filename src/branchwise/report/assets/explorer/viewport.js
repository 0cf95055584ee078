// The window onto the tree: where it looks, how close, and the hands that move it.

const SCALES = { smallest: 0.0001, largest: 2.5, fitted: 1.15, legible: 0.5, readable: 0.7 };
const MARGIN = 16;
const CLICK_REACH = 5; // a pointer that moved further was dragging

/** What part of the picture is seen; tells when that changes. */
class Viewport {
  constructor(frame, { changed, clicked, hovered }) {
    this.frame = frame;
    this.changed = changed;
    this.clicked = clicked;
    this.hovered = hovered;
    this.x = 0; // where the picture's origin is, in the frame
    this.y = 0;
    this.scale = 1;
    this.pointers = new Map();
    this.motion = 0;
    this.listen();
  }

  get width() { return this.frame.clientWidth; }

  get height() { return this.frame.clientHeight; }

  /** The part of the picture that is seen. */
  get seen() {
    const left = -this.x / this.scale;
    const top = -this.y / this.scale;
    return {
      left, top, right: left + this.width / this.scale, bottom: top + this.height / this.scale,
    };
  }

  /** Turn a place in the frame into one in the picture. */
  inPicture(x, y) { return [(x - this.x) / this.scale, (y - this.y) / this.scale]; }

  set(x, y, scale) {
    cancelAnimationFrame(this.motion);
    this.put(x, y, scale);
  }

  put(x, y, scale) {
    this.x = x;
    this.y = y;
    this.scale = scale;
    this.changed();
  }

  pan(dx, dy) { this.set(this.x + dx, this.y + dy, this.scale); }

  /** Zoom by a factor; what is at a place of the frame stays there. */
  zoom(factor, atX = this.width / 2, atY = this.height / 2) {
    const wanted = this.scale * factor;
    const scale = Math.min(Math.max(wanted, SCALES.smallest), SCALES.largest);
    const ratio = scale / this.scale;
    this.set(atX - (atX - this.x) * ratio, atY - (atY - this.y) * ratio, scale);
  }

  /** How large the whole picture can be shown. */
  scaleToFit(size) {
    const across = (this.width - 2 * MARGIN) / size.width;
    const down = (this.height - 2 * MARGIN) / size.height;
    return Math.max(Math.min(across, down, SCALES.fitted), SCALES.smallest);
  }

  /** Show the whole picture, however small. */
  fit(size) {
    const scale = this.scaleToFit(size);
    const x = (this.width - size.width * scale) / 2;
    this.glide(x, (this.height - size.height * scale) / 2, scale);
  }

  isReadable(size) { return this.scaleToFit(size) >= SCALES.readable; }

  /** Show the picture whole if it can be read then, else its beginning. */
  begin(size, root) {
    if (this.isReadable(size)) {
      this.fit(size);
      return;
    }
    const scale = SCALES.readable;
    this.glide(MARGIN / 2, this.height / 2 - root.y * scale, scale);
  }

  /** Show an end at a size that can be read, with what leads to it at its left. */
  endAt(box) {
    const scale = SCALES.readable;
    const x = Math.min(MARGIN / 2, 0.8 * this.width - box.right * scale);
    this.glide(x, this.height / 2 - ((box.top + box.bottom) / 2) * scale, scale);
  }

  /** Bring a point into the middle, as close as things are. */
  center(x, y) {
    this.set(this.width / 2 - x * this.scale, this.height / 2 - y * this.scale, this.scale);
  }

  /** Bring a place into view, and no more than that. */
  bringIn(box, { isCentered = false } = {}) {
    const scale = Math.max(this.target?.scale ?? this.scale, SCALES.legible);
    const { width, height } = this;
    const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
    const [x, y] = [this.x + middle.x * this.scale, this.y + middle.y * this.scale];
    const isInside = x > 0.25 * width && x < 0.8 * width && y > 60 && y < height - 60;
    if (isInside && !isCentered && scale === this.scale) return;
    this.glide(0.4 * width - middle.x * scale, height / 2 - middle.y * scale, scale);
  }

  /** Move there; at once for those who want no motion. */
  glide(x, y, scale) {
    cancelAnimationFrame(this.motion);
    const from = { x: this.x, y: this.y, scale: this.scale };
    this.target = { x, y, scale };
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isStill || !this.hasBegun || document.hidden) {
      this.hasBegun = true;
      this.put(x, y, scale);
      return;
    }
    const start = performance.now();
    const step = (now) => {
      const share = Math.min((now - start) / 260, 1);
      const done = 1 - (1 - share) ** 3;
      const between = (key) => from[key] + (this.target[key] - from[key]) * done;
      this.put(between("x"), between("y"), between("scale"));
      if (share < 1) this.motion = requestAnimationFrame(step);
    };
    this.motion = requestAnimationFrame(step);
  }

  listen() {
    const { frame } = this;
    frame.addEventListener("pointerdown", (event) => this.press(event));
    frame.addEventListener("pointermove", (event) => this.move(event));
    frame.addEventListener("pointerup", (event) => this.release(event));
    frame.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    frame.addEventListener("pointerleave", () => this.hovered(null));
    frame.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    new ResizeObserver(() => this.changed()).observe(frame);
  }

  place(event) {
    const box = this.frame.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  press(event) {
    if (event.button !== 0) return;
    this.pointers.set(event.pointerId, this.place(event));
    if (this.pointers.size === 1) this.pressed = { at: this.place(event), isDrag: false };
  }

  move(event) {
    const now = this.place(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") this.hovered(now);
      return;
    }
    const reach = Math.hypot(now[0] - this.pressed.at[0], now[1] - this.pressed.at[1]);
    if (!this.pressed.isDrag && reach < CLICK_REACH) return;
    if (!this.pressed.isDrag) this.frame.setPointerCapture(event.pointerId);
    this.pressed.isDrag = true;
    this.hovered(null);
    if (this.pointers.size === 2) this.pinch(event.pointerId, now);
    else this.pan(now[0] - before[0], now[1] - before[1]);
    this.pointers.set(event.pointerId, now);
  }

  /** Two fingers: the picture stays under both. */
  pinch(id, now) {
    const [[, other]] = [...this.pointers].filter(([pointer]) => pointer !== id);
    const before = this.pointers.get(id);
    const span = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
    this.zoom(span(now, other) / span(before, other), ...other);
  }

  release(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (!this.pressed.isDrag) this.clicked(this.pressed.at);
  }

  /** A wheel zooms a tree that has the focus; else it scrolls the page. */
  wheel(event) {
    const isOurs = event.ctrlKey || this.frame.matches(":focus, :focus-within");
    if (!isOurs) return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 30 : 1;
    const strength = event.ctrlKey ? 0.01 : 0.0018;
    this.zoom(Math.exp(-event.deltaY * unit * strength), ...this.place(event));
  }
}
