/**
 * Which of the places where two surfaces touch or nearly touch press, and how hard:
 *
 *   (R + diag c) f − δ ≥ 0,   f ≥ 0,   complementary      δ depth, with damping of the pair's own δ + τ δ'; negative outside
 *
 * Pressing pushes a surface outward elsewhere, so places that are outside may press, too: those that the forces of the others push in join them.
 * Left out they would begin with a jump of their force the moment they come inside, at which energy is lost or made and steps are rejected.
 */
import { Pressing } from './pressing.js';

export interface PressedPlace {
  /** m; negative: it is outside by so much */
  readonly depth: number;
  /** δ', m/s */
  readonly closing: number;
  /** c, its own compliance, m/N */
  readonly give: number;
  force: number;
}

/** Two surfaces in contact, in the plane or in space */
export interface PressedSurfaces<Touch extends PressedPlace> {
  /** Places found; the first `count` of them count */
  readonly touches: Touch[];
  count: number;
  readonly longestSide: number;
  /** τ, s */
  readonly relaxation: number;
  /** Fills `touches` with all places at which the surfaces are less than `near` m apart. */
  find(near: number): void;
  /** Closing speed of a place */
  speedOf(touch: Touch): void;
  /** R, m/N */
  residual(i: Touch, j: Touch): number;
  /** How far a unit force at a place pushes the surfaces outward anywhere, at most, m/N */
  bulgeBy(touch: Touch): number;
  /** Number of a place whose R with others of its kind is always the same; negative: it is not */
  nameOf(touch: Touch): number;
}

/** In longest sides: so near to each other surfaces are looked at before they touch; where they bulge further they are looked at again */
const NEARBY = 0.01;

export class PressedPlaces<Touch extends PressedPlace> {
  /** J, ½ f · δ */
  energy = 0;
  /** W, taken from the bodies */
  power = 0;
  /** m */
  deepest = 0;
  /** Its `active` are the first touches, in their order */
  readonly pressing = new Pressing();
  /** Which of the touches are asked for their force, ascending */
  private chosen = new Int32Array(0);

  constructor(private readonly surfaces: PressedSurfaces<Touch>) {}

  /** Finds places and their forces; those that press are the first `count` of the touches. False if forces cannot be found. */
  find(): boolean {
    const { surfaces, pressing } = this;
    this.energy = this.power = this.deepest = 0;
    let near = NEARBY * surfaces.longestSide;
    surfaces.find(near);
    let n = this.chooseInside();
    while (n > 0) {
      if (!this.solve(n)) return false;
      const reach = this.bulge(n);
      if (reach > near) {
        near = 2 * reach;
        surfaces.find(near);
        n = this.chooseInside();
        // those that were found before press as they did
        if (!this.solve(n)) return false;
      }
      const more = this.choosePushed(n, reach);
      if (more === n) break;
      n = more;
    }
    const { touches } = surfaces;
    const { chosen } = this;
    surfaces.count = n === 0 ? 0 : pressing.activeCount;
    for (let k = 0; k < surfaces.count; k++) {
      const i = chosen[pressing.active[k]];
      const touch = touches[i];
      touch.force = pressing.force[pressing.active[k]];
      this.power += touch.force * touch.closing;
      this.energy += 0.5 * touch.force * touch.depth;
      this.deepest = Math.max(this.deepest, touch.depth);
      touches[i] = touches[k];
      touches[k] = touch;
    }
    return true;
  }

  private chooseInside(): number {
    const { touches, count } = this.surfaces;
    if (this.chosen.length < count) this.chosen = new Int32Array(2 * count);
    let n = 0;
    for (let i = 0; i < count; i++) if (touches[i].depth > 0) this.chosen[n++] = i;
    return n;
  }

  /** Adds places that are outside by less than `reach` and are pushed in by the `n` chosen ones; how many there are then */
  private choosePushed(n: number, reach: number): number {
    const { surfaces, pressing, chosen } = this;
    const { touches, count } = surfaces;
    let total = n;
    let known = 0;
    for (let i = 0; i < count; i++) {
      if (known < n && chosen[known] === i) {
        known++;
        continue;
      }
      let over = -touches[i].depth;
      if (over >= reach) continue;
      for (let k = 0; k < pressing.activeCount; k++) {
        const j = pressing.active[k];
        over += surfaces.residual(touches[i], touches[chosen[j]]) * pressing.force[j];
      }
      if (over < 0) chosen[total++] = i;
    }
    if (total > n) chosen.subarray(0, total).sort();
    return total;
  }

  /** Forces of the first `n` chosen places */
  private solve(n: number): boolean {
    const { surfaces, pressing, chosen } = this;
    const { touches, relaxation } = surfaces;
    pressing.begin(n);
    const { matrix, depth, names } = pressing;
    for (let i = 0; i < n; i++) {
      const touch = touches[chosen[i]];
      names[i] = surfaces.nameOf(touch);
      surfaces.speedOf(touch);
      depth[i] = touch.depth + relaxation * touch.closing;
      for (let j = 0; j <= i; j++) matrix[i * n + j] = matrix[j * n + i] = surfaces.residual(touch, touches[chosen[j]]);
      matrix[i * n + i] += touch.give;
    }
    return pressing.solve();
  }

  /** How far the forces of the first `n` chosen places push any place outward, at most, m */
  private bulge(n: number): number {
    const { surfaces, pressing, chosen } = this;
    let sum = 0;
    for (let i = 0; i < n; i++)
      if (pressing.force[i] > 0) sum += pressing.force[i] * surfaces.bulgeBy(surfaces.touches[chosen[i]]);
    return sum;
  }
}
