/** Plane polygons in the world with a colour each, translucent, over everything else: patches and the surface of an intersection. */
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Mesh,
  MeshBasicMaterial,
  ShapeUtils,
  Vector2,
} from 'three';
import { cross, dot, norm, normalize, perpendicular, type Vec3 } from '../../math/vec3.js';
import { toLinear } from '../../results/scene/colour-scale.js';
import { type Loops, vectorArea } from './pressure.js';
import type { Paint } from './strokes.js';

export class Surfaces {
  readonly object: Mesh<BufferGeometry, MeshBasicMaterial>;
  /** 3 and 4 per corner */
  #places = new Float32Array(3 * 96);
  #paints = new Float32Array(4 * 96);
  #corners = 0;
  #origin: Vec3 = [0, 0, 0];

  constructor(order: number) {
    const material = new MeshBasicMaterial({
      vertexColors: true,
      transparent: true,
      side: DoubleSide,
      depthTest: false,
      depthWrite: false,
      toneMapped: false,
    });
    this.object = new Mesh(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = order;
  }

  begin(origin: Vec3): void {
    this.#corners = 0;
    this.#origin = origin;
    this.object.position.set(...origin);
  }

  /** A convex outline, as that of an ellipse */
  addFan(corners: readonly Vec3[], paint: Paint): void {
    const light = inLight(paint);
    for (let k = 1; k + 1 < corners.length; k++) this.#triangle(corners[0], corners[k], corners[k + 1], light);
  }

  /** Any plane polygon with holes. */
  addPolygon(loops: Loops, paint: Paint): void {
    const area = vectorArea(loops);
    if (loops.length === 1 && isConvex(loops[0], area)) {
      this.addFan(loops[0], paint);
      return;
    }
    if (!(norm(area) > 0)) return;
    const light = inLight(paint);
    const normal = normalize(area);
    const u = perpendicular(normal);
    const v = cross(normal, u);
    const flat = (loop: readonly Vec3[]): Vector2[] => loop.map((point) => new Vector2(dot(point, u), dot(point, v)));
    // loops that run like the polygon are outer ones, the others holes; a hole goes with all outer ones that have it inside
    const outer = loops.filter((loop) => dot(vectorArea([loop]), normal) > 0);
    const holes = loops.filter((loop) => dot(vectorArea([loop]), normal) < 0);
    for (const loop of outer) {
      const contour = flat(loop);
      const inside = holes.filter((hole) => contains(contour, flat(hole)[0]));
      const corners = [...loop, ...inside.flat()];
      for (const [a, b, c] of ShapeUtils.triangulateShape(contour, inside.map(flat)))
        this.#triangle(corners[a], corners[b], corners[c], light);
    }
  }

  #triangle(a: Vec3, b: Vec3, c: Vec3, light: Paint): void {
    if (3 * (this.#corners + 3) > this.#places.length) {
      this.#places = grown(this.#places);
      this.#paints = grown(this.#paints);
    }
    this.#corner(a, light);
    this.#corner(b, light);
    this.#corner(c, light);
  }

  #corner(at: Vec3, light: Paint): void {
    const i = this.#corners++;
    for (let k = 0; k < 3; k++) this.#places[3 * i + k] = at[k] - this.#origin[k];
    for (let k = 0; k < 4; k++) this.#paints[4 * i + k] = light[k];
  }

  end(): void {
    const { geometry } = this.object;
    set(geometry, 'position', this.#places, 3, this.#corners);
    set(geometry, 'color', this.#paints, 4, this.#corners);
    geometry.setDrawRange(0, this.#corners);
    this.object.visible = this.#corners > 0;
  }

  get triangles(): number {
    return this.#corners / 3;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.object.removeFromParent();
  }
}

/** The array itself becomes the buffer; a new one where it has grown. */
function set(geometry: BufferGeometry, name: string, values: Float32Array, width: number, corners: number): void {
  let attribute = geometry.getAttribute(name) as BufferAttribute | undefined;
  if (attribute?.array !== values) {
    geometry.dispose();
    attribute = new BufferAttribute(values, width);
    attribute.setUsage(DynamicDrawUsage);
    geometry.setAttribute(name, attribute);
  }
  attribute.clearUpdateRanges();
  attribute.addUpdateRange(0, width * corners);
  attribute.needsUpdate = true;
}

function grown(values: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(2 * values.length);
  larger.set(values);
  return larger;
}

/** From sRGB; the renderer turns light into sRGB again. */
const inLight = ([red, green, blue, opacity]: Paint): Paint => [
  toLinear(red),
  toLinear(green),
  toLinear(blue),
  opacity,
];

function isConvex(loop: readonly Vec3[], area: Vec3): boolean {
  for (let k = 0; k < loop.length; k++) {
    const [a, b, c] = [loop[k], loop[(k + 1) % loop.length], loop[(k + 2) % loop.length]];
    const turn = cross([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - b[0], c[1] - b[1], c[2] - b[2]]);
    if (dot(turn, area) < 0) return false;
  }
  return true;
}

function contains(loop: readonly Vector2[], { x, y }: Vector2): boolean {
  let inside = false;
  for (let k = 0, before = loop.length - 1; k < loop.length; before = k++) {
    const [a, b] = [loop[before], loop[k]];
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) * (b.x - a.x)) / (b.y - a.y)) inside = !inside;
  }
  return inside;
}
