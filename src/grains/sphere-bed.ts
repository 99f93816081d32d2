/** A bed of spheres as a run sees it: stepped, and told of. */
import { STRIDE } from '../kernels/index.js';
import { PI } from '../math/elementary.js';
import type { Vec3 } from '../math/vec3.js';
import type { Bed, Census, ContactRecords, GrainEnergies } from './bed.js';
import { type BedSnapshot, restoreBed, snapshotOf } from './bed-snapshot.js';
import { GrainBed } from './grain-bed.js';
import { census, contactRecords, energiesOf } from './measures.js';

export class SphereBed extends GrainBed implements Bed {
  readonly counted = undefined;
  readonly deepestNow = undefined;

  get kernelKind(): 'wasm' | 'typescript' {
    return this.arrays.kernels.kind;
  }
  get listsMade(): number {
    return this.lists.builds;
  }
  get adhesive(): boolean {
    return this.arrays.ints('counts')[12] === 1;
  }
  get gravity(): Vec3 {
    return this.options.gravity ?? [0, 0, 0];
  }
  get period(): GrainBed['options']['period'] {
    return this.options.period;
  }
  get grains(): Float64Array {
    return this.arrays.floats('grains');
  }
  get motion(): Float64Array {
    return this.arrays.floats('motion');
  }
  get ids(): Int32Array {
    return this.arrays.ints('ids');
  }
  get kindsOf(): Int32Array {
    return this.arrays.ints('kinds');
  }

  motionOfWall(wall: number, out: Float64Array): Float64Array {
    const at = STRIDE.wall * wall;
    out.set(this.arrays.floats('walls').subarray(at + 9, at + 18));
    return out;
  }

  energyOf(i: number, lag: number): number {
    const { grains: x, motion: v, gravity } = this;
    let energy = 0;
    for (let k = 0; k < 3; k++) {
      const speed = v[8 * i + k] + lag * gravity[k];
      energy += (0.5 * speed * speed - gravity[k] * x[4 * i + k]) / v[8 * i + 3];
      energy += (0.5 * v[8 * i + 4 + k] * v[8 * i + 4 + k]) / v[8 * i + 7];
    }
    return energy;
  }

  eachPoint(i: number, see: (x: number, y: number, z: number, share: number) => void): void {
    const [x, y, z, r] = this.grains.subarray(4 * i, 4 * i + 4);
    const share = ((4 / 3) * PI * r * r * r) / 32;
    for (const [a, b, c] of POINTS) see(x + a * r, y + b * r, z + c * r, share);
  }

  contacts(): ContactRecords {
    return contactRecords(this);
  }

  branchOf(r: Float64Array, at: number, out: Float64Array): Float64Array {
    const x = this.grains;
    const [i, j] = [r[at], r[at + 1]];
    const length = (j >= 0 ? x[4 * i + 3] + x[4 * j + 3] : x[4 * i + 3]) - r[at + 5];
    for (let k = 0; k < 3; k++) out[k] = length * r[at + 2 + k];
    return out;
  }

  energies(h: number, records: ContactRecords): GrainEnergies {
    return energiesOf(this, h, records);
  }

  census(records: ContactRecords): Census {
    return census(this, records);
  }

  snapshot(): Record<string, Float64Array> {
    return { ...snapshotOf(this) };
  }

  restore(arrays: Readonly<Record<string, Float64Array>>): void {
    restoreBed(this, arrays as unknown as BedSnapshot);
  }
}

/** Those of the points (±¼ or ±¾)³ that are in the unit ball */
const POINTS: readonly (readonly [number, number, number])[] = [-0.75, -0.25, 0.25, 0.75].flatMap((a, _, all) =>
  all.flatMap((b) =>
    all.filter((c) => a * a + b * b + c * c <= 1).map((c): readonly [number, number, number] => [a, b, c]),
  ),
);
