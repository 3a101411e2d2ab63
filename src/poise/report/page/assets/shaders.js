/* What the graphics card runs. */
const LIGHT = `
uniform vec3 uSun, uEye, uFog;
uniform vec2 uHaze;
uniform highp sampler2DShadow uShadow;
float lit(vec4 place) {
  vec3 at = place.xyz * 0.5 + 0.5;
  if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
  float sum = 0.0;
  for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++)
    sum += texture(uShadow, vec3(at.xy + (vec2(i, j) - 0.5) * (1.5 / 2048.0), at.z - 0.0012));
  vec2 edge = smoothstep(vec2(0.5), vec2(0.42), abs(at.xy - 0.5));
  return mix(1.0, sum / 4.0, edge.x * edge.y);
}
vec3 hazy(vec3 color, vec3 world) { return mix(color, uFog, smoothstep(uHaze.x, uHaze.y, distance(world, uEye))); }
vec3 shaded(vec3 base, vec3 n, vec3 world, float shadow) {
  vec3 away = normalize(uEye - world);
  vec3 albedo = pow(base, vec3(2.2));
  vec3 sky = mix(vec3(0.26, 0.25, 0.24), vec3(0.50, 0.54, 0.60), 0.5 + 0.5 * n.z);
  float sun = max(dot(n, uSun), 0.0) * shadow;
  float shine = pow(max(dot(n, normalize(uSun + away)), 0.0), 32.0) * shadow * 0.10;
  float rim = pow(1.0 - max(dot(n, away), 0.0), 4.0) * 0.10;
  return pow(albedo * (sky + 0.78 * sun) + shine + rim * sky, vec3(1.0 / 2.2));
}`;

const HEAD = '#version 300 es\nprecision highp float;\n';

const SHADERS = {
  rigid: {
    vertex: `${HEAD}
layout(location = 0) in vec3 aPosition; layout(location = 1) in vec3 aNormal; layout(location = 2) in float aEnd;
uniform mat4 uView, uSunView, uModel; uniform vec3 uScale, uColor; uniform float uHalf;
out vec3 vWorld, vNormal, vColor; out vec4 vShadow;
void main() {
  vec4 world = uModel * vec4(aPosition * uScale + vec3(0.0, 0.0, aEnd * uHalf), 1.0);
  vWorld = world.xyz; vNormal = mat3(uModel) * aNormal; vColor = uColor;
  vShadow = uSunView * world; gl_Position = uView * world;
}`,
    fragment: `${HEAD}in vec3 vWorld, vNormal, vColor; in vec4 vShadow; out vec4 color; uniform float uAlpha;
${LIGHT}
void main() { color = vec4(hazy(shaded(vColor, normalize(vNormal), vWorld, lit(vShadow)), vWorld), uAlpha); }`,
  },
  skin: {
    vertex: `${HEAD}
layout(location = 0) in vec3 aPosition; layout(location = 1) in vec3 aNormal;
layout(location = 2) in uvec4 aJoints; layout(location = 3) in vec4 aWeights; layout(location = 4) in vec2 aUV;
layout(location = 5) in float aWet;
uniform mat4 uView, uSunView; uniform highp sampler2D uBones; uniform float uShrink;
out vec3 vWorld, vNormal; out vec4 vShadow, vShare; out vec2 vUV; out float vWet;
void main() {
  vec4 place = vec4(aPosition, 1.0);
  vec3 world = vec3(0.0), normal = vec3(0.0);
  vShare = vec4(0.0);
  for (int k = 0; k < 4; k++) {
    int joint = int(aJoints[k]); float weight = aWeights[k];
    vec4 x = texelFetch(uBones, ivec2(0, joint), 0), y = texelFetch(uBones, ivec2(1, joint), 0), z = texelFetch(uBones, ivec2(2, joint), 0);
    world += weight * vec3(dot(x, place), dot(y, place), dot(z, place));
    normal += weight * vec3(dot(x.xyz, aNormal), dot(y.xyz, aNormal), dot(z.xyz, aNormal));
    vShare[int(texelFetch(uBones, ivec2(3, joint), 0).r + 0.5)] += weight;
  }
  vNormal = normalize(normal); vWorld = world - uShrink * vNormal; vUV = aUV; vWet = aWet;
  vShadow = uSunView * vec4(vWorld, 1.0); gl_Position = uView * vec4(vWorld, 1.0);
}`,
    // `uLook.a` is 0 where the joints' colors are shown and 1 where the skin's own are. Of the joints' colors each point has
    // the one with the largest share, so that borders are lines.
    fragment: `${HEAD}in vec3 vWorld, vNormal; in vec4 vShadow, vShare; in vec2 vUV; in float vWet; out vec4 color;
uniform float uAlpha, uHoles; uniform highp sampler2D uImage; uniform vec4 uLook, uTint, uCoat; uniform vec3 uPalette[4];
${LIGHT}
vec3 toned() {
  vec3 first = uPalette[0], second = uPalette[0];
  float most = vShare[0], next = -1.0;
  for (int k = 1; k < 4; k++) {
    if (vShare[k] > most) { second = first; next = most; first = uPalette[k]; most = vShare[k]; }
    else if (vShare[k] > next) { second = uPalette[k]; next = vShare[k]; }
  }
  float lead = most - next;
  return mix(0.5 * (first + second), first, clamp(lead / max(1.2 * fwidth(lead), 1e-4), 0.0, 1.0));
}
void main() {
  vec4 own = texture(uImage, vUV);
  if (own.a < 0.5 * uHoles) discard;
  vec3 base = mix(mix(toned(), uTint.rgb, uTint.a), uLook.rgb * own.rgb, uLook.a);
  base = mix(base, uCoat.rgb, uCoat.a * clamp(vWet / max(fwidth(vWet), 1e-5) + 0.5, 0.0, 1.0));
  color = vec4(hazy(shaded(base, normalize(vNormal), vWorld, lit(vShadow)), vWorld), uAlpha);
}`,
  },
  floor: {
    vertex: `${HEAD}
layout(location = 0) in vec3 aPosition;
uniform mat4 uView, uSunView; uniform vec3 uCentre; out vec3 vWorld; out vec4 vShadow;
void main() { vWorld = uCentre + 60.0 * aPosition; vShadow = uSunView * vec4(vWorld, 1.0); gl_Position = uView * vec4(vWorld, 1.0); }`,
    fragment: `${HEAD}in vec3 vWorld; in vec4 vShadow; out vec4 color; uniform vec3 uGround, uGrid;
${LIGHT}
float ruled(float step, float wide) {
  vec2 at = vWorld.xy / step, thin = fwidth(at);
  vec2 line = smoothstep(wide * thin, vec2(0.0), abs(fract(at - 0.5) - 0.5));
  return max(line.x, line.y) * (1.0 - smoothstep(0.15, 0.5, max(thin.x, thin.y)));
}
void main() {
  vec3 base = mix(uGround, uGrid, max(0.45 * ruled(0.5, 1.2), 0.9 * ruled(1.0, 1.5)));
  color = vec4(hazy(base * (0.66 + 0.34 * lit(vShadow)), vWorld), 1.0);
}`,
  },
};
for (const name of ['rigid', 'skin']) SHADERS[`${name}Depth`] = { vertex: SHADERS[name].vertex, fragment: `${HEAD}void main() {}` };
