/* Meshes of unit size: [x, y, z, normal x, y, z, end] per vertex; `end` says which end of a stretched shape it goes with. */
function ball(stretched) {
  const rows = 12, columns = 18, vertices = [], triangles = [];
  for (let row = 0; row <= rows; row++) {
    const turn = (Math.PI * row) / rows;
    for (const end of stretched && row === rows / 2 ? [1, -1] : [stretched ? (row < rows / 2 ? 1 : -1) : 0]) {
      for (let column = 0; column <= columns; column++) {
        const around = (2 * Math.PI * column) / columns;
        const n = [Math.sin(turn) * Math.cos(around), Math.sin(turn) * Math.sin(around), Math.cos(turn)];
        vertices.push(...n, ...n, end);
      }
    }
  }
  const rings = vertices.length / 7 / (columns + 1);
  for (let ring = 0; ring + 1 < rings; ring++) {
    for (let column = 0; column < columns; column++) {
      const a = ring * (columns + 1) + column, b = a + columns + 1;
      triangles.push(a, b, a + 1, a + 1, b, b + 1);
    }
  }
  return { vertices, triangles };
}

function block() {
  const vertices = [], triangles = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const first = vertices.length / 7;
      for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
        const at = [0, 0, 0], n = [0, 0, 0];
        at[axis] = n[axis] = side;
        at[(axis + 1) % 3] = u * side;
        at[(axis + 2) % 3] = v;
        vertices.push(...at, ...n, 0);
      }
      triangles.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  return { vertices, triangles };
}

/** A shaft from 0 to `half`, whose head is 4 wide and 9 long in units of the scale. */
function arrow() {
  const vertices = [], triangles = [], sides = 12, head = 9;
  const ring = (radius, z, end, slope) => {
    for (let k = 0; k <= sides; k++) {
      const c = Math.cos((2 * Math.PI * k) / sides), s = Math.sin((2 * Math.PI * k) / sides);
      vertices.push(radius * c, radius * s, z, ...unit([c, s, slope]), end);
    }
  };
  const band = (first) => {
    for (let k = first; k < first + sides; k++) triangles.push(k, k + 1, k + sides + 1, k + 1, k + sides + 2, k + sides + 1);
  };
  ring(1, 0, 0, 0); ring(1, -head, 1, 0); band(0);
  ring(2.6, -head, 1, 0.4); ring(0, 0, 1, 0.4); band(2 * (sides + 1));
  ring(0, -head, 1, -30); ring(2.6, -head, 1, -30); band(4 * (sides + 1));
  return { vertices, triangles };
}
