/**
 * All parts of one shape, drawn together: one call to the card for each way they are drawn (solid, transparent, wireframe) and level
 * of detail, however many there are. Matrices are rewritten in place for every frame.
 */
import {
  type BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  type Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  InstancedMesh,
  LineSegments,
  type Material,
} from 'three';
import type { Vec3 } from '../../math/vec3.js';
import type { FaceColour, FaceState, Materials } from './materials.js';
import type { Placement } from './placement.js';
import { type VertexQuantity, writeRates } from './quantity.js';

/** Geometry in the shape's frame about its centre, finest first; `beyond` px of radius on the screen it is used. */
export interface Level {
  readonly geometry: BufferGeometry;
  readonly beyond: number;
}

export const HIDDEN = 0;
export const SOLID = 1;
export const TRANSPARENT = 2;
export const WIRE = 3;
/** Added to the state of what is chosen */
export const CHOSEN = 4;
const STATES: readonly (FaceState | undefined)[] = [undefined, 'solid', 'clear', 'wire'];
/** three's layer on which the chosen are drawn for their outline, and nothing else */
export const CHOSEN_LAYER = 1;

export interface Instance {
  readonly body: number;
  readonly part: number;
  /** Centre of the shape in the body's frame, m */
  readonly centre: Vec3;
  /** From the geometry's lengths to m */
  readonly factor: number;
  /** Around `centre`, m */
  readonly radius: number;
}

/** How the eye sees sizes: pixels a stage length of 1 takes at depth 1 (perspective), or at any depth. */
export interface Sight {
  readonly position: Vec3;
  readonly forward: Vec3;
  readonly pixels: number;
  readonly perspective: boolean;
}

export class PartGroup {
  readonly count: number;
  /** 4 per instance: linear red, green, blue, and opacity */
  readonly tints: Float32Array;
  /** 2 per instance: roughness and metal, 0…1 */
  readonly gloss: Float32Array;
  /** One per instance: HIDDEN … WIRE, plus CHOSEN */
  readonly states: Uint8Array;
  readonly #body: Int32Array;
  readonly #centres: Float64Array;
  readonly #factors: Float64Array;
  readonly #batches: (Batch | undefined)[] = [];
  readonly #rows = new Float64Array(12);
  readonly #matrix = new Float64Array(12);

  constructor(
    private readonly parent: Group,
    private readonly materials: Materials,
    readonly instances: readonly Instance[],
    private readonly levels: readonly Level[],
    private readonly colour: FaceColour,
    private readonly lines: BufferAttribute | undefined,
    private readonly reach: number,
  ) {
    const n = instances.length;
    this.count = n;
    this.tints = new Float32Array(4 * n);
    this.gloss = new Float32Array(2 * n);
    this.states = new Uint8Array(n).fill(SOLID);
    this.#body = Int32Array.from(instances, ({ body }) => body);
    this.#centres = Float64Array.from(instances.flatMap(({ centre }) => [...centre]));
    this.#factors = Float64Array.from(instances, ({ factor }) => factor);
  }

  /** Whether what is drawn depends on where the eye is. */
  get levelled(): boolean {
    return this.levels.length > 1;
  }

  set castShadow(on: boolean) {
    for (const batch of this.#batches) if (batch) batch.mesh.castShadow = batch.mesh.receiveShadow = on && batch.shades;
    this.#shadows = on;
  }
  #shadows = false;

  /** Writes places, tints and rates of all visible parts. */
  write(placement: Placement, up: Vec3, sight: Sight, quantity: VertexQuantity | undefined): void {
    const { states, levels } = this;
    const body = this.#body;
    const centres = this.#centres;
    const factors = this.#factors;
    const matrix = this.#matrix;
    const rows = this.#rows;
    const { poses, rotations, origin, scale } = placement;
    for (const batch of this.#batches) if (batch) batch.used = 0;
    for (let i = 0; i < this.count; i++) {
      const state = states[i] & 3;
      if (state === HIDDEN) continue;
      const b = body[i];
      const r = 9 * b;
      const c = 3 * i;
      const s = scale * factors[i];
      for (let k = 0; k < 3; k++) {
        const row = r + 3 * k;
        const x = rotations[row];
        const y = rotations[row + 1];
        const z = rotations[row + 2];
        matrix[4 * k] = s * x;
        matrix[4 * k + 1] = s * y;
        matrix[4 * k + 2] = s * z;
        matrix[4 * k + 3] =
          scale * (poses[7 * b + k] - origin[k] + x * centres[c] + y * centres[c + 1] + z * centres[c + 2]);
      }
      let level = 0;
      if (levels.length > 1) {
        const depth = sight.perspective
          ? (matrix[3] - sight.position[0]) * sight.forward[0] +
            (matrix[7] - sight.position[1]) * sight.forward[1] +
            (matrix[11] - sight.position[2]) * sight.forward[2]
          : 1;
        const radius = depth > 0 ? (s * sight.pixels) / depth : 0;
        while (level < levels.length - 1 && radius < levels[level].beyond) level++;
      }
      const known = quantity ? writeRates(quantity, placement, up, b, centres, c, factors[i], rows) : false;
      this.#batch(state, level).push(matrix, this, i, quantity ? rows : undefined, known);
      if (states[i] & CHOSEN) this.#batch(0, level).push(matrix, this, i, undefined, false);
    }
    for (const batch of this.#batches) batch?.finish();
  }

  /** Made when first needed; state 0 is the outline of the chosen. */
  #batch(state: number, level: number): Batch {
    const at = 4 * level + state;
    let batch = this.#batches[at];
    if (!batch) {
      const face = STATES[state];
      batch = face
        ? new Batch(
            this.parent,
            this.levels[level].geometry,
            this.materials.face(face, this.colour),
            this.count,
            this.colour === 'rates',
          )
        : new Batch(this.parent, this.levels[level].geometry, this.materials.chosen, this.count, false);
      if (!face) batch.mesh.layers.set(CHOSEN_LAYER);
      else if (this.lines && face !== 'wire')
        batch.addLines(this.parent, this.lines, this.materials.edgeOf(this.reach));
      batch.shades = face === 'solid';
      batch.mesh.castShadow = batch.mesh.receiveShadow = this.#shadows && batch.shades;
      this.#batches[at] = batch;
    }
    return batch;
  }

  dispose(): void {
    for (const batch of this.#batches) batch?.dispose(this.parent);
    this.#batches.length = 0;
    for (const { geometry } of this.levels) geometry.dispose();
  }
}

/** Instances drawn in one call. */
class Batch {
  readonly mesh: InstancedMesh;
  used = 0;
  shades = false;
  readonly #tint: InstancedBufferAttribute;
  readonly #gloss: InstancedBufferAttribute;
  readonly #rates: InstancedBufferAttribute[] = [];
  #lines?: LineSegments<InstancedBufferGeometry>;

  constructor(parent: Group, shape: BufferGeometry, material: Material, count: number, rated: boolean) {
    const geometry = new BufferGeometry();
    geometry.setIndex(shape.index);
    for (const [name, attribute] of Object.entries(shape.attributes)) geometry.setAttribute(name, attribute);
    this.#tint = own(geometry, 'tint', 4, count);
    this.#gloss = own(geometry, 'gloss', 2, count);
    if (rated)
      for (const name of ['rateX', 'rateY', 'rateZ', 'known'])
        this.#rates.push(own(geometry, name, name === 'known' ? 1 : 4, count));
    this.mesh = meshOf(geometry, material, count);
    parent.add(this.mesh);
  }

  /** Lines at the same places: they share the matrices. */
  addLines(parent: Group, lines: BufferAttribute, material: Material): void {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', lines);
    geometry.setAttribute('place', this.mesh.instanceMatrix);
    this.#lines = new LineSegments(geometry, material);
    this.#lines.frustumCulled = false;
    parent.add(this.#lines);
  }

  push(
    m: Float64Array,
    { tints, gloss }: Pick<PartGroup, 'tints' | 'gloss'>,
    of: number,
    rows: Float64Array | undefined,
    known: boolean,
  ): void {
    const i = this.used++;
    const e = this.mesh.instanceMatrix.array;
    const at = 16 * i;
    // three stores columns
    e[at] = m[0];
    e[at + 1] = m[4];
    e[at + 2] = m[8];
    e[at + 4] = m[1];
    e[at + 5] = m[5];
    e[at + 6] = m[9];
    e[at + 8] = m[2];
    e[at + 9] = m[6];
    e[at + 10] = m[10];
    e[at + 12] = m[3];
    e[at + 13] = m[7];
    e[at + 14] = m[11];
    const t = this.#tint.array;
    for (let k = 0; k < 4; k++) t[4 * i + k] = tints[4 * of + k];
    const g = this.#gloss.array;
    for (let k = 0; k < 2; k++) g[2 * i + k] = gloss[2 * of + k];
    if (rows) {
      for (let k = 0; k < 3; k++) {
        const a = this.#rates[k].array;
        for (let j = 0; j < 4; j++) a[4 * i + j] = known ? rows[4 * k + j] : 0;
      }
      this.#rates[3].array[i] = known ? 1 : 0;
    }
  }

  finish(): void {
    this.mesh.count = this.used;
    this.mesh.visible = this.used > 0;
    if (this.#lines) {
      this.#lines.visible = this.used > 0;
      this.#lines.geometry.instanceCount = this.used;
    }
    if (this.used === 0) return;
    send(this.mesh.instanceMatrix, this.used);
    send(this.#tint, this.used);
    send(this.#gloss, this.used);
    for (const rate of this.#rates) send(rate, this.used);
  }

  dispose(parent: Group): void {
    parent.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.dispose();
    if (!this.#lines) return;
    parent.remove(this.#lines);
    this.#lines.geometry.dispose();
  }
}

function own(geometry: BufferGeometry, name: string, size: number, count: number): InstancedBufferAttribute {
  const attribute = new InstancedBufferAttribute(new Float32Array(size * count), size);
  attribute.setUsage(DynamicDrawUsage);
  geometry.setAttribute(name, attribute);
  return attribute;
}

function meshOf(geometry: BufferGeometry, material: Material, count: number): InstancedMesh {
  const mesh = new InstancedMesh(geometry, material, count);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  // The parts are all over the scene: there is no box to cull by
  mesh.frustumCulled = false;
  mesh.count = 0;
  return mesh;
}

/** Only what is used travels to the card. */
function send(attribute: InstancedBufferAttribute, used: number): void {
  attribute.clearUpdateRanges();
  attribute.addUpdateRange(0, used * attribute.itemSize);
  attribute.needsUpdate = true;
}
