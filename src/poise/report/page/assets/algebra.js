/* Vectors, 4 x 4 matrices (by columns, as WebGL has them) and quaternions (w first, as Poise has them). */
const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => scaled(a, 1 / (Math.hypot(...a) || 1));

function product(a, b) {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = sum;
    }
  }
  return out;
}

function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2);
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0]);
}

function orthographic(reach, near, far) {
  return new Float32Array([1 / reach, 0, 0, 0, 0, 1 / reach, 0, 0, 0, 0, 2 / (near - far), 0, 0, 0, (far + near) / (near - far), 1]);
}

function looking(eye, target, up) {
  const back = unit(subtract(eye, target));
  const right = unit(cross(up, back));
  const top = cross(back, right);
  return new Float32Array([
    right[0], top[0], back[0], 0, right[1], top[1], back[1], 0, right[2], top[2], back[2], 0,
    -dot(right, eye), -dot(top, eye), -dot(back, eye), 1,
  ]);
}

/** Matrix of a rotation (array, offset) and a place (array, offset). */
function frameMatrix(q, qi, p, pi, out = new Float32Array(16)) {
  const w = q[qi], x = q[qi + 1], y = q[qi + 2], z = q[qi + 3];
  out[0] = 1 - 2 * (y * y + z * z); out[1] = 2 * (x * y + w * z); out[2] = 2 * (x * z - w * y); out[3] = 0;
  out[4] = 2 * (x * y - w * z); out[5] = 1 - 2 * (x * x + z * z); out[6] = 2 * (y * z + w * x); out[7] = 0;
  out[8] = 2 * (x * z + w * y); out[9] = 2 * (y * z - w * x); out[10] = 1 - 2 * (x * x + y * y); out[11] = 0;
  out[12] = p[pi]; out[13] = p[pi + 1]; out[14] = p[pi + 2]; out[15] = 1;
  return out;
}

/** Matrix at `place` whose z axis points along the unit vector `along`. */
function pointing(along, place) {
  const side = unit(cross(Math.abs(along[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], along));
  const other = cross(along, side);
  return new Float32Array([...side, 0, ...other, 0, ...along, 0, ...place, 1]);
}
