/* Surfaces of fluids, a grid of heights that is set anew for every picture, and what of a skin is wet. */
class Sheet {
  constructor(painter, listing, heights) {
    const { rows, columns } = listing, triangles = [];
    Object.assign(this, { painter, ...listing, heights });
    for (let row = 0; row + 1 < rows; row++) {
      for (let column = 0; column + 1 < columns; column++) {
        const a = row * columns + column, b = a + columns;
        triangles.push(a, a + 1, b + 1, a, b + 1, b);
      }
    }
    this.places = new Float32Array(3 * rows * columns);
    this.normals = new Float32Array(3 * rows * columns);
    this.now = new Float32Array(rows * columns);
    this.buffers = [];
    this.mesh = painter.mesh({ 0: [this.places, 3], 1: [this.normals, 3] }, new Uint32Array(triangles), this.buffers);
  }

  /** Put the surface to a time; waves are shaded steeper than they are, since there is no sky to be mirrored. */
  move(time, steeper = 4) {
    const { rows, columns, cell, origin, now, places, normals } = this, nodes = rows * columns;
    const at = Math.min(Math.max(time * this.rate, 0), this.frames - 1), first = Math.min(Math.floor(at), Math.max(this.frames - 2, 0));
    const before = first * nodes, after = Math.min(first + 1, this.frames - 1) * nodes, share = at - first;
    for (let k = 0; k < nodes; k++) now[k] = this.scale * (this.heights[before + k] + share * (this.heights[after + k] - this.heights[before + k]));
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const k = row * columns + column;
        const left = now[k - (column > 0)], right = now[k + (column + 1 < columns)];
        const below = now[k - (row > 0 ? columns : 0)], above = now[k + (row + 1 < rows ? columns : 0)];
        const x = (-steeper * (right - left)) / (2 * cell), y = (-steeper * (above - below)) / (2 * cell), size = Math.hypot(x, y, 1);
        places[3 * k] = origin[0] + cell * column; places[3 * k + 1] = origin[1] + cell * row; places[3 * k + 2] = origin[2] + now[k];
        normals[3 * k] = x / size; normals[3 * k + 1] = y / size; normals[3 * k + 2] = 1 / size;
      }
    }
    const gl = this.painter.gl;
    [places, normals].forEach((values, k) => { gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[k]); gl.bufferSubData(gl.ARRAY_BUFFER, 0, values); });
  }
}

/** How far under a surface each vertex of a skin was at most, over time. */
class Wet {
  constructor(painter, listing, steps) {
    Object.assign(this, { painter, ...listing });
    const count = steps.length / this.frames;
    this.levels = new Int8Array(steps);
    for (let k = count; k < steps.length; k++) this.levels[k] += this.levels[k - count];
    this.now = new Float32Array(count);
    this.coat = [...this.color, this.opacity];
  }

  /** Put it to a time, into the buffer of the mesh's attribute. */
  move(time) {
    const { levels, now, scale } = this, count = now.length;
    const at = Math.min(Math.max(time * this.rate, 0), this.frames - 1), first = Math.min(Math.floor(at), Math.max(this.frames - 2, 0));
    const before = first * count, after = Math.min(first + 1, this.frames - 1) * count, share = at - first;
    for (let k = 0; k < count; k++) now[k] = scale * (levels[before + k] + share * (levels[after + k] - levels[before + k]));
    const gl = this.painter.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, now);
  }
}
