/**
 * A disc with holes and a half-space: what of the cylinder around it is below the plane, less what of its holes is. One region.
 *
 * A is the half-space, so the normal n is the same for all of them, and sums over cylinder (+) and holes (−) are those of the disc:
 *
 *   V = Σ ±Vᵢ,   V c = Σ ±Vᵢ cᵢ,   A = Σ ±Aᵢ,   A p = Σ ±Aᵢ pᵢ,   M = Σ ±(Mᵢ + Aᵢ (pᵢ − p)(pᵢ − p)ᵀ),   S = A n,   Q = A (p − c) × n
 *
 * A row's gradient g is about its own centroid; about c its turn is g_φ + (cᵢ − c) × g_x. Then, with the depth 2V/A,
 *
 *   dV = Σ ±dVᵢ,   dA = Σ ±dAᵢ,   V dc = Σ ±(Vᵢ dcᵢ + (cᵢ − c) dVᵢ),   dδ = (2 dV − δ dA)/A
 *
 * and where 2V/A exceeds twice the depth e of the lowest point, δ = 2e with de = −n · (dx + dφ × (lowest − c)).
 */

import { fullCircle } from '../../geometry/circle-outline.js';
import { extrude, halfSpace } from '../../geometry/index.js';
import { reversed } from '../../geometry/outline.js';
import { signedArea } from '../../geometry/polygon-measure.js';
import type { Solid } from '../../geometry/solid.js';
import { CylinderHalfSpace } from '../closed-form/index.js';
import { ContactPatches, GRADIENT, PATCH } from '../contact-patches.js';
import { halfSpaceRoute } from '../half-space-overlap/index.js';
import { type Route, Separation, type ShapePoses } from '../route.js';
import { type Disc, discOf } from './disc.js';
import { NONE, type Shift, ShiftedPoses } from './shifted-poses.js';

/** Places in the route's own poses */
const PLANE = 0;
const DISC = 1;
/** 2V/A is limited only where it is greater than twice the extent by more than rounding. */
const ROUNDING = 1e-12;

/** The route of a half-space and a disc in either order, undefined if the two are not that. */
export function discHalfSpaceRoute(a: Solid, b: Solid, ia: number, ib: number): Route | undefined {
  const isFirst = a.form.kind === 'halfSpace';
  if (isFirst === (b.form.kind === 'halfSpace')) return undefined;
  const solid = isFirst ? b : a;
  const disc = discOf(solid);
  return disc && new DiscHalfSpace(disc, solid, isFirst ? ia : ib, isFirst ? ib : ia);
}

export class DiscHalfSpace implements Route {
  readonly name = 'half-space–disc';
  readonly mostRegions = 1;
  readonly curvature = 0;
  readonly patches = true;
  readonly roller: number;
  private readonly rim: CylinderHalfSpace;
  private readonly holes: readonly Route[];
  /** Of rim and holes, in the form's frame */
  private readonly shifts: readonly Shift[];
  private readonly poses: ShiftedPoses;
  private readonly parts = new ContactPatches(4);
  private readonly nearest = new Separation();

  /** @param a, b places of the half-space and of the disc in the poses */
  constructor(
    disc: Disc,
    { form }: Solid,
    readonly a: number,
    readonly b: number,
  ) {
    const { radius, height, centre, holes } = disc;
    const segments = form.kind === 'extrusion' ? form.segments : undefined;
    this.roller = b;
    this.rim = new CylinderHalfSpace(PLANE, DISC, radius, height);
    const shifts: Shift[] = [[centre[0], centre[1], 0.5 * height]];
    this.holes = holes.map((hole, i) => {
      const round = fullCircle(hole);
      shifts.push(round ? [round.centre[0], round.centre[1], 0.5 * height] : NONE);
      const place = DISC + 1 + i;
      if (round) return new CylinderHalfSpace(PLANE, place, round.radius, height);
      const filling = extrude(signedArea(hole) > 0 ? hole : reversed(hole), height, segments ? { segments } : {});
      return halfSpaceRoute(halfSpace(), filling, PLANE, place)!;
    });
    this.shifts = shifts;
    this.poses = new ShiftedPoses(DISC + shifts.length);
  }

  separate(poses: ShapePoses, out: Separation): void {
    this.place(poses, 1);
    this.rim.separate(this.poses, out);
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    const { rim, holes, parts } = this;
    this.place(poses, this.shifts.length);
    parts.clear();
    rim.find(this.poses, pair, parts, gradients);
    if (parts.count === 0) return;
    for (let i = 0; i < holes.length; i++) holes[i].find(this.poses, pair, parts, gradients);
    let volume = 0;
    for (let i = 0; i < parts.count; i++) volume += sign(i) * parts.volume[i];
    if (!(volume > 0)) return;
    const row = patches.add(pair, 0);
    this.append(patches, row, volume);
    if (gradients) this.appendGradient(patches, row);
  }

  private place(poses: ShapePoses, shapes: number): void {
    this.poses.place(poses, PLANE, this.a, NONE);
    for (let i = 0; i < shapes; i++) this.poses.place(poses, DISC + i, this.b, this.shifts[i]);
  }

  private append(patches: ContactPatches, row: number, volume: number): void {
    const { parts } = this;
    const { count } = parts;
    let area = 0;
    for (let i = 0; i < count; i++) area += sign(i) * parts.area[i];
    area = Math.max(0, area);
    patches.flags[row] = parts.flags[0];
    patches.feature[2 * row] = parts.feature[0];
    patches.feature[2 * row + 1] = parts.feature[1];
    patches.volume[row] = volume;
    patches.area[row] = area;
    const extent = parts.extent[0];
    patches.extent[row] = extent;
    patches.depth[row] = isLimited(volume, area, extent) ? 2 * extent : (2 * volume) / area;
    const { centroid, patchCentroid, normal, vectorArea, moment, secondMoments } = patches;
    for (let k = 0; k < 3; k++) {
      let c = 0;
      let p = 0;
      for (let i = 0; i < count; i++) {
        c += sign(i) * parts.volume[i] * (parts.centroid[3 * i + k] - parts.centroid[k]);
        p += sign(i) * parts.area[i] * (parts.patchCentroid[3 * i + k] - parts.patchCentroid[k]);
      }
      centroid[3 * row + k] = parts.centroid[k] + c / volume;
      patchCentroid[3 * row + k] = parts.patchCentroid[k] + (area > 0 ? p / area : 0);
      normal[3 * row + k] = parts.normal[k];
      vectorArea[3 * row + k] = area * parts.normal[k];
    }
    for (let k = 0; k < 3; k++) {
      const l = 3 * row + ((k + 1) % 3);
      const m = 3 * row + ((k + 2) % 3);
      moment[3 * row + k] =
        area * ((patchCentroid[l] - centroid[l]) * normal[m] - (patchCentroid[m] - centroid[m]) * normal[l]);
    }
    for (let k = 0; k < 6; k++) {
      const u = k < 3 ? k : k === 5 ? 1 : 0;
      const v = k < 3 ? k : k === 3 ? 1 : 2;
      let sum = 0;
      for (let i = 0; i < count; i++) {
        const du = parts.patchCentroid[3 * i + u] - patchCentroid[3 * row + u];
        const dv = parts.patchCentroid[3 * i + v] - patchCentroid[3 * row + v];
        sum += sign(i) * (parts.secondMoments[6 * i + k] + parts.area[i] * du * dv);
      }
      secondMoments[6 * row + k] = sum;
    }
  }

  private appendGradient(patches: ContactPatches, row: number): void {
    const { parts } = this;
    const { gradient, centroid, normal } = patches;
    const g = 54 * row;
    const c = 3 * row;
    const volume = patches.volume[row];
    for (let i = 0; i < parts.count; i++) {
      aboutCentroid(parts, i, centroid, c);
      const from = 54 * i;
      for (let k = 0; k < 6; k++) {
        const dV = parts.gradient[from + k];
        gradient[g + k] += sign(i) * dV;
        gradient[g + GRADIENT.vectorArea + k] += sign(i) * parts.gradient[from + GRADIENT.vectorArea + k];
        for (let x = 0; x < 3; x++) {
          const arm = parts.centroid[3 * i + x] - centroid[c + x];
          const dc = parts.gradient[from + GRADIENT.centroid + 6 * x + k];
          gradient[g + GRADIENT.centroid + 6 * x + k] += (sign(i) * (parts.volume[i] * dc + arm * dV)) / volume;
        }
      }
    }
    const { [row]: area } = patches.area;
    const { [row]: depth } = patches.depth;
    const d = g + GRADIENT.depth;
    if (patches.flags[row] & PATCH.contained) {
      for (let k = 0; k < 6; k++) gradient[d + k] = parts.gradient[GRADIENT.depth + k];
    } else if (isLimited(volume, area, patches.extent[row])) {
      const { nearest } = this;
      this.rim.separate(this.poses, nearest);
      for (let k = 0; k < 3; k++) {
        const l = (k + 1) % 3;
        const m = (k + 2) % 3;
        gradient[d + k] = -2 * normal[c + k];
        gradient[d + 3 + k] =
          -2 *
          ((nearest.pointB[l] - centroid[c + l]) * normal[c + m] -
            (nearest.pointB[m] - centroid[c + m]) * normal[c + l]);
      }
    } else
      for (let k = 0; k < 6; k++)
        gradient[d + k] = (2 * gradient[g + k] - depth * gradient[g + GRADIENT.vectorArea + k]) / area;
  }
}

/** The first row is the cylinder around it, the others are its holes. */
const sign = (row: number): number => (row === 0 ? 1 : -1);

const isLimited = (volume: number, area: number, extent: number): boolean =>
  !(volume <= (1 + ROUNDING) * area * extent);

/** Rewrites the gradient of a row so that it turns about another point: g_φ + (cᵢ − c) × g_x; the centroid itself moves by dφ × (cᵢ − c) as well, which g_x has. */
function aboutCentroid(parts: ContactPatches, i: number, centre: Float64Array, c: number): void {
  const { gradient, centroid } = parts;
  const rx = centroid[3 * i] - centre[c];
  const ry = centroid[3 * i + 1] - centre[c + 1];
  const rz = centroid[3 * i + 2] - centre[c + 2];
  for (let g = 54 * i; g < 54 * i + 54; g += 6) {
    const x = gradient[g];
    const y = gradient[g + 1];
    const z = gradient[g + 2];
    gradient[g + 3] += ry * z - rz * y;
    gradient[g + 4] += rz * x - rx * z;
    gradient[g + 5] += rx * y - ry * x;
  }
}
