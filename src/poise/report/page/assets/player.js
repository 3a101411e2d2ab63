/* Time, controls, and what follows time: picture, timeline, charts and the list of events. */
class Player {
  constructor(listing) {
    this.listing = listing; this.end = listing.end; this.time = 0; this.playing = false;
    this.control = (id) => document.getElementById(id);
    if (!listing.figures.some((figure) => figure.looks)) this.control('own').parentElement.remove();
    if (!listing.markers) this.control('markers')?.parentElement.remove();
    this.switches = ['own', 'ghost', 'markers', 'forces', 'props', 'colliders', 'follow', 'beside', 'still'].filter((id) => this.control(id));
    this.tags = [...document.querySelectorAll('.tag')];
    this.playheads = [...document.querySelectorAll('.plot .playhead')].map((line) => {
      const { left, right } = line.closest('figure').dataset, width = line.ownerSVGElement.viewBox.baseVal.width;
      return { line, left: left * width, right: right * width };
    });
    this.listed = [...document.querySelectorAll('aside li button')];
    this.listen();
  }

  listen() {
    const control = this.control;
    control('scrub').max = Math.round(this.end * 1000);
    control('scrub').addEventListener('input', (event) => { this.playing = false; this.seek(event.target.value / 1000); });
    control('play').addEventListener('click', () => this.toggle());
    control('previous')?.addEventListener('click', () => this.jump(-1));
    control('next')?.addEventListener('click', () => this.jump(1));
    for (const id of this.switches) control(id).addEventListener('change', () => this.redraw());
    document.addEventListener('click', (event) => {
      const button = event.target.closest('[data-time]');
      if (button) { this.playing = false; this.seek(Number(button.dataset.time)); }
      // After a click with the mouse the space bar plays again; who came by keyboard stays where they are.
      if (event.detail && event.target.closest('button, label')) setTimeout(() => document.activeElement.blur());
    });
    for (const svg of document.querySelectorAll('.plot svg')) {
      svg.addEventListener('click', (event) => {
        const { left, right } = svg.closest('figure').dataset, box = svg.getBoundingClientRect();
        this.playing = false;
        this.seek((this.end * ((event.clientX - box.left) / box.width - left)) / (right - left));
      });
    }
    document.addEventListener('keydown', (event) => this.key(event));
    for (const button of document.querySelectorAll('[data-view]')) button.addEventListener('click', () => this.camera?.preset(button.dataset.view));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { this.colors = null; this.redraw(); });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('select, summary')) return;
    if (event.key === ' ' && event.target.closest('button, [type=checkbox]')) return;
    const step = (event.shiftKey ? 10 : 1) / this.listing.rate;
    const still = (action) => () => { this.playing = false; action(); };
    const flip = (id) => this.switches.includes(id) && (() => { this.control(id).checked = !this.control(id).checked; this.redraw(); });
    const actions = {
      ' ': () => this.toggle(), ArrowLeft: still(() => this.step(-step)), ArrowRight: still(() => this.step(step)),
      Home: still(() => this.seek(0)), End: still(() => this.seek(this.end)), PageUp: () => this.jump(-1), PageDown: () => this.jump(1),
      g: flip('ghost'), f: flip('forces'), p: flip('props'), c: flip('colliders'), m: flip('markers'),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action) { event.preventDefault(); action(); }
  }

  step(by) { this.seek(Math.round((this.time + by) * this.listing.rate) / this.listing.rate); }

  jump(way) {
    const stops = this.listing.stops, ahead = stops.filter((stop) => way * (stop - this.time) > 0.004);
    this.playing = false;
    if (ahead.length) this.seek(way > 0 ? ahead[0] : ahead[ahead.length - 1]);
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.end - 1e-3) this.time = 0;
    this.last = performance.now();
    this.redraw();
  }

  seek(time) { this.time = Math.min(Math.max(time, 0), this.end); this.redraw(); }

  redraw() {
    if (!this.waiting) { this.waiting = true; requestAnimationFrame((now) => this.frame(now)); }
  }

  frame(now) {
    this.waiting = false;
    if (this.playing) {
      this.time += ((now - this.last) / 1000) * Number(this.control('speed').value);
      this.last = now;
      if (this.time >= this.end) { this.time = this.end; this.playing = false; }
    }
    this.show();
    if (this.playing) this.redraw();
  }

  show() {
    const { control, time, end } = this, share = end ? time / end : 0;
    control('time').textContent = `${time.toFixed(2)} / ${end.toFixed(2)} s`;
    control('scrub').value = Math.round(time * 1000);
    control('play').textContent = this.playing ? '⏸' : '▶';
    for (const { line, left, right } of this.playheads) {
      const x = left + (right - left) * share;
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
    }
    const now = document.querySelector('.now'), lane = document.querySelector('.lanes .lane > div');
    if (lane) now.style.left = `${lane.offsetLeft + share * lane.clientWidth}px`;
    else if (now) now.hidden = true;
    for (const button of this.listed) button.classList.toggle('past', Number(button.dataset.time) <= time + 0.004);
    if (this.painter) this.paint();
  }

  paint() {
    const canvas = this.painter.canvas, sharp = Math.min(devicePixelRatio, 2);
    const width = Math.round(canvas.clientWidth * sharp), height = Math.round(canvas.clientHeight * sharp);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    const show = Object.fromEntries(this.switches.map((id) => [id, this.control(id).checked]));
    this.scene.pose(this.time);
    this.scene.arrange(this.time, show.beside, show.still);
    if (show.follow || !this.anchor) this.anchor = this.scene.middle(this.listing.followed, this.time, show.beside, show.still);
    this.colors ??= Object.fromEntries(['sky', 'ground', 'grid'].map((name) => [name, hexColor(`--${name}`)]));
    const modes = this.control('modes'), figures = this.listing.figures;
    // In the colors of its own skin a body does not show what moves it.
    if (modes) modes.hidden = Boolean(show.own) && figures.every((figure) => figure.looks);
    this.painter.paint(this.camera.view(this.anchor), this.colors, show, this.scene.arrows(this.time));
    for (const tag of this.tags) this.pin(tag, canvas);
  }

  /** A name over the head of its figure. */
  pin(tag, canvas) {
    const figure = this.scene.listing.figures[tag.dataset.figure], at = 3 * (figure.first + figure.root), { p } = this.scene;
    const spot = this.painter.onScreen([p[at], p[at + 1], p[at + 2] + figure.middle + 0.56 * figure.size]);
    tag.hidden = !spot;
    if (spot) { tag.style.left = `${spot[0] * canvas.clientWidth}px`; tag.style.top = `${spot[1] * canvas.clientHeight}px`; }
  }

  async start() {
    this.show();
    const canvas = this.control('canvas');
    try {
      this.scene = await Scene.read();
      const painter = new Painter(canvas, this.scene);
      await painter.ready();
      this.camera = new Camera(canvas, this.listing.view, () => this.redraw());
      this.painter = painter;
      new ResizeObserver(() => this.redraw()).observe(canvas);
      canvas.addEventListener('webglcontextlost', () => this.fail('The browser took the graphics memory away; load the page again for the replay.'));
    } catch (error) {
      this.fail(`The replay cannot be shown: ${error.message}. Everything else on this page is complete.`);
    }
    this.redraw();
    document.documentElement.dataset.ready = this.painter ? 'replay' : 'page';
  }

  fail(why) {
    this.painter = null;
    this.control('trouble').textContent = why;
    this.control('trouble').hidden = false;
  }
}

function hexColor(name) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return [1, 3, 5].map((k) => parseInt(text.slice(k, k + 2), 16) / 255);
}

new Player(JSON.parse(document.getElementById('listing').textContent)).start();
