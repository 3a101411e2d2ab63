/* A camera that turns around what it looks at. */
class Camera {
  constructor(canvas, figure, changed) {
    this.figure = figure; this.changed = changed;
    this.shift = [0, 0, 0];
    this.preset('start');
    canvas.addEventListener('pointerdown', (event) => { canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener('pointermove', (event) => { if (event.buttons) this.drag(event, canvas.clientHeight); });
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => {
      // Until one has clicked into the picture the wheel is the page's.
      if (document.activeElement !== canvas) return;
      event.preventDefault();
      this.distance = Math.min(Math.max(this.distance * Math.exp(0.0012 * event.deltaY), 0.4), 60);
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

  drag(event, height) {
    if (event.shiftKey || event.buttons & 6) {
      const { right, up } = this.axes(), step = (0.5 * this.distance) / height;
      this.shift = add(add(this.shift, right, -step * event.movementX), up, step * event.movementY);
    } else {
      this.azimuth -= 0.006 * event.movementX;
      this.elevation = Math.min(Math.max(this.elevation + 0.006 * event.movementY, -0.3), 1.55);
    }
    this.changed();
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
