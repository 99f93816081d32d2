/**
 * Lines and arrows of constant width on the screen, thousands in one draw call. Each instance is a segment in the world; the shader puts
 * a flat arrow along its picture, so that the tip is exactly where the end of the vector is seen. They lie over everything else, with a
 * rim in the colour of the background that keeps them apart from what is behind.
 */
import {
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Float32BufferAttribute,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  Vector2,
  type WebGLRenderer,
} from 'three';
import type { Vec3 } from '../../math/vec3.js';

/** Red, green, blue, opacity, 0…1, sRGB */
export type Paint = readonly [number, number, number, number];

const VERTEX = /* glsl */ `
in vec3 corner; // x: 0 tail, 1 end of the shaft or base of the head, 2 tip; y: side; z: 1 for the head
in vec3 from;
in vec3 to;
in vec4 paint;
in vec2 look; // width and length of the head, CSS px
uniform vec2 resolution; // px
uniform float ratio; // px per CSS px
uniform float rim; // CSS px added all round
out vec4 colour;

void main() {
  vec4 a = modelViewMatrix * vec4(from, 1.0);
  vec4 b = modelViewMatrix * vec4(to, 1.0);
  // what is behind the eye is cut off at the near plane
  if (projectionMatrix[3][3] == 0.0) {
    float near = projectionMatrix[3][2] / (projectionMatrix[2][2] - 1.0);
    float limit = -abs(near);
    if (a.z > limit && b.z > limit) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (a.z > limit) a = mix(a, b, (a.z - limit) / (a.z - b.z));
    if (b.z > limit) b = mix(b, a, (b.z - limit) / (b.z - a.z));
  }
  vec4 clipA = projectionMatrix * a;
  vec4 clipB = projectionMatrix * b;
  vec2 tail = 0.5 * resolution * clipA.xy / clipA.w;
  vec2 tip = 0.5 * resolution * clipB.xy / clipB.w;
  vec2 along = tip - tail;
  float size = length(along);
  along = size > 1e-4 ? along / size : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  // a short arrow has a short head
  float head = min(look.y * ratio, 0.6 * size);
  // and a thin rim, or there would be more rim than arrow
  float edge = rim * ratio * clamp(size / (12.0 * ratio), 0.0, 1.0);
  if (look.y > 0.0 && size < ratio) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  vec2 place;
  if (corner.z < 0.5) {
    place = corner.x < 0.5 ? tail - along * edge : tip - along * 0.8 * head + (look.y > 0.0 ? vec2(0.0) : along * edge);
    place += across * corner.y * (0.5 * look.x * ratio * clamp(size / (4.0 * ratio), 0.3, 1.0) + edge);
  } else {
    float grown = head > 0.0 ? edge : 0.0;
    place = corner.x < 1.5 ? tip - along * (head + grown) : tip + along * 2.0 * grown;
    place += across * corner.y * (0.42 * head + 1.6 * grown);
  }
  colour = paint;
  gl_Position = vec4(2.0 * place / resolution, 0.0, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
in vec4 colour;
uniform vec4 rimColour;
uniform float rim;
out vec4 pixel;
void main() {
  pixel = rim > 0.0 ? vec4(rimColour.rgb, rimColour.a * colour.a) : colour;
}
`;

/** Shaft as a quadrilateral, head as a triangle */
const CORNERS = [0, -1, 0, 0, 1, 0, 1, 1, 0, 1, -1, 0, 1, -1, 1, 1, 1, 1, 2, 0, 1];
const INDEX = [0, 3, 2, 0, 2, 1, 4, 6, 5];
const WIDTH = 12; // numbers per instance: from, to, paint, look

export class Strokes {
  readonly object = new Group();
  #geometry = new InstancedBufferGeometry();
  readonly #meshes: readonly Mesh[];
  readonly #materials: readonly ShaderMaterial[];
  #numbers = new Float32Array(WIDTH * 64);
  #count = 0;
  #origin: Vec3 = [0, 0, 0];

  /** @param order later is drawn over earlier */
  constructor(order: number, withRim: boolean) {
    const material = (rim: number): ShaderMaterial =>
      new ShaderMaterial({
        glslVersion: '300 es',
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: {
          resolution: { value: new Vector2(1, 1) },
          ratio: { value: 1 },
          rim: { value: rim },
          rimColour: { value: [1, 1, 1, 0.75] },
        },
        transparent: true,
        depthTest: false,
        depthWrite: false,
        side: DoubleSide,
      });
    this.#materials = withRim ? [material(1), material(0)] : [material(0)];
    this.#meshes = this.#materials.map((own, i) => {
      const mesh = new Mesh(this.#geometry, own);
      mesh.frustumCulled = false;
      mesh.renderOrder = order + i;
      mesh.onBeforeRender = (renderer) => setSize(renderer as WebGLRenderer, own);
      return mesh;
    });
    this.object.add(...this.#meshes);
    this.#allot();
  }

  get count(): number {
    return this.#count;
  }

  /** Starts anew. @param origin near the strokes, world, m: their places are kept relative to it in single precision */
  begin(origin: Vec3): void {
    this.#count = 0;
    this.#origin = origin;
    this.object.position.set(...origin);
  }

  /** @param head CSS px, 0 for a line */
  add(from: Vec3, to: Vec3, [red, green, blue, opacity]: Paint, width: number, head = 0): void {
    if (WIDTH * (this.#count + 1) > this.#numbers.length) {
      const grown = new Float32Array(2 * this.#numbers.length);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    const [x, y, z] = this.#origin;
    const n = this.#numbers;
    const i = WIDTH * this.#count++;
    n[i] = from[0] - x;
    n[i + 1] = from[1] - y;
    n[i + 2] = from[2] - z;
    n[i + 3] = to[0] - x;
    n[i + 4] = to[1] - y;
    n[i + 5] = to[2] - z;
    n[i + 6] = red;
    n[i + 7] = green;
    n[i + 8] = blue;
    n[i + 9] = opacity;
    n[i + 10] = width;
    n[i + 11] = head;
  }

  end(): void {
    const held = this.#geometry.getAttribute('from')?.count ?? 0;
    if (held < this.#count) this.#allot();
    for (const [name, at, size] of LAYOUT) {
      const attribute = this.#geometry.getAttribute(name) as InstancedBufferAttribute;
      const { array } = attribute;
      for (let i = 0; i < this.#count; i++)
        for (let k = 0; k < size; k++) array[size * i + k] = this.#numbers[WIDTH * i + at + k];
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, size * this.#count);
      attribute.needsUpdate = true;
    }
    this.#geometry.instanceCount = this.#count;
    this.object.visible = this.#count > 0;
  }

  /** Buffers of the card cannot grow: new ones for as many instances as there is room for here. */
  #allot(): void {
    this.#geometry.dispose();
    this.#geometry = new InstancedBufferGeometry();
    this.#geometry.setAttribute('corner', new Float32BufferAttribute(CORNERS, 3));
    this.#geometry.setIndex(INDEX);
    const room = this.#numbers.length / WIDTH;
    for (const [name, , size] of LAYOUT) {
      const attribute = new InstancedBufferAttribute(new Float32Array(size * room), size);
      attribute.setUsage(DynamicDrawUsage);
      this.#geometry.setAttribute(name, attribute);
    }
    for (const mesh of this.#meshes) mesh.geometry = this.#geometry;
  }

  setRim(colour: string, opacity: number): void {
    const { r, g, b } = new Color().setStyle(colour, 'srgb-linear');
    for (const { uniforms } of this.#materials) uniforms.rimColour.value = [r, g, b, opacity];
  }

  dispose(): void {
    this.#geometry.dispose();
    for (const material of this.#materials) material.dispose();
    this.object.removeFromParent();
  }
}

const LAYOUT = [
  ['from', 0, 3],
  ['to', 3, 3],
  ['paint', 6, 4],
  ['look', 10, 2],
] as const;

const size = new Vector2();
function setSize(renderer: WebGLRenderer, material: ShaderMaterial): void {
  const target = renderer.getRenderTarget();
  if (target) size.set(target.width, target.height);
  else renderer.getDrawingBufferSize(size);
  const { uniforms } = material;
  if (uniforms.resolution.value.equals(size) && uniforms.ratio.value === renderer.getPixelRatio()) return;
  uniforms.resolution.value.copy(size);
  uniforms.ratio.value = renderer.getPixelRatio();
  material.uniformsNeedUpdate = true;
}
