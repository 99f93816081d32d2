/**
 * Where two shapes touch, at the carriers' present poses. Since the two were found apart by a distance nothing is searched until they have moved so far. Where the search is costly,
 * what was found is kept, last and at the accepted state: a second question at the same poses costs nothing.
 */
import type { Carriers } from '../dynamics/tree/carriers.js';
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
  patches: ContactPatches;
  /** Where the search is costly: what was found at the accepted state, and what was found last */
  private kept: KeptRegions | undefined;
  private latest: KeptRegions | undefined;
  /** 12 per carrier: where the two were when they were last found apart, and by how much, m */
  private readonly apartAt = new Float64Array(24);
  private apartBy = 0;

  /** @param a, b carriers of the route's shapes */
  constructor(
    private readonly route: Route,
    private readonly a: number,
    private readonly b: number,
    private readonly shapes: PlacedShapes,
  ) {
    this.patches = shapes.patches;
    if (!(route.costly ?? !Number.isFinite(route.mostRegions))) return;
    this.kept = new KeptRegions();
    this.latest = new KeptRegions();
  }

  /**
   * Regions at the carriers' present poses, into `patches`. Shapes that are known to be apart are not placed.
   *
   * @param keep these are the poses of an accepted state, which will be asked for again: until there is another
   */
  find(gradients: boolean, keep = false): void {
    const { shapes, route, kept, latest } = this;
    if (this.isApart()) {
      this.patches = NOTHING;
      return;
    }
    shapes.place(route.a, route.b);
    if (!kept || !latest) {
      this.patches = shapes.patches;
      this.patches.clear();
      route.find(shapes.poses, 0, this.patches, gradients);
      return;
    }
    this.patches = kept.patches;
    if (kept.answers(shapes.poses, route, gradients)) return;
    if (keep) {
      this.kept = latest;
      this.latest = kept;
    }
    this.patches = latest.patches;
    if (latest.answers(shapes.poses, route, gradients)) return;
    latest.note(shapes.poses, route, gradients);
    latest.patches.clear();
    route.find(shapes.poses, 0, latest.patches, gradients);
  }

  /**
   * Since they were found apart the two have not come as far as to touch. A point at most ρ from the reference point of a carrier moves by at
   * most |Δp| + ρ ‖ΔR‖, and ‖ΔR‖ is 1/√2 of the root of the sum of its squares.
   */
  private isApart(): boolean {
    const { apartAt, apartBy, shapes, route, a, b } = this;
    if (!(apartBy > 0)) return false;
    const { carriers, reach } = shapes;
    const way = moved(carriers, a, apartAt, 0, reach[route.a]) + moved(carriers, b, apartAt, 12, reach[route.b]);
    return way * (1 + 1e-9) + 1e-9 * apartBy < apartBy;
  }

  /** Depth of the deepest region, m */
  deepest(): number {
    this.find(false);
    const { patches } = this;
    let depth = 0;
    for (let p = 0; p < patches.count; p++) depth = Math.max(depth, patches.depth[p]);
    return depth;
  }

  /** Distance and nearest points */
  separate(out: Separation): void {
    const { shapes, route, apartAt, a, b } = this;
    shapes.place(route.a, route.b);
    route.separate(shapes.poses, out);
    // faces with borders have places beside and behind them that are no distance to where they can be touched
    this.apartBy = route.borders ? 0 : out.distance;
    notePose(shapes.carriers, a, apartAt, 0);
    notePose(shapes.carriers, b, apartAt, 12);
  }
}

const NOTHING = new ContactPatches(1);

/** Regions found at poses of two shapes, kept for whoever asks at the same */
class KeptRegions {
  readonly patches = new ContactPatches(1);
  /** 12 per shape: position and rotation */
  private readonly at = new Float64Array(24);
  private gradients = false;
  private any = false;

  answers(poses: ShapePoses, { a, b }: Route, gradients: boolean): boolean {
    // where nothing was found there is nothing to differentiate
    return (
      this.any &&
      (this.gradients || !gradients || this.patches.count === 0) &&
      isPose(poses, a, this.at, 0) &&
      isPose(poses, b, this.at, 12)
    );
  }

  note(poses: ShapePoses, { a, b }: Route, gradients: boolean): void {
    this.any = true;
    this.gradients = gradients;
    notePose(poses, a, this.at, 0);
    notePose(poses, b, this.at, 12);
  }
}

interface Poses {
  readonly position: Float64Array;
  readonly rotation: Float64Array;
}

/** Copies a pose into 12 numbers. */
function notePose({ position, rotation }: Poses, i: number, into: Float64Array, at: number): void {
  for (let k = 0; k < 3; k++) into[at + k] = position[3 * i + k];
  for (let k = 0; k < 9; k++) into[at + 3 + k] = rotation[9 * i + k];
}

/** The 12 numbers are this pose. */
function isPose({ position, rotation }: Poses, i: number, noted: Float64Array, at: number): boolean {
  for (let k = 0; k < 3; k++) if (noted[at + k] !== position[3 * i + k]) return false;
  for (let k = 0; k < 9; k++) if (noted[at + 3 + k] !== rotation[9 * i + k]) return false;
  return true;
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
