/* Draws a scene with WebGL 2. */
const SHADOW = 2048, SHADOW_REACH = 4.5, SUN = unit([0.45, 0.35, 0.82]);

class Painter {
  constructor(canvas, scene) {
    const gl = canvas.getContext('webgl2', { antialias: true, alpha: false });
    if (!gl) throw new Error('no WebGL 2');
    this.gl = gl; this.canvas = canvas; this.scene = scene;
    this.programs = Object.fromEntries(Object.entries(SHADERS).map(([name, text]) => [name, this.program(text)]));
    this.meshes = { capsule: this.rigid(ball(true)), sphere: this.rigid(ball(false)), box: this.rigid(block()), arrow: this.rigid(arrow()) };
    this.ground = this.mesh({ 0: [new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3] }, new Uint16Array([0, 1, 2, 0, 2, 3]));
    this.pieces = scene.listing.ground.map((piece) => ({
      color: piece.color,
      mesh: this.mesh({ 0: [scene.array(piece.vertices), 3], 1: [this.padded(scene.array(piece.normals)), 4, false, true] }, scene.array(piece.triangles)),
    }));
    this.sheets = scene.listing.sheets.map((sheet) => new Sheet(this, sheet, scene.array(sheet.heights)));
    this.waiting = [];
    this.white = this.picture(null);
    this.figures = scene.listing.figures.map((figure) => this.figure(figure));
    this.shadow = this.shadowMap();
    this.model = new Float32Array(16);
  }

  program({ vertex, fragment }) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(program));
    const places = {};
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
      const name = gl.getActiveUniform(program, k).name;
      places[name] = gl.getUniformLocation(program, name);
    }
    return { program, places };
  }

  /** A vertex array from attributes {location: [array, size, whole numbers?, normalized?]} and triangles. */
  mesh(attributes, triangles, buffers = []) {
    const gl = this.gl, vertexArray = gl.createVertexArray();
    gl.bindVertexArray(vertexArray);
    const kinds = new Map([[Float32Array, gl.FLOAT], [Int8Array, gl.BYTE], [Uint8Array, gl.UNSIGNED_BYTE], [Uint16Array, gl.UNSIGNED_SHORT], [Uint32Array, gl.UNSIGNED_INT]]);
    for (const [location, [array, size, whole, normalized]] of Object.entries(attributes)) {
      buffers.push(gl.createBuffer());
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[buffers.length - 1]);
      gl.bufferData(gl.ARRAY_BUFFER, array, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(location);
      if (whole) gl.vertexAttribIPointer(location, size, kinds.get(array.constructor), 0, 0);
      else gl.vertexAttribPointer(location, size, kinds.get(array.constructor), !!normalized, 0, 0);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    return { vertexArray, count: triangles.length, bytes: triangles.BYTES_PER_ELEMENT, kind: kinds.get(triangles.constructor) };
  }

  rigid({ vertices, triangles }) {
    const pick = (at, size) => Float32Array.from({ length: (vertices.length / 7) * size }, (_, k) => vertices[7 * Math.floor(k / size) + at + (k % size)]);
    return this.mesh({ 0: [pick(0, 3), 3], 1: [pick(3, 3), 3], 2: [pick(6, 1), 1] }, new Uint16Array(triangles));
  }

  figure(figure) {
    const gl = this.gl, array = this.scene.array, texture = () => {
      const made = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, made);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 4, figure.joints, 0, gl.RGBA, gl.FLOAT, null);
      return made;
    };
    const wet = figure.wet ? new Wet(this, figure.wet, array(figure.wet.steps)) : null, buffers = [];
    const mesh = this.mesh({
      0: [array(figure.vertices), 3], 1: [this.padded(array(figure.normals)), 4, false, true],
      2: [array(figure.skinJoints), 4, true], 3: [array(figure.skinWeights), 4, false, true],
      ...(figure.uvs && { 4: [array(figure.uvs), 2] }), ...(wet && { 5: [wet.now, 1] }),
    }, array(figure.triangles), buffers);
    if (wet) wet.buffer = buffers[buffers.length - 1];
    return {
      ...figure, wet, mesh,
      bindings: array(figure.bind), ...this.palette(array(figure.colors)),
      rows: new Float32Array(16 * figure.joints), own: texture(), source: texture(),
      pictures: (figure.images ?? []).map((image) => this.picture(array(image))),
    };
  }

  /** The colors of joints as up to four different ones, and which of them each joint has. */
  palette(tones) {
    const known = [], palette = new Float32Array(12);
    const kinds = Float32Array.from({ length: tones.length / 3 }, (_, joint) => {
      const color = tones.slice(3 * joint, 3 * joint + 3), name = color.join();
      if (!known.includes(name) && known.length < 4) palette.set(color, 3 * known.push(name) - 3);
      return Math.max(known.indexOf(name), 0);
    });
    return { kinds, palette };
  }

  /** A texture from the bytes of a PNG or JPEG file; white until it is unpacked, see `ready`. */
  picture(content) {
    const gl = this.gl, made = gl.createTexture();
    const fill = (...image) => {
      gl.bindTexture(gl.TEXTURE_2D, made);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, ...image);
      gl.generateMipmap(gl.TEXTURE_2D);
    };
    fill(1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, 255]));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    if (content) {
      const unpacked = createImageBitmap(new Blob([content]), { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
      this.waiting.push(unpacked.then((image) => fill(gl.RGBA, gl.UNSIGNED_BYTE, image)));
    }
    return made;
  }

  /** Once all pictures are unpacked. */
  async ready() { await Promise.all(this.waiting); }

  /** Three bytes a vertex are slow or refused on some cards; four are not. */
  padded(normals) {
    const out = new Int8Array((normals.length / 3) * 4);
    for (let k = 0; k < normals.length; k++) out[4 * Math.floor(k / 3) + (k % 3)] = normals[k];
    return out;
  }

  shadowMap() {
    const gl = this.gl, texture = gl.createTexture(), frame = gl.createFramebuffer();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW, SHADOW);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return { texture, frame };
  }

  /** Send the joints of a figure, or of its source, to the card. */
  bend(figure, first, texture) {
    const { p, q } = this.scene, { bindings, kinds, rows } = figure, gl = this.gl, m = this.model;
    for (let joint = 0; joint < figure.joints; joint++) {
      frameMatrix(q, 4 * (first + joint), p, 3 * (first + joint), m);
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) {
          const at = 12 * joint + column;
          rows[16 * joint + 4 * row + column] =
            m[row] * bindings[at] + m[4 + row] * bindings[at + 4] + m[8 + row] * bindings[at + 8] + (column === 3 ? m[12 + row] : 0);
        }
      }
      rows[16 * joint + 12] = kinds[joint];
    }
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 4, figure.joints, gl.RGBA, gl.FLOAT, rows);
  }

  use(name, shared) {
    const { program, places } = this.programs[name], gl = this.gl;
    gl.useProgram(program);
    for (const [key, value] of Object.entries(shared)) {
      if (!(key in places)) continue;
      if (value.length === 16) gl.uniformMatrix4fv(places[key], false, value);
      else if (value.length === 3) gl.uniform3fv(places[key], value);
      else if (value.length === 2) gl.uniform2fv(places[key], value);
      else gl.uniform1f(places[key], value);
    }
    if (places.uShadow) { gl.activeTexture(gl.TEXTURE1); gl.bindTexture(gl.TEXTURE_2D, this.shadow.texture); gl.uniform1i(places.uShadow, 1); gl.activeTexture(gl.TEXTURE0); }
    return places;
  }

  draw(mesh, first = 0, count = mesh.count) {
    this.gl.bindVertexArray(mesh.vertexArray);
    this.gl.drawElements(this.gl.TRIANGLES, count, mesh.kind, first * mesh.bytes);
  }

  drawShapes(places, shapes) {
    const gl = this.gl, still = [new Float32Array([1, 0, 0, 0]), new Float32Array(3)];
    for (const { kind, size, position, rotation, color, frame } of shapes) {
      const outer = frame < 0 ? frameMatrix(still[0], 0, still[1], 0) : frameMatrix(this.scene.q, 4 * frame, this.scene.p, 3 * frame);
      gl.uniformMatrix4fv(places.uModel, false, product(outer, frameMatrix(rotation, 0, position, 0)));
      gl.uniform3fv(places.uScale, kind === 'box' ? size : [size[0], size[0], size[0]]);
      gl.uniform1f(places.uHalf, kind === 'capsule' ? size[1] : 0);
      if (places.uColor) gl.uniform3fv(places.uColor, color);
      this.draw(this.meshes[kind]);
    }
  }

  drawGround(places) {
    const gl = this.gl;
    gl.uniformMatrix4fv(places.uModel, false, frameMatrix([1, 0, 0, 0], 0, [0, 0, 0], 0));
    gl.uniform3fv(places.uScale, [1, 1, 1]);
    gl.uniform1f(places.uHalf, 0);
    for (const { color, mesh } of this.pieces) {
      if (places.uColor) gl.uniform3fv(places.uColor, color);
      this.draw(mesh);
    }
  }

  /** A figure in the colors of its joints and a tint or, with `looks`, in its skin's own. */
  drawSkin(places, figure, texture, tint, shrink, looks = null) {
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.uniform1i(places.uBones, 0);
    if (places.uTint) gl.uniform4fv(places.uTint, tint);
    if (places.uCoat) gl.uniform4fv(places.uCoat, figure.wet && texture === figure.own ? figure.wet.coat : [0, 0, 0, 0]);
    if (places['uPalette[0]']) gl.uniform3fv(places['uPalette[0]'], figure.palette);
    gl.uniform1f(places.uShrink, shrink);
    for (const look of looks ?? [{ first: 0, count: figure.mesh.count, color: [0, 0, 0], image: null, holes: false }]) {
      if (places.uImage) {
        gl.activeTexture(gl.TEXTURE2);
        gl.bindTexture(gl.TEXTURE_2D, look.image === null ? this.white : figure.pictures[look.image]);
        gl.activeTexture(gl.TEXTURE0);
        gl.uniform1i(places.uImage, 2);
        gl.uniform4fv(places.uLook, [...look.color, looks ? 1 : 0]);
        gl.uniform1f(places.uHoles, look.holes ? 1 : 0);
      }
      this.draw(figure.mesh, look.first, look.count);
    }
  }

  /** Characters and props, in color or for their depth alone. */
  solid(shared, show, props, kind = '') {
    if (!show.colliders) {
      const places = this.use(`skin${kind}`, shared);
      for (const figure of this.figures) this.drawSkin(places, figure, figure.own, [0, 0, 0, 0], 0, show.own ? figure.looks : null);
    }
    const places = this.use(`rigid${kind}`, shared);
    if (show.colliders) for (const figure of this.figures) this.drawShapes(places, figure.colliders);
    this.drawShapes(places, props);
    this.drawGround(places);
  }

  /** Draw the scene as posed, from a camera {eye, target, up}, with colors and what to show. */
  paint(camera, colors, show, arrows) {
    const gl = this.gl, canvas = this.canvas;
    for (const figure of this.figures) {
      this.bend(figure, figure.first, figure.own);
      if (figure.wet) figure.wet.move(this.scene.time);
      if (show.ghost && figure.ghost !== null) this.bend(figure, figure.ghost, figure.source);
    }
    const sunView = product(orthographic(SHADOW_REACH, 0.1, 20), looking(add(camera.target, SUN, 10), camera.target, [0, 0, 1]));
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadow.frame);
    gl.viewport(0, 0, SHADOW, SHADOW);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    const props = show.props ? this.scene.listing.props : [];
    this.solid({ uView: sunView }, show, props, 'Depth');
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...colors.sky, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const far = Math.max(30, 3 * camera.distance);
    const front = looking(camera.eye, camera.target, camera.up);
    const view = product(perspective(0.5, canvas.width / canvas.height, 0.05, 4 * far), front);
    this.view = view;
    const shared = { uView: view, uSunView: sunView, uSun: SUN, uEye: camera.eye, uFog: colors.sky, uHaze: [0.5 * far, far], uAlpha: 1 };
    const thin = this.thinned(props, front, camera);
    this.solid(shared, show, props.filter((_, k) => thin[k] === 0));
    const floor = this.scene.listing.floor;
    if (floor !== null) {
      this.use('floor', { ...shared, uGround: colors.ground, uGrid: colors.grid, uCentre: [camera.target[0], camera.target[1], floor] });
      this.draw(this.ground);
    }
    if (this.sheets.length) this.paintSheets(shared);
    if (show.ghost) this.paintGhosts(shared, show.colliders);
    this.paintThin(shared, props, thin);
    if (show.markers) this.paintMarkers(shared);
    if (show.forces) this.paintArrows(shared, arrows);
  }

  /** Over the body, which would hide every second one. */
  paintMarkers(shared) {
    const { color, radius } = this.scene.markers, still = [1, 0, 0, 0];
    this.gl.clear(this.gl.DEPTH_BUFFER_BIT);
    this.drawShapes(this.use('rigid', shared), this.scene.seenMarkers().map((position) => ({ kind: 'sphere', size: [radius], position, rotation: still, color, frame: -1 })));
  }

  /** Surfaces of fluids, over what is under them. */
  paintSheets(shared) {
    const gl = this.gl, places = this.use('rigid', shared);
    gl.uniformMatrix4fv(places.uModel, false, frameMatrix([1, 0, 0, 0], 0, [0, 0, 0], 0));
    gl.uniform3fv(places.uScale, [1, 1, 1]);
    gl.uniform1f(places.uHalf, 0);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    for (const sheet of this.sheets) {
      sheet.move(this.scene.time);
      gl.uniform3fv(places.uColor, sheet.color);
      gl.uniform1f(places.uAlpha, sheet.opacity);
      this.draw(sheet.mesh);
    }
    gl.disable(gl.BLEND);
  }

  /** Where a point was drawn last, from the left and from the top, 0 to 1; null where it was not. */
  onScreen([x, y, z]) {
    const m = this.view, [across, up, , depth] = [0, 1, 2, 3].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]);
    const spot = [0.5 + (0.5 * across) / depth, 0.5 - (0.5 * up) / depth];
    return depth > 0 && spot.every((share) => share > 0 && share < 1) ? spot : null;
  }

  /** As `inTheWay`, the same for all shapes of a moving body. */
  thinned(shapes, front, camera) {
    const most = new Map(), keys = shapes.map(({ frame }, k) => (frame < 0 ? -1 - k : frame));
    shapes.forEach((shape, k) => most.set(keys[k], Math.max(most.get(keys[k]) ?? 0, this.inTheWay(shape, front, camera))));
    return keys.map((key) => most.get(key));
  }

  /** How much of a shape is left out because it stands between the eye and the character, 0 to 0.75. */
  inTheWay({ kind, size, position, rotation, frame }, front, camera) {
    const { p, q } = this.scene, inner = frameMatrix(rotation, 0, position, 0);
    const seen = product(front, frame < 0 ? inner : product(frameMatrix(q, 4 * frame, p, 3 * frame), inner));
    const wide = kind === 'box' ? Math.min(...size) : size[0], half = kind === 'capsule' ? size[1] : 0;
    let off = Infinity;
    for (const along of half ? [-1, -0.5, 0, 0.5, 1] : [0]) {
      const at = [0, 1, 2].map((k) => seen[12 + k] + along * half * seen[8 + k]), near = camera.clear[2] / -at[2];
      if (at[2] >= 0 || near < 1) continue;
      off = Math.min(off, Math.hypot((Math.max(Math.abs(at[0]) - wide, 0) * near) / camera.clear[0], (Math.max(Math.abs(at[1]) - wide, 0) * near) / camera.clear[1]));
    }
    return 0.75 * Math.min(Math.max((1.15 - off) / 0.3, 0), 1);
  }

  paintThin(shared, shapes, thin) {
    const gl = this.gl, places = this.use('rigid', shared);
    gl.enable(gl.BLEND);
    gl.enable(gl.CULL_FACE);
    gl.depthMask(false);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    shapes.forEach((shape, k) => {
      if (thin[k] === 0) return;
      gl.uniform1f(places.uAlpha, 1 - thin[k]);
      this.drawShapes(places, [shape]);
    });
    gl.depthMask(true);
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.BLEND);
  }

  /** First only their depth, so that one sees a ghost's surface and not its inside. */
  paintGhosts(shared, colliders) {
    const gl = this.gl, places = this.use(colliders ? 'rigid' : 'skin', { ...shared, uAlpha: 0.6 }), color = this.scene.listing.ghostColor;
    const thinner = (shape, figure) => ({
      ...shape, color, frame: shape.frame + figure.ghost - figure.first, size: shape.size.map((edge, k) => (shape.kind === 'capsule' && k ? edge : 0.95 * edge)),
    });
    for (const seen of [false, true]) {
      gl.colorMask(seen, seen, seen, seen);
      gl.depthFunc(seen ? gl.LEQUAL : gl.LESS);
      if (seen) { gl.enable(gl.BLEND); gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA); }
      for (const figure of this.figures) {
        if (colliders) this.drawShapes(places, figure.colliders.map((shape) => thinner(shape, figure)));
        else this.drawSkin(places, figure, figure.source, [...color, 1], 0.003 * figure.size);
      }
    }
    gl.disable(gl.BLEND);
    gl.depthFunc(gl.LESS);
  }

  /** Over everything else, or what pushes and what is pushed would hide them. */
  paintArrows(shared, arrows) {
    const gl = this.gl, places = this.use('rigid', shared), { forceColor, metresPerNewton } = this.scene.listing;
    gl.clear(gl.DEPTH_BUFFER_BIT);
    for (const { size, vector, point } of arrows) {
      const along = unit(vector), length = Math.min(Math.max(metresPerNewton * size, 0.12), 0.6);
      gl.uniformMatrix4fv(places.uModel, false, pointing(along, add(point, along, -length)));
      gl.uniform3fv(places.uScale, [0.009, 0.009, 0.009]);
      gl.uniform1f(places.uHalf, length);
      gl.uniform3fv(places.uColor, forceColor);
      this.draw(this.meshes.arrow);
    }
  }
}
