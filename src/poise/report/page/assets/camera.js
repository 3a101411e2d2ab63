/* A camera that turns around what it looks at. */
class Camera {
  constructor(canvas, figure, changed) {
    this.figure = figure; this.changed = changed;
    this.shift = [0, 0, 0];
    this.preset('start');
    this.touches = new Map();
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.touches.set(event.pointerId, [event.clientX, event.clientY]);
    });
    for (const over of ['pointerup', 'pointercancel']) canvas.addEventListener(over, (event) => this.touches.delete(event.pointerId));
    canvas.addEventListener('pointermove', (event) => {
      const before = this.touches.get(event.pointerId);
      if (!before || !event.buttons) return;
      const now = [event.clientX, event.clientY], by = [now[0] - before[0], now[1] - before[1]];
      if (this.touches.size === 2) this.pinch(event.pointerId, before, now, canvas.clientHeight);
      else if (event.shiftKey || event.buttons & 6) this.move(by, canvas.clientHeight);
      else this.turn(by);
      this.touches.set(event.pointerId, now);
      this.changed();
    });
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => {
      // Until one has clicked into the picture the wheel is the page's.
      if (document.activeElement !== canvas) return;
      event.preventDefault();
      this.approach(Math.exp(0.0012 * event.deltaY));
      this.changed();
    }, { passive: false });
  }

  preset(name) {
    const heading = this.figure.heading;
    this.azimuth = heading + { start: this.figure.aside, front: 0, side: Math.PI / 2, top: Math.PI }[name];
    this.elevation = { start: 0.17, front: 0.08, side: 0.08, top: 1.5 }[name];
    this.distance = (name === 'top' ? 3.2 : 2.6) * this.figure.size;
    this.shift = [0, 0, 0];
    this.changed();
  }

  /** Two fingers: apart comes closer, together goes away, and both at once move the picture. */
  pinch(finger, before, now, height) {
    const [other] = [...this.touches].filter(([id]) => id !== finger).map(([, place]) => place);
    const apart = ([x, y]) => Math.max(Math.hypot(x - other[0], y - other[1]), 1);
    this.approach(apart(before) / apart(now));
    this.move([0.5 * (now[0] - before[0]), 0.5 * (now[1] - before[1])], height);
  }

  approach(factor) { this.distance = Math.min(Math.max(this.distance * factor, 0.4), 60); }

  move([x, y], height) {
    const { right, up } = this.axes(), step = (0.5 * this.distance) / height;
    this.shift = add(add(this.shift, right, -step * x), up, step * y);
  }

  turn([x, y]) {
    this.azimuth -= 0.006 * x;
    this.elevation = Math.min(Math.max(this.elevation + 0.006 * y, -0.3), 1.55);
  }

  axes() {
    const level = Math.cos(this.elevation);
    const back = [level * Math.cos(this.azimuth), level * Math.sin(this.azimuth), Math.sin(this.elevation)];
    const right = [-Math.sin(this.azimuth), Math.cos(this.azimuth), 0];
    return { back, right, up: cross(back, right) };
  }

  view(root) {
    const { back, up } = this.axes(), target = add([root[0], root[1], root[2] + this.figure.middle], this.shift);
    const size = this.figure.size;
    // What is nearer than the character, within its outline, is thinned.
    const clear = [0.32 * size, 0.6 * size, this.distance - 0.35 * size];
    return { target, up, distance: this.distance, eye: add(target, back, this.distance), clear };
  }
}
