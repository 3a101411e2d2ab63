/* Unpacks what Python packed (poise/report/page/encode.py) and says where everything is at a time. */
class Scene {
  static async read() {
    const listing = JSON.parse(document.getElementById('listing').textContent);
    const packed = Uint8Array.from(atob(document.getElementById('block').textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Scene(listing, await new Response(stream).arrayBuffer());
  }

  constructor(listing, buffer) {
    const types = { f4: Float32Array, i1: Int8Array, u1: Uint8Array, i2: Int16Array, u2: Uint16Array, u4: Uint32Array };
    this.listing = listing;
    this.array = (entry) => new types[entry.kind](buffer, entry.at, entry.count);
    this.frames = listing.frames;
    this.nodes = listing.nodes;
    this.positions = this.unwound(listing.positions);
    this.rotations = this.unwound(listing.rotations);
    this.p = new Float32Array(3 * this.nodes);
    this.q = new Float32Array(4 * this.nodes);
    this.markers = listing.markers && { ...listing.markers, positions: this.unwound(listing.markers.positions), seen: this.array(listing.markers.seen) };
    const forces = listing.forces;
    this.forces = { count: forces.count, ...Object.fromEntries(['time', 'pair', 'point', 'force'].map((k) => [k, this.array(forces[k])])) };
  }

  /** Values (frames, columns) from 16-bit steps that lie column by column. */
  unwound(track) {
    const steps = this.array(track.steps), middle = this.array(track.middle), step = this.array(track.step);
    const columns = middle.length, out = new Float32Array(columns * this.frames);
    for (let column = 0; column < columns; column++) {
      let level = 0;
      for (let frame = 0; frame < this.frames; frame++) {
        level = ((level + steps[column * this.frames + frame]) << 16) >> 16;
        out[frame * columns + column] = middle[column] + step[column] * level;
      }
    }
    return out;
  }

  /** Put `p` and `q` of all nodes to a time between frames. */
  pose(time) {
    this.time = time;
    const place = Math.min(Math.max(time * this.listing.rate, 0), this.frames - 1);
    const first = Math.min(Math.floor(place), Math.max(this.frames - 2, 0)), share = place - first;
    const second = Math.min(first + 1, this.frames - 1);
    const a3 = first * 3 * this.nodes, b3 = second * 3 * this.nodes;
    for (let k = 0; k < 3 * this.nodes; k++) this.p[k] = this.positions[a3 + k] + share * (this.positions[b3 + k] - this.positions[a3 + k]);
    const a4 = first * 4 * this.nodes, b4 = second * 4 * this.nodes;
    for (let k = 0; k < 4 * this.nodes; k += 4) {
      let size = 0;
      for (let c = k; c < k + 4; c++) {
        this.q[c] = this.rotations[a4 + c] + share * (this.rotations[b4 + c] - this.rotations[a4 + c]);
        size += this.q[c] * this.q[c];
      }
      size = 1 / Math.sqrt(size || 1);
      for (let c = k; c < k + 4; c++) this.q[c] *= size;
    }
  }

  /** Where a figure's root is at a time, smoothed over `width` seconds so that a camera can follow it. */
  smoothRoot(figure, time, width = 0.8) {
    const node = figure.first + figure.root, sum = [0, 0, 0];
    let weights = 0;
    for (let k = -8; k <= 8; k++) {
      const place = Math.min(Math.max((time + (k / 8) * width) * this.listing.rate, 0), this.frames - 1);
      const frame = Math.floor(place), next = Math.min(frame + 1, this.frames - 1), weight = 9 - Math.abs(k);
      for (let c = 0; c < 3; c++) {
        const a = this.positions[3 * (frame * this.nodes + node) + c], b = this.positions[3 * (next * this.nodes + node) + c];
        sum[c] += weight * (a + (place - frame) * (b - a));
      }
      weights += weight;
    }
    return scaled(sum, 1 / weights);
  }

  /** Where a figure is put besides its own motion: beside the others, and back to the start where it shall stay in place. */
  shift(figure, time, beside, still) {
    const from = still ? this.smoothRoot(figure, time) : [0, 0, 0], [x, y, z] = beside ? figure.shift : [0, 0, 0];
    return [x - from[0], y - from[1], z];
  }

  /** Move all figures to where they are shown. */
  arrange(time, beside, still) {
    for (const figure of this.listing.figures) {
      const by = this.shift(figure, time, beside, still);
      for (let node = figure.first; node < figure.first + figure.joints; node++) for (let c = 0; c < 3; c++) this.p[3 * node + c] += by[c];
    }
  }

  /** The middle between some figures' roots, for the camera. */
  middle(followed, time, beside, still) {
    let sum = [0, 0, 0];
    for (const k of followed) {
      const figure = this.listing.figures[k];
      sum = add(add(sum, this.smoothRoot(figure, time)), this.shift(figure, time, beside, still));
    }
    return scaled(sum, 1 / followed.length);
  }

  /** Where the markers are that were seen in the frames around the time of `pose`. */
  seenMarkers() {
    const { count, positions, seen } = this.markers, places = [];
    const at = Math.min(Math.max(this.time * this.listing.rate, 0), this.frames - 1), first = Math.floor(at), second = Math.ceil(at);
    for (let k = 0; k < count; k++) {
      if (!seen[first * count + k] || !seen[second * count + k]) continue;
      const a = 3 * (first * count + k), b = 3 * (second * count + k);
      places.push([0, 1, 2].map((c) => positions[a + c] + (at - first) * (positions[b + c] - positions[a + c])));
    }
    return places;
  }

  /** Contacts around a time, the strongest of each pair; one that is over fades. */
  arrows(time, hold = 0.12) {
    const { count, time: times, pair, point, force } = this.forces, best = new Map();
    for (let k = 0; k < count; k++) {
      const age = time - times[k];
      if (age < -0.5 / this.listing.rate || age > hold) continue;
      const vector = [force[3 * k], force[3 * k + 1], force[3 * k + 2]];
      const fade = age <= 0.5 / this.listing.rate ? 1 : 1 - age / hold, size = Math.hypot(...vector) * fade;
      if (size > 0.5 && !(best.get(pair[k])?.size >= size)) {
        best.set(pair[k], { size, vector, point: [point[3 * k], point[3 * k + 1], point[3 * k + 2]] });
      }
    }
    return [...best.values()];
  }
}
