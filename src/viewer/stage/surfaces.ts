/**
 * Surfaces that are only drawn, and bodies that deform: vertices and a value at each of them, new for every instant. What is a body looks as it is told
 * to, and is found under the pointer, as rigid ones are.
 */
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Vector2,
} from 'three';
import type { Colour } from '../../geometry/solid.js';
import { cross, dot, normalize, sub, type Vec3 } from '../../math/vec3.js';
import { toLinear } from '../../results/scene/colour-scale.js';
import type { Scene, SceneSurface } from '../../results/scene.js';
import type { SurfaceFrame } from '../playback/playback.js';
import type { BodyLooks } from './bodies.js';
import { creasedMesh } from './creases.js';
import { CLEAR, type FaceState, type Materials } from './materials.js';
import { CHOSEN_LAYER } from './part-group.js';
import type { Placement } from './placement.js';

const PLAIN: Colour = [0.62, 0.69, 0.78, 1];

interface Sheet {
  readonly surface: SceneSurface;
  /** That it is, or is a piece of; −1 of what is only drawn */
  readonly body: number;
  readonly mesh: InstancedMesh;
  /** The same, where what is chosen is outlined */
  readonly chosen: InstancedMesh;
  readonly tint: InstancedBufferAttribute;
  state: FaceState;
  /** Drawn vertex → vertex of the surface */
  readonly source: Uint32Array;
  readonly triangles: Uint32Array;
  readonly position: BufferAttribute;
  readonly normal: BufferAttribute;
  readonly value: BufferAttribute;
  readonly range: Vector2;
  /** What single precision is measured from, world, m */
  readonly middle: [number, number, number];
  vertices: Float64Array;
  least: number;
  greatest: number;
}

export class Surfaces {
  readonly root = new Group();
  readonly #sheets: Sheet[] = [];
  #coloured = true;
  #shadows = false;
  #set: { readonly low?: number | undefined; readonly high?: number | undefined } = {};

  constructor(
    scene: Scene,
    private readonly placement: Placement,
    private readonly materials: Materials,
  ) {
    const bodies = new Map(scene.bodies.map(({ name }, i) => [name, i] as const));
    for (const surface of scene.surfaces) {
      const { modes } = surface;
      const sheet = this.#make(surface, (modes && bodies.get(modes.whole ?? modes.frame)) ?? -1);
      this.#sheets.push(sheet);
      this.root.add(sheet.mesh, sheet.chosen);
      if (surface.vertices) this.#move(sheet, surface.vertices, undefined);
    }
  }

  get any(): boolean {
    return this.#sheets.length > 0;
  }

  show(frames: readonly SurfaceFrame[]): void {
    this.#sheets.forEach((sheet, i) => {
      const frame = frames[i];
      if (frame) this.#move(sheet, frame.vertices, frame.values);
    });
    this.#setRanges();
  }

  /** Widens the scales of quantities to what they will be. */
  expect(ranges: Readonly<Record<string, readonly [low: number, high: number]>>): void {
    for (const sheet of this.#sheets) {
      const [low, high] = ranges[sheet.surface.quantity] ?? [Infinity, -Infinity];
      sheet.least = Math.min(sheet.least, low);
      sheet.greatest = Math.max(sheet.greatest, high);
    }
    this.#setRanges();
  }

  /** By values where there are any, or one colour each; limits of the scale may be set. */
  setColouring(coloured: boolean, limits: { low?: number | undefined; high?: number | undefined }): void {
    this.#coloured = coloured;
    this.#set = limits;
    for (const sheet of this.#sheets) sheet.mesh.material = this.#materialOf(sheet);
    this.#setRanges();
  }

  /** As the bodies look that they are. */
  setLooks(looksOf: (body: number) => Readonly<Required<BodyLooks>>): void {
    for (const sheet of this.#sheets) {
      if (sheet.body < 0) continue;
      const { visible, transparent, wireframe, selected } = looksOf(sheet.body);
      sheet.state = wireframe ? 'wire' : transparent ? 'clear' : 'solid';
      sheet.mesh.visible = visible;
      sheet.chosen.visible = visible && selected;
      sheet.mesh.material = this.#materialOf(sheet);
      sheet.tint.setW(0, (transparent ? CLEAR : 1) * (sheet.surface.colour ?? PLAIN)[3]);
      sheet.tint.needsUpdate = true;
      this.#setShadow(sheet);
    }
  }

  /** The first body that deforms on the ray from `origin`, world, m, along a unit vector; of triangles as they were drawn last. */
  pick(origin: Vec3, direction: Vec3): { body: number; distance: number; normal: Vec3 } | undefined {
    let found: { body: number; distance: number; normal: Vec3 } | undefined;
    for (const { surface, body, mesh, vertices } of this.#sheets) {
      if (body < 0 || !mesh.visible || vertices.length === 0) continue;
      const corner = (vertex: number): Vec3 => [
        vertices[3 * vertex],
        vertices[3 * vertex + 1],
        vertices[3 * vertex + 2],
      ];
      const { triangles } = surface;
      for (let t = 0; t < triangles.length; t += 3) {
        const a = corner(triangles[t]);
        const u = sub(corner(triangles[t + 1]), a);
        const v = sub(corner(triangles[t + 2]), a);
        // Möller & Trumbore (1997): barycentric coordinates by Cramer's rule
        const p = cross(direction, v);
        const determinant = dot(u, p);
        if (determinant === 0) continue;
        const from = sub(origin, a);
        const x = dot(from, p) / determinant;
        const q = cross(from, u);
        const y = dot(direction, q) / determinant;
        const distance = dot(v, q) / determinant;
        if (!(x >= 0 && y >= 0 && x + y <= 1 && distance >= 0) || (found && distance >= found.distance)) continue;
        found = { body, distance, normal: normalize(cross(u, v)) };
      }
    }
    return found;
  }

  /** Of the first quantity that has values. */
  legend(): { quantity: string; unit: string; low: number; high: number } | undefined {
    if (!this.#coloured) return undefined;
    for (const { surface, least, greatest } of this.#sheets)
      if (surface.quantity !== '' && least <= greatest) {
        const [low, high] = this.#limits(surface);
        return { quantity: surface.quantity, unit: surface.unit, low, high };
      }
    return undefined;
  }

  /** Of those that are seen, or of one body; world, m, 3 each. */
  points(body?: number): readonly Float64Array[] {
    const shown = this.#sheets.filter((sheet) => (body === undefined ? sheet.mesh.visible : sheet.body === body));
    return shown.map(({ vertices }) => vertices);
  }

  set castShadow(on: boolean) {
    this.#shadows = on;
    for (const sheet of this.#sheets) this.#setShadow(sheet);
  }

  #setShadow({ mesh, state }: Sheet): void {
    mesh.castShadow = mesh.receiveShadow = this.#shadows && state === 'solid';
  }

  /** Widens a box (least x, y, z, greatest x, y, z, world, m) by all vertices. */
  addBounds(box: Float64Array): void {
    for (const { vertices, mesh } of this.#sheets)
      for (let i = 0; mesh.visible && i < vertices.length; i++) {
        const k = i % 3;
        if (vertices[i] < box[k]) box[k] = vertices[i];
        if (vertices[i] > box[3 + k]) box[3 + k] = vertices[i];
      }
  }

  /** Moves the surfaces to where the stage's origin is now. */
  place(): void {
    const { origin, scale } = this.placement;
    for (const { mesh, chosen, middle } of this.#sheets)
      for (const one of [mesh, chosen]) {
        one.scale.setScalar(scale);
        one.position.set(
          scale * (middle[0] - origin[0]),
          scale * (middle[1] - origin[1]),
          scale * (middle[2] - origin[2]),
        );
      }
  }

  #materialOf({ surface: { name, quantity }, range, state }: Pick<Sheet, 'surface' | 'range' | 'state'>) {
    return this.materials.surface(name, this.#coloured && quantity !== '' ? 'values' : 'tint', range, state);
  }

  #make(surface: SceneSurface, body: number): Sheet {
    const vertices = surface.vertices ?? new Float64Array(3 * surface.vertexCount);
    const { source, triangles } = creasedMesh({ vertices, triangles: surface.triangles });
    const geometry = new BufferGeometry();
    const moving = (name: string, size: number): BufferAttribute => {
      const attribute = new BufferAttribute(new Float32Array(size * source.length), size);
      attribute.setUsage(DynamicDrawUsage);
      geometry.setAttribute(name, attribute);
      return attribute;
    };
    const position = moving('position', 3);
    const normal = moving('normal', 3);
    const value = moving('value', 1);
    geometry.setIndex(new BufferAttribute(triangles, 1));
    const [r, g, b, alpha] = surface.colour ?? PLAIN;
    const tint = new InstancedBufferAttribute(new Float32Array([toLinear(r), toLinear(g), toLinear(b), alpha]), 4);
    geometry.setAttribute('tint', tint);
    const range = new Vector2(0, 1);
    const state = 'solid';
    // One instance: the materials of faces take their tint per instance
    const mesh = new InstancedMesh(geometry, this.#materialOf({ surface, range, state }), 1);
    const chosen = new InstancedMesh(geometry, this.materials.chosen, 1);
    mesh.frustumCulled = chosen.frustumCulled = false;
    chosen.layers.set(CHOSEN_LAYER);
    chosen.visible = false;
    const middle: Sheet['middle'] = [0, 0, 0];
    const empty = { least: Infinity, greatest: -Infinity, vertices: new Float64Array(0) };
    return {
      surface,
      body,
      mesh,
      chosen,
      tint,
      state,
      source,
      triangles,
      position,
      normal,
      value,
      range,
      middle,
      ...empty,
    };
  }

  #move(sheet: Sheet, vertices: Float64Array, values: Float64Array | undefined): void {
    const { source, position, value, middle } = sheet;
    sheet.vertices = vertices;
    for (let k = 0; k < 3; k++) middle[k] = Number.isFinite(vertices[k]) ? vertices[k] : 0;
    const p = position.array;
    for (let i = 0; i < source.length; i++)
      for (let k = 0; k < 3; k++) p[3 * i + k] = vertices[3 * source[i] + k] - middle[k];
    position.needsUpdate = true;
    this.#turnNormals(sheet);
    if (values && values.length > 0) {
      for (let i = 0; i < source.length; i++) value.array[i] = values[source[i]];
      value.needsUpdate = true;
      for (let i = 0; i < values.length; i++) {
        if (values[i] < sheet.least) sheet.least = values[i];
        if (values[i] > sheet.greatest) sheet.greatest = values[i];
      }
    }
    this.place();
  }

  #setRanges(): void {
    for (const { surface, range } of this.#sheets) {
      const [low, high] = this.#limits(surface);
      if (low <= high) range.set(low, high > low ? 1 / (high - low) : 0);
    }
  }

  /** All surfaces of one quantity have one scale, that of the legend: pieces of a part, parts that press on each other. */
  #limits({ quantity }: SceneSurface): readonly [low: number, high: number] {
    let [low, high] = [Infinity, -Infinity];
    for (const { surface, least, greatest } of this.#sheets)
      if (surface.quantity === quantity) {
        low = Math.min(low, least);
        high = Math.max(high, greatest);
      }
    return [this.#set.low ?? low, this.#set.high ?? high];
  }

  /** Sums of the faces' area normals at each drawn vertex; vertices on creases are drawn once for each side. */
  #turnNormals({ triangles, position, normal }: Sheet): void {
    const p = position.array;
    const n = normal.array;
    n.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
      const a = 3 * triangles[t];
      const b = 3 * triangles[t + 1];
      const c = 3 * triangles[t + 2];
      const ux = p[b] - p[a];
      const uy = p[b + 1] - p[a + 1];
      const uz = p[b + 2] - p[a + 2];
      const wx = p[c] - p[a];
      const wy = p[c + 1] - p[a + 1];
      const wz = p[c + 2] - p[a + 2];
      const x = uy * wz - uz * wy;
      const y = uz * wx - ux * wz;
      const z = ux * wy - uy * wx;
      add(n, a, x, y, z);
      add(n, b, x, y, z);
      add(n, c, x, y, z);
    }
    for (let i = 0; i < n.length; i += 3) {
      const length = Math.sqrt(n[i] * n[i] + n[i + 1] * n[i + 1] + n[i + 2] * n[i + 2]) || 1;
      n[i] /= length;
      n[i + 1] /= length;
      n[i + 2] /= length;
    }
    normal.needsUpdate = true;
  }

  dispose(): void {
    for (const { mesh, chosen } of this.#sheets) {
      mesh.geometry.dispose();
      mesh.dispose();
      chosen.dispose();
    }
  }
}

function add(n: { [at: number]: number }, at: number, x: number, y: number, z: number): void {
  n[at] += x;
  n[at + 1] += y;
  n[at + 2] += z;
}
