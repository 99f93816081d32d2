/**
 * What errors of bodies that deform are compared with while they touch: speeds with which, and depths by which, the lighter would swing on the contact if its weight had just been put on it,
 *
 *   ω = √(k/m),   v = g_n/ω,   d = g_n/ω²,      k = (Σ f)²/Σ f δ over the places that press, at least that of one place; g_n = max |g · n|
 *
 * as of rigid bodies (contact/pair-scales.ts), whose √(g d) is the same: a hundredth of that (the contact tolerance) is a hundredth of what it is pressed in by. All of it counts at rest; a blow
 * that is u fast allows v²/u and is followed as the motion itself is. How deep a place is depends on frames and coordinates, so an error of both together counts along each normal.
 * Told by the state at the start of the step alone.
 */
import type { LocalContact } from '../../flexible-bodies/contact/local-contact.js';
import type { ContactFrames } from './contact-frames.js';
import type { ContactScale, DeformingScale } from './pair-element.js';

const UNUSED = new Float64Array(3);
/** Of the swing that a weight makes that has just been put on: bodies that hop on their contact are about as fast */
const QUIET = 10;
/** Of gravity: less is rounding of a plane that lies flat */
const FLAT = 1e-6;

export class RestingScale implements ContactScale, DeformingScale {
  touching = false;
  approachSpeed = 0;
  referenceDepth = 0;
  referenceSpeed = 0;
  count = 0;
  normals = new Float64Array(0);
  points = new Float64Array(0);
  along = new Float64Array(0);
  readonly normal = UNUSED;
  readonly point = UNUSED;
  readonly deforming: DeformingScale = this;
  private depth = 0;
  /** rad/s */
  private swing = 0;
  private readonly onB = new Float64Array(3);
  private readonly n = new Float64Array(3);
  private readonly x = new Float64Array(3);
  private readonly world = new Float64Array(3);
  private readonly row: Float64Array;

  /**
   * @param gravity   m/s², world; where none presses nothing tells what is little, and nothing is allowed
   * @param mass      of the lighter, kg
   * @param stiffness of one place, N/m
   */
  constructor(
    private readonly local: LocalContact,
    private readonly frames: ContactFrames,
    private readonly gravity: ArrayLike<number>,
    private readonly mass: number,
    private readonly stiffness: number,
  ) {
    this.row = new Float64Array(local.nA + local.nB);
  }

  /** What is left of the motion along the normals is a swing on the contact. */
  get rests(): boolean {
    return this.touching && this.approachSpeed < QUIET * this.referenceSpeed;
  }

  depthScale(): number {
    const { referenceDepth, depth, approachSpeed, swing } = this;
    return Math.max(referenceDepth, depth, approachSpeed / swing);
  }

  /** `local` is at the end of an accepted step, carriers too. */
  follow(): void {
    const { local, gravity, mass, frames, n, x, onB, world, row } = this;
    const { count, touches } = local;
    if (this.normals.length < 3 * count) {
      this.normals = new Float64Array(6 * count);
      this.points = new Float64Array(6 * count);
      this.along = new Float64Array(2 * count * row.length);
    }
    let force = 0;
    let work = 0;
    let pull = 0;
    this.approachSpeed = 0;
    this.count = count;
    for (let i = 0; i < count; i++) {
      const { force: f, depth, closing } = touches[i];
      force += f;
      work += f * Math.max(0, depth);
      this.approachSpeed = Math.max(this.approachSpeed, Math.abs(closing));
      local.placesOf(i, n, x, onB);
      frames.directionOf(n, world);
      this.normals.set(world, 3 * i);
      pull = Math.max(pull, Math.abs(gravity[0] * world[0] + gravity[1] * world[1] + gravity[2] * world[2]));
      frames.pointAt(x, world);
      this.points.set(world, 3 * i);
      row.fill(0);
      local.addAlong(i, n, row);
      this.along.set(row, i * row.length);
    }
    this.depth = local.deepest;
    const stiffness = work > 0 ? Math.max(this.stiffness, (force * force) / work) : this.stiffness;
    this.swing = Math.sqrt(stiffness / mass);
    const [gx, gy, gz] = [gravity[0], gravity[1], gravity[2]];
    this.touching = pull > FLAT * Math.sqrt(gx * gx + gy * gy + gz * gz);
    this.referenceSpeed = pull / this.swing;
    this.referenceDepth = this.referenceSpeed / this.swing;
  }

  snapshot(): unknown {
    const { touching, approachSpeed, referenceDepth, referenceSpeed, count, depth, swing } = this;
    const numbers = [approachSpeed, referenceDepth, referenceSpeed, count, depth, swing];
    return {
      touching,
      numbers,
      normals: [...this.normals.subarray(0, 3 * count)],
      points: [...this.points.subarray(0, 3 * count)],
      along: [...this.along.subarray(0, count * this.row.length)],
    };
  }

  restore(snapshot: unknown): void {
    const { touching, numbers, normals, points, along } = snapshot as {
      touching: boolean;
      numbers: number[];
      normals: number[];
      points: number[];
      along: number[];
    };
    this.touching = touching;
    [this.approachSpeed, this.referenceDepth, this.referenceSpeed, this.count, this.depth, this.swing] = numbers;
    this.normals = Float64Array.from(normals);
    this.points = Float64Array.from(points);
    this.along = Float64Array.from(along);
  }
}
