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
  /** Of a point of A's surface; −1 − k: point k of B */
  readonly index: number;
  /** m; negative: it is outside by so much */
  readonly depth: number;
  /** δ', m/s */
  readonly closing: number;
  /** c, its own compliance, m/N */
  readonly give: number;
  force: number;
  /** Number among all places that may touch */
  readonly place: number;
}

/** Two surfaces in contact, in the plane or in space */
export interface PressedSurfaces<Touch extends PressedPlace> {
  /** Places found; the first `count` of them count */
  readonly touches: Touch[];
  count: number;
  readonly longestSide: number;
  /** How many places may touch */
  readonly placeCount: number;
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
  /** Of all places inside, those too that do not press since they part faster than the damping of the pair follows, m */
  deepest = 0;
  /** Its `active` are the first touches, in their order */
  readonly pressing: Pressing;
  /** Which of the touches are asked for their force, ascending */
  private chosen = new Int32Array(0);
  /** Per place: it pressed when it was last asked */
  private readonly pressed: Uint8Array;
  private anyPressed = false;
  /** As near as places were looked at last, m */
  private near = 0;

  constructor(private readonly surfaces: PressedSurfaces<Touch>) {
    const { placeCount } = surfaces;
    this.pressed = new Uint8Array(placeCount);
    this.pressing = new Pressing((i, j) => {
      const { touches } = surfaces;
      const one = touches[this.chosen[i]];
      const residual = surfaces.residual(one, touches[this.chosen[j]]);
      return i === j ? residual + one.give : residual;
    });
  }

  /**
   * Finds places and their forces; those that press are the first `count` of the touches. False if forces cannot be found. Where pressure and places alone tell who presses, those that did last time
   * are expected to, and what is near is looked for as far as it was then; that changes nothing (pressing.ts).
   */
  find(): boolean {
    const { surfaces, pressing } = this;
    this.energy = this.power = 0;
    const least = NEARBY * surfaces.longestSide;
    const expects = surfaces.relaxation === 0 && this.anyPressed;
    let near = expects ? Math.max(least, this.near) : least;
    surfaces.find(near);
    let n = this.choose();
    while (n > 0) {
      if (!this.solve(n, expects)) return false;
      const reach = this.bulge(n);
      if (reach > near) {
        near = 2 * reach;
        surfaces.find(near);
        n = this.choose();
        // those that were found before press as they did
        if (!this.solve(n, expects)) return false;
      }
      this.near = 2 * reach;
      const more = this.choosePushed(n, reach);
      if (more === n) break;
      n = more;
    }
    const { touches } = surfaces;
    const { chosen } = this;
    surfaces.count = n === 0 ? 0 : pressing.activeCount;
    if (this.anyPressed) this.pressed.fill(0);
    this.anyPressed = surfaces.count > 0;
    for (let k = 0; k < surfaces.count; k++) {
      const i = chosen[pressing.active[k]];
      const touch = touches[i];
      touch.force = pressing.force[pressing.active[k]];
      surfaces.speedOf(touch);
      this.power += touch.force * touch.closing;
      this.energy += 0.5 * touch.force * touch.depth;
      touches[i] = touches[k];
      touches[k] = touch;
      this.pressed[this.placeOf(touch)] = 1;
    }
    return true;
  }

  private placeOf({ place }: Touch): number {
    return place;
  }

  /** All that are near; where the pair has damping of its own, those inside. How many; none where nothing is inside */
  private choose(): number {
    const { touches, count, relaxation } = this.surfaces;
    if (this.chosen.length < count) this.chosen = new Int32Array(2 * count);
    let n = 0;
    this.deepest = 0;
    for (let i = 0; i < count; i++) {
      const { depth } = touches[i];
      this.deepest = Math.max(this.deepest, depth);
      if (depth > 0 || relaxation === 0) this.chosen[n++] = i;
    }
    return this.deepest > 0 ? n : 0;
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

  /** Forces of the first `n` chosen places. @param expects those that pressed last time are expected to */
  private solve(n: number, expects: boolean): boolean {
    const { surfaces, pressing, chosen, pressed } = this;
    const { touches, relaxation } = surfaces;
    pressing.begin(n);
    const { depth, names } = pressing;
    for (let i = 0; i < n; i++) {
      const touch = touches[chosen[i]];
      names[i] = surfaces.nameOf(touch);
      depth[i] = touch.depth;
      if (relaxation > 0) {
        surfaces.speedOf(touch);
        depth[i] += relaxation * touch.closing;
      }
      if (expects && pressed[this.placeOf(touch)] !== 0) pressing.expect(i);
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
