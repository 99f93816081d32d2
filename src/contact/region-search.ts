/**
 * Where two shapes touch, at the carriers' present poses. Routes that search keep what they found: a second question at the same poses costs nothing,
 * and since the two were found apart by a distance nothing is searched until they have moved so far.
 */
import type { Carriers } from '../dynamics/carriers.js';
import { ContactPatches } from '../narrow-phase/contact-patches.js';
import type { Route, Separation, ShapePoses } from '../narrow-phase/route.js';

/** Of the shapes of a run: where they are, and how far from the reference points of their carriers they reach */
export interface PlacedShapes {
  readonly carriers: Carriers;
  readonly poses: ShapePoses;
  /** Regions of routes that need not search; one pair at a time */
  readonly patches: ContactPatches;
  /** m per shape: its farthest point from the reference point of its carrier */
  readonly reach: Float64Array;
  /** Brings the poses of two shapes up to the carriers'. */
  place(a: number, b: number): void;
}

export class RegionSearch {
  /** Regions of the last search */
  readonly patches: ContactPatches;
  /** 12 per shape: position and rotation at the last search; what it found */
  private readonly searchedAt: Float64Array | undefined;
  private searchedFor: 'nothing' | 'rows' | 'gradients' = 'nothing';
  /** 12 per carrier: where the two were when they were last found apart, and by how much, m */
  private readonly apartAt: Float64Array | undefined;
  private apartBy = 0;

  /** @param a, b carriers of the route's shapes */
  constructor(
    private readonly route: Route,
    private readonly a: number,
    private readonly b: number,
    private readonly shapes: PlacedShapes,
  ) {
    const searches = !Number.isFinite(route.mostRegions);
    this.patches = searches ? new ContactPatches(2) : shapes.patches;
    this.searchedAt = searches ? new Float64Array(24) : undefined;
    this.apartAt = searches ? new Float64Array(24) : undefined;
  }

  /** Regions at the carriers' present poses, into `patches` */
  find(gradients: boolean): void {
    const { shapes, route, patches, searchedAt, apartAt } = this;
    shapes.place(route.a, route.b);
    if (searchedAt && apartAt) {
      const sameA = notePose(shapes.poses, route.a, searchedAt, 0);
      const sameB = notePose(shapes.poses, route.b, searchedAt, 12);
      const enough = this.searchedFor === 'gradients' || (this.searchedFor === 'rows' && !gradients);
      if (sameA && sameB && enough) return;
      this.searchedFor = gradients ? 'gradients' : 'rows';
    }
    patches.clear();
    if (!this.isApart()) route.find(shapes.poses, 0, patches, gradients);
  }

  /**
   * Since they were found apart the two have not come as far as to touch. A point at most ρ from the reference point of a carrier moves by at
   * most |Δp| + ρ ‖ΔR‖, and ‖ΔR‖ is 1/√2 of the root of the sum of its squares.
   */
  private isApart(): boolean {
    const { apartAt, apartBy, shapes, route, a, b } = this;
    if (!apartAt || !(apartBy > 0)) return false;
    const { carriers, reach } = shapes;
    const way = moved(carriers, a, apartAt, 0, reach[route.a]) + moved(carriers, b, apartAt, 12, reach[route.b]);
    return way * (1 + 1e-9) + 1e-9 * apartBy < apartBy;
  }

  /** Depth of the deepest region, m */
  deepest(): number {
    const { patches } = this;
    this.find(false);
    let depth = 0;
    for (let p = 0; p < patches.count; p++) depth = Math.max(depth, patches.depth[p]);
    return depth;
  }

  /** Distance and nearest points */
  separate(out: Separation): void {
    const { shapes, route, apartAt, a, b } = this;
    shapes.place(route.a, route.b);
    route.separate(shapes.poses, out);
    if (!apartAt) return;
    this.apartBy = out.distance;
    notePose(shapes.carriers, a, apartAt, 0);
    notePose(shapes.carriers, b, apartAt, 12);
  }
}

interface Poses {
  readonly position: Float64Array;
  readonly rotation: Float64Array;
}

/** Copies a pose into 12 numbers; true if they were these already. */
function notePose({ position, rotation }: Poses, i: number, into: Float64Array, at: number): boolean {
  let same = true;
  for (let k = 0; k < 12; k++) {
    const value = k < 3 ? position[3 * i + k] : rotation[9 * i + k - 3];
    if (into[at + k] === value) continue;
    into[at + k] = value;
    same = false;
  }
  return same;
}

/** How far points of a body can have moved from the pose noted, which are at most `reach` from its reference point, m */
function moved({ position, rotation }: Poses, i: number, from: Float64Array, at: number, reach: number): number {
  let shift = 0;
  let turn = 0;
  for (let k = 0; k < 3; k++) shift += (position[3 * i + k] - from[at + k]) * (position[3 * i + k] - from[at + k]);
  for (let k = 0; k < 9; k++)
    turn += (rotation[9 * i + k] - from[at + 3 + k]) * (rotation[9 * i + k] - from[at + 3 + k]);
  return Math.sqrt(shift) + (turn > 0 ? reach * Math.sqrt(0.5 * turn) : 0);
}
