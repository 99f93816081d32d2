/** Grains: one ball drawn many times, at the places and in the colours of the instant. */
import {
  Color,
  DynamicDrawUsage,
  Group,
  IcosahedronGeometry,
  InstancedBufferAttribute,
  InstancedMesh,
  MeshStandardMaterial,
} from 'three';
import { type GrainFrame, NO_GRAINS } from '../../results/scene/grain-frames.js';
import type { Scene } from '../../results/scene.js';
import { toLinear } from '../colour-scale.js';
import { GRAIN_UNITS, type GrainQuantity, scaled, speciesColours, valuesOf } from '../grain-colours.js';
import type { Placement } from './placement.js';

/** From so many on balls are drawn with fewer triangles. */
const MANY = 8000;
/** From so many on they are a few pixels each, and 20 triangles do: 50 000 balls are a million, not four */
const CROWD = 30_000;

export class Grains {
  readonly root = new Group();
  #mesh: InstancedMesh | undefined;
  #frame: GrainFrame = NO_GRAINS;
  #quantity: GrainQuantity = 'species';
  readonly #colours: readonly (readonly [number, number, number])[];
  #least = Infinity;
  #greatest = -Infinity;
  #shadows = false;
  readonly any: boolean;

  constructor(
    private readonly scene: Scene,
    private readonly placement: Placement,
  ) {
    this.any = scene.grains !== undefined;
    this.#colours = scene.grains ? speciesColours(scene.grains) : [];
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
    if (this.#mesh) this.#mesh.castShadow = this.#mesh.receiveShadow = on;
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
    this.#mesh?.geometry.dispose();
    (this.#mesh?.material as MeshStandardMaterial | undefined)?.dispose();
    this.#mesh?.dispose();
  }

  #write(): void {
    const frame = this.#frame;
    const mesh = this.#room(frame.count);
    if (!mesh) return;
    mesh.count = frame.count;
    const { origin, scale } = this.placement;
    const matrices = mesh.instanceMatrix.array;
    const tints = mesh.instanceColor!.array;
    const values = valuesOf(frame, this.#quantity);
    if (values)
      for (const value of values) {
        if (value < this.#least) this.#least = value;
        if (value > this.#greatest) this.#greatest = value;
      }
    for (let i = 0; i < frame.count; i++) {
      const size = scale * frame.radii[i];
      const m = 16 * i;
      matrices.fill(0, m, m + 16);
      matrices[m] = matrices[m + 5] = matrices[m + 10] = size;
      matrices[m + 15] = 1;
      for (let k = 0; k < 3; k++) matrices[m + 12 + k] = scale * (frame.positions[3 * i + k] - origin[k]);
      const colour = values ? scaled(values[i], this.#least, this.#greatest) : this.#colours[frame.species[i]];
      for (let k = 0; k < 3; k++) tints[3 * i + k] = toLinear(colour[k]);
    }
    mesh.instanceMatrix.needsUpdate = true;
    mesh.instanceColor!.needsUpdate = true;
  }

  #room(count: number): InstancedMesh | undefined {
    if (count === 0) {
      if (this.#mesh) this.#mesh.count = 0;
      return undefined;
    }
    if (this.#mesh && this.#mesh.instanceMatrix.count >= count) return this.#mesh;
    if (this.#mesh) this.root.remove(this.#mesh);
    this.dispose();
    const room = Math.ceil(1.2 * count);
    const geometry = new IcosahedronGeometry(1, count > CROWD ? 0 : count > MANY ? 1 : 2);
    // Round: the normal of a point of a ball is the point
    geometry.setAttribute('normal', geometry.getAttribute('position').clone());
    const material = new MeshStandardMaterial({ roughness: 0.55, metalness: 0, color: new Color(1, 1, 1) });
    const mesh = new InstancedMesh(geometry, material, room);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * room), 3);
    mesh.instanceColor.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = this.#shadows;
    this.#mesh = mesh;
    this.root.add(mesh);
    return mesh;
  }
}
