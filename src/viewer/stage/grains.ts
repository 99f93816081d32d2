/** Grains: one ball drawn many times, and so each form of those that are none, at the places and in the colours of the instant. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Group,
  IcosahedronGeometry,
  InstancedBufferAttribute,
  InstancedMesh,
  MeshStandardMaterial,
} from 'three';
import { type DrawnBalls, drawnBalls, formOf } from '../../results/scene/grain-drawing.js';
import { type GrainFrame, NO_GRAINS } from '../../results/scene/grain-frames.js';
import type { Scene, SceneForm } from '../../results/scene.js';
import {
  GRAIN_UNITS,
  type GrainQuantity,
  type Tints,
  tintsBySpecies,
  tintsByValue,
  valuesOf,
} from '../grain-colours.js';
import type { Placement } from './placement.js';

/** From so many on balls are drawn with fewer triangles. */
const MANY = 8000;
/** From so many on they are a few pixels each, and 20 triangles do: 50 000 balls are a million, not four */
const CROWD = 30_000;

export class Grains {
  readonly root = new Group();
  #mesh: InstancedMesh | undefined;
  /** Of each form that is a polyhedron, drawn so often as there is room for */
  readonly #stones = new Map<SceneForm, InstancedMesh>();
  #frame: GrainFrame = NO_GRAINS;
  #quantity: GrainQuantity = 'species';
  readonly #bySpecies: (species: Int32Array) => Tints;
  #least = Infinity;
  #greatest = -Infinity;
  #shadows = false;
  readonly any: boolean;

  constructor(
    private readonly scene: Scene,
    private readonly placement: Placement,
  ) {
    this.any = scene.grains !== undefined;
    this.#bySpecies = tintsBySpecies(scene.grains ?? { species: [], low: [0, 0, 0], high: [0, 0, 0] });
  }

  show(frame: GrainFrame): void {
    this.#frame = frame;
    this.#write();
  }

  colourBy(quantity: GrainQuantity): void {
    if (quantity === this.#quantity) return;
    this.#quantity = quantity;
    [this.#least, this.#greatest] = [Infinity, -Infinity];
    this.#write();
  }

  legend(): { quantity: string; unit: string; low: number; high: number } | undefined {
    if (!this.any || this.#quantity === 'species' || this.#quantity === 'id' || !(this.#least <= this.#greatest))
      return undefined;
    const quantity = this.#quantity === 'size' ? 'radius' : this.#quantity;
    return {
      quantity: `${quantity} of grains`,
      unit: GRAIN_UNITS[this.#quantity],
      low: this.#least,
      high: this.#greatest,
    };
  }

  set castShadow(on: boolean) {
    this.#shadows = on;
    for (const mesh of this.#meshes) mesh.castShadow = mesh.receiveShadow = on;
  }

  /** Corners of the box around the grains at the start, world, m, 3 each */
  points(): Float64Array {
    const { grains } = this.scene;
    if (!grains) return new Float64Array(0);
    const { low, high } = grains;
    return Float64Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1 ? high : low)[i % 3]);
  }

  addBounds(box: Float64Array): void {
    const { positions, radii } = this.#frame;
    for (let i = 0; i < positions.length; i++) {
      const k = i % 3;
      const r = radii[(i - k) / 3];
      if (positions[i] - r < box[k]) box[k] = positions[i] - r;
      if (positions[i] + r > box[3 + k]) box[3 + k] = positions[i] + r;
    }
  }

  /** After the stage's origin has moved */
  place(): void {
    this.#write();
  }

  dispose(): void {
    for (const mesh of this.#meshes) discard(mesh);
    this.#stones.clear();
    this.#mesh = undefined;
  }

  get #meshes(): InstancedMesh[] {
    return [...(this.#mesh ? [this.#mesh] : []), ...this.#stones.values()];
  }

  #write(): void {
    const frame = this.#frame;
    const { grains } = this.scene;
    if (!grains) return;
    const values = valuesOf(frame, this.#quantity);
    if (values)
      for (const value of values) {
        if (value < this.#least) this.#least = value;
        if (value > this.#greatest) this.#greatest = value;
      }
    const tints = values ? tintsByValue(values, this.#least, this.#greatest) : this.#bySpecies(frame.species);
    this.#writeBalls(drawnBalls(grains, frame), tints);
    if (frame.orientations) this.#writeStones(frame, frame.orientations, tints);
  }

  #writeBalls({ count, positions, radii, owner }: DrawnBalls, { light, of }: Tints): void {
    const mesh = this.#room(count);
    if (!mesh) return;
    mesh.count = count;
    const { scale } = this.placement;
    const [ox, oy, oz] = this.placement.origin;
    const matrices = mesh.instanceMatrix.array as Float32Array;
    const tints = mesh.instanceColor!.array as Float32Array;
    // The rest of a matrix is 0 and 1 for good
    for (let i = 0; i < count; i++) {
      const m = 16 * i;
      matrices[m] = matrices[m + 5] = matrices[m + 10] = scale * radii[i];
      matrices[m + 12] = scale * (positions[3 * i] - ox);
      matrices[m + 13] = scale * (positions[3 * i + 1] - oy);
      matrices[m + 14] = scale * (positions[3 * i + 2] - oz);
      const c = 3 * of(owner[i]);
      tints[3 * i] = light[c];
      tints[3 * i + 1] = light[c + 1];
      tints[3 * i + 2] = light[c + 2];
    }
    mesh.instanceMatrix.needsUpdate = true;
    mesh.instanceColor!.needsUpdate = true;
  }

  #writeStones(frame: GrainFrame, orientations: Float64Array, { light, of }: Tints): void {
    const { origin, scale } = this.placement;
    const places = new Map<SceneForm, number[]>();
    for (let i = 0; i < frame.count; i++) {
      const form = formOf(this.scene.grains!, frame, i);
      if (!form?.mesh) continue;
      const own = places.get(form);
      if (own) own.push(i);
      else places.set(form, [i]);
    }
    for (const [form, mesh] of this.#stones) if (!places.has(form)) mesh.count = 0;
    for (const [form, own] of places) {
      const mesh = this.#stoneRoom(form, own.length);
      mesh.count = own.length;
      const matrices = mesh.instanceMatrix.array;
      const tints = mesh.instanceColor!.array;
      own.forEach((i, n) => {
        const [w, x, y, z] = orientations.subarray(4 * i, 4 * i + 4);
        const size = scale * frame.radii[i];
        const m = 16 * n;
        // column by column
        matrices[m] = size * (1 - 2 * (y * y + z * z));
        matrices[m + 1] = size * 2 * (x * y + w * z);
        matrices[m + 2] = size * 2 * (x * z - w * y);
        matrices[m + 4] = size * 2 * (x * y - w * z);
        matrices[m + 5] = size * (1 - 2 * (x * x + z * z));
        matrices[m + 6] = size * 2 * (y * z + w * x);
        matrices[m + 8] = size * 2 * (x * z + w * y);
        matrices[m + 9] = size * 2 * (y * z - w * x);
        matrices[m + 10] = size * (1 - 2 * (x * x + y * y));
        const c = 3 * of(i);
        for (let k = 0; k < 3; k++) {
          matrices[m + 12 + k] = scale * (frame.positions[3 * i + k] - origin[k]);
          tints[3 * n + k] = light[c + k];
        }
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  #stoneRoom(form: SceneForm, count: number): InstancedMesh {
    const known = this.#stones.get(form);
    if (known && known.instanceMatrix.count >= count) return known;
    if (known) {
      this.root.remove(known);
      discard(known);
    }
    const { vertices, triangles } = form.mesh!;
    // Flat faces: each triangle with corners of its own
    const corners = new Float32Array(3 * triangles.length);
    triangles.forEach((v, t) => {
      for (let k = 0; k < 3; k++) corners[3 * t + k] = vertices[3 * v + k];
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(corners, 3));
    geometry.computeVertexNormals();
    const mesh = this.#instances(geometry, count);
    this.#stones.set(form, mesh);
    return mesh;
  }

  #room(count: number): InstancedMesh | undefined {
    if (count === 0) {
      if (this.#mesh) this.#mesh.count = 0;
      return undefined;
    }
    if (this.#mesh && this.#mesh.instanceMatrix.count >= count) return this.#mesh;
    if (this.#mesh) {
      this.root.remove(this.#mesh);
      discard(this.#mesh);
    }
    const geometry = new IcosahedronGeometry(1, count > CROWD ? 0 : count > MANY ? 1 : 2);
    // Round: the normal of a point of a ball is the point
    geometry.setAttribute('normal', geometry.getAttribute('position').clone());
    return (this.#mesh = this.#instances(geometry, count));
  }

  #instances(geometry: BufferGeometry, count: number): InstancedMesh {
    const room = Math.ceil(1.2 * count);
    const material = new MeshStandardMaterial({ roughness: 0.55, metalness: 0, color: new Color(1, 1, 1) });
    const mesh = new InstancedMesh(geometry, material, room);
    for (let m = 15; m < mesh.instanceMatrix.array.length; m += 16) mesh.instanceMatrix.array[m] = 1;
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * room), 3);
    mesh.instanceColor.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = this.#shadows;
    this.root.add(mesh);
    return mesh;
  }
}

function discard(mesh: InstancedMesh): void {
  mesh.geometry.dispose();
  (mesh.material as MeshStandardMaterial).dispose();
  mesh.dispose();
}
