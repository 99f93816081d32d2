/**
 * Parallel curves: a profile grown or shrunk by a distance, as a cutter of finite radius or a clearance needs it.
 *
 * Computed by Clipper2 (Boost licence, part of manifold-3d) in whole numbers. The profile is scaled so that the last
 * of them is about 1e-17 of its size: corners come out right to the last digit or two of a double.
 */
import { ModelError } from '../../errors.js';
import type { Vec2 } from '../../math/vec3.js';
import { flattened } from '../outline.js';
import { placeOf } from '../polygon-inside.js';
import { signedArea } from '../polygon-measure.js';
import { checkedProfile } from '../polygon-nesting.js';
import type { Outline, Profile } from '../profile.js';
import { requireCount, requireFinite } from '../require.js';
import { type LocalFrame, localFrame } from './local-frame.js';
import { type ManifoldModule, type Point, type Vector, withManifold } from './manifold.js';

export interface OffsetOptions {
  /**
   * What happens at corners the curve goes around: `round` an arc; `miter` the edges prolonged until they meet, but no
   * further than `miterLimit`, else as square; `square` cut off at the distance. Default round.
   */
  readonly join?: 'round' | 'miter' | 'square';
  /** Edges of a full circle of a round join; default 64. */
  readonly segments?: number;
  /** Farthest corner of a miter join as a multiple of the distance, ≥ 2; default 2. */
  readonly miterLimit?: number;
}

/** Fill rule: inside is what is surrounded counter-clockwise. */
const POSITIVE = 2;
const JOINS = { square: 0, round: 1, miter: 2 } as const;
/** Local coordinates are at most 5 times this, which Clipper2 multiplies by 1e8; it takes up to 2.3e18. */
const LOCAL_SIZE = 1 << 28;

/**
 * The curve at a distance from a profile: outside it for a positive distance, inside for a negative one. Holes shrink
 * when the profile grows. The result may fall into several parts, and is an empty list if nothing remains.
 *
 * @param profile  a profile, or an outline without holes
 * @param distance m
 * @returns outer outlines counter-clockwise, holes clockwise
 * @throws ModelError if an outline crosses or touches itself or another, or a hole is not inside
 * @example const [clearance] = offsetOutline(pallet, 0.05e-3, { join: 'miter' });
 */
export function offsetOutline(
  profile: Profile | Outline,
  distance: number,
  { join = 'round', segments = 64, miterLimit = 2 }: OffsetOptions = {},
): Profile[] {
  requireFinite('offsetOutline.distance', distance, 'm');
  requireCount('offsetOutline.segments', segments, 4);
  if (!(miterLimit >= 2 && miterLimit < Infinity))
    throw new ModelError('offsetOutline.miterLimit', `expected a number ≥ 2, got ${miterLimit}`);
  if (!Object.hasOwn(JOINS, join))
    throw new ModelError('offsetOutline.join', `expected 'round', 'miter' or 'square', got ${JSON.stringify(join)}`);
  const { outer, holes } = flattened(
    checkedProfile(profile, Array.isArray(profile) ? 'offsetOutline.outline' : 'offsetOutline.profile'),
    segments,
  );
  const outlines = [outer, ...holes];
  const frame = frameOf(outlines, Math.abs(distance) * miterLimit);

  return withManifold('offsetOutline', (module, keep) => {
    const section = keep(new module.CrossSection(keep(toVectors(module, keep, outlines, frame)), POSITIVE));
    const grown = keep(section._Offset(distance * frame.scale, JOINS[join], miterLimit, segments));
    return gather(fromVectors(keep(grown._ToPolygons()), keep, frame));
  });
}

function frameOf(outlines: readonly Outline[], reach: number): LocalFrame {
  const min = [Infinity, Infinity];
  const max = [-Infinity, -Infinity];
  for (const outline of outlines)
    for (const [x, y] of outline) {
      min[0] = Math.min(min[0], x - reach);
      min[1] = Math.min(min[1], y - reach);
      max[0] = Math.max(max[0], x + reach);
      max[1] = Math.max(max[1], y + reach);
    }
  return localFrame(min, max, LOCAL_SIZE);
}

type Keep = <D extends { delete(): void }>(made: D) => D;

function toVectors(
  module: ManifoldModule,
  keep: Keep,
  outlines: readonly Outline[],
  { shift, scale }: LocalFrame,
): Vector<Vector<Point>> {
  const all = new module.Vector2_vec2();
  for (const outline of outlines) {
    const corners = keep(new module.Vector_vec2());
    for (const [x, y] of outline) corners.push_back({ x: (x - shift[0]) * scale, y: (y - shift[1]) * scale });
    all.push_back(corners);
  }
  return all;
}

function fromVectors(all: Vector<Vector<Point>>, keep: Keep, { shift, scale }: LocalFrame): Vec2[][] {
  return Array.from({ length: all.size() }, (_, i) => {
    const corners = keep(all.get(i));
    return Array.from({ length: corners.size() }, (_, j): Vec2 => {
      const { x, y } = corners.get(j);
      return [x / scale + shift[0], y / scale + shift[1]];
    });
  });
}

/** Each hole goes to the smallest outer outline around it. */
function gather(loops: readonly Vec2[][]): Profile[] {
  const areas = loops.map(signedArea);
  const outers = loops
    .map((outer, i) => ({ outer, area: areas[i], holes: [] as Outline[] }))
    .filter(({ area }) => area > 0);
  loops.forEach((hole, i) => {
    if (!(areas[i] < 0)) return;
    let home: (typeof outers)[number] | undefined;
    for (const candidate of outers)
      if (
        candidate.area > -areas[i] &&
        (!home || candidate.area < home.area) &&
        placeOf(hole[0], candidate.outer) !== 'outside'
      )
        home = candidate;
    home?.holes.push(hole);
  });
  return outers.map(({ outer, holes }) => ({ outer, holes }));
}
