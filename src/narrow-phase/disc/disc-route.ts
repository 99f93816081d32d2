/**
 * A disc, and anything that a cylinder touches without facets: found as the cylinder around it, as long as nothing is in a hole. What reaches into one
 * meets the disc's mesh, as a peg in a ring does.
 */
import { fullCircle } from '../../geometry/circle-outline.js';
import { cylinder } from '../../geometry/index.js';
import { outlineBounds } from '../../geometry/outline.js';
import type { Outline } from '../../geometry/profile.js';
import type { Solid } from '../../geometry/solid.js';
import type { ContactPatches } from '../contact-patches.js';
import { flipRow } from '../flip-row.js';
import { type Route, Separation, type ShapePoses } from '../route.js';
import { cylinderAround, type Disc, discOf } from './disc.js';
import { NONE, type Shift, ShiftedPoses } from './shifted-poses.js';

/** A route of two solids at the given places, undefined where there is none without facets */
type Between = (a: Solid, b: Solid, ia: number, ib: number) => Route | undefined;

/** Places in the route's own poses; holes of either come behind */
const A = 0;
const B = 1;

/**
 * The route of two solids of which one is a disc or both are, undefined if none is, or where the cylinder around has no route without facets.
 *
 * @param between routes of cylinders with what they touch
 * @param meshes  where something reaches into a hole
 */
export function discRoute(
  a: Solid,
  b: Solid,
  ia: number,
  ib: number,
  between: Between,
  meshes: () => Route | undefined,
): Route | undefined {
  const [discA, discB] = [discOf(a), discOf(b)];
  if (!discA && !discB) return undefined;
  const [first, second] = [discA ? cylinderAround(discA) : a, discB ? cylinderAround(discB) : b];
  const around = between(first, second, A, B);
  if (!around) return undefined;
  const shifts = [shiftOf(discA), shiftOf(discB)];
  const fillings: Route[] = [];
  // a hole of A reached by B, and the other way round
  for (const [disc, other, place] of [[discA, second, B], [discB, first, A]] as const) // biome-ignore format: one line
    for (const hole of disc?.holes ?? []) {
      const { centre, radius } = circleAround(hole);
      const filling = between(cylinder({ radius, height: disc!.height }), other, shifts.length, place);
      if (!filling) return undefined;
      fillings.push(filling);
      shifts.push([centre[0], centre[1], 0.5 * disc!.height]);
    }
  if (fillings.length === 0) return new DiscRoute(around, fillings, undefined, ia, ib, shifts, 0);
  // a ball is exact on meshes, too, and its law is another there
  if (a.form.kind === 'sphere' || b.form.kind === 'sphere') return undefined;
  const holesOfA = discA?.holes.length ?? 0;
  return new DiscRoute(around, fillings, meshes(), ia, ib, shifts, holesOfA);
}

const shiftOf = (disc: Disc | undefined): Shift => (disc ? [disc.centre[0], disc.centre[1], 0.5 * disc.height] : NONE);

/** A circle that the hole does not leave: its own if it is one, else about the middle of its corners. */
function circleAround(hole: Outline): { readonly centre: readonly [number, number]; readonly radius: number } {
  const round = fullCircle(hole);
  if (round) return { centre: [round.centre[0], round.centre[1]], radius: round.radius };
  const { min: [x0, y0], max: [x1, y1] } = outlineBounds(hole); // biome-ignore format: one line
  const [w, h] = [0.5 * (x1 - x0), 0.5 * (y1 - y0)];
  return { centre: [0.5 * (x0 + x1), 0.5 * (y0 + y1)], radius: Math.sqrt(w * w + h * h) };
}

export class DiscRoute implements Route {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly mostRegions: number;
  readonly costly: boolean;
  readonly curvature: number;
  readonly patches: boolean;
  readonly rolls?: boolean;
  readonly roller?: number;
  private readonly poses: ShiftedPoses;
  private readonly nearest = new Separation();

  constructor(
    private readonly around: Route,
    private readonly fillings: readonly Route[],
    private readonly meshes: Route | undefined,
    private readonly ia: number,
    private readonly ib: number,
    private readonly shifts: readonly Shift[],
    private readonly holesOfA: number,
  ) {
    const place = (of: number): number => (of === A ? ia : ib);
    this.name = around.name;
    this.a = place(around.a);
    this.b = place(around.b);
    this.mostRegions = meshes ? Number.POSITIVE_INFINITY : around.mostRegions;
    this.costly = around.costly ?? false;
    this.curvature = around.curvature;
    this.patches = around.patches;
    if (around.rolls !== undefined) this.rolls = around.rolls;
    if (around.roller !== undefined) this.roller = place(around.roller);
    this.poses = new ShiftedPoses(shifts.length);
  }

  separate(poses: ShapePoses, out: Separation): void {
    this.place(poses, 2);
    this.around.separate(this.poses, out);
    if (!this.meshes || out.distance > 0) return;
    // the cylinder around is touched; what is in a hole may be free of the disc
    if (this.isReached(poses)) this.separateMeshes(poses, out);
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    this.place(poses, 2);
    const before = patches.count;
    this.around.find(this.poses, pair, patches, gradients);
    if (patches.count === before || !this.meshes || !this.isReached(poses)) return;
    patches.count = before;
    this.meshes.find(poses, pair, patches, gradients);
    if (this.meshes.a !== this.a) for (let row = before; row < patches.count; row++) flipRow(patches, row);
  }

  private place(poses: ShapePoses, shapes: number): void {
    for (let i = 0; i < shapes; i++) {
      const ofA = i === A || (i > B && i - 2 < this.holesOfA);
      this.poses.place(poses, i, ofA ? this.ia : this.ib, this.shifts[i]);
    }
  }

  /** Whether one of the two is in a hole of the other. */
  private isReached(poses: ShapePoses): boolean {
    this.place(poses, this.shifts.length);
    const { fillings, nearest } = this;
    for (let i = 0; i < fillings.length; i++) {
      fillings[i].separate(this.poses, nearest);
      if (!(nearest.distance > 0)) return true;
    }
    return false;
  }

  private separateMeshes(poses: ShapePoses, out: Separation): void {
    const { meshes, a } = this;
    meshes!.separate(poses, out);
    if (meshes!.a === a) return;
    for (let k = 0; k < 3; k++) {
      const { [k]: pointA } = out.pointA;
      out.pointA[k] = out.pointB[k];
      out.pointB[k] = pointA;
      out.direction[k] = 0 - out.direction[k];
    }
  }
}
