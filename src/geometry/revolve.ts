/** Solids from a plane figure turned about an axis: what a lathe makes. */
import { ModelError } from '../errors.js';
import { circlePoint, cosSin } from './circle.js';
import { flattened } from './outline.js';
import { checkedProfile } from './polygon-nesting.js';
import type { Outline, Profile } from './profile.js';
import { figureSize, madeBy } from './recipe.js';
import { requireCount, requireKnown } from './require.js';
import { ORIGIN, type Solid } from './solid.js';
import { triangulateChecked } from './triangulate.js';

const FULL_TURN = 2 * Math.PI;

export interface RevolveOptions {
  /** rad, up to a full turn, which is the default; less leaves two flat ends */
  readonly angle?: number;
  /** Steps around the axis; default 64 for a full turn and as many fewer for less. */
  readonly segments?: number;
}

/**
 * Turns a polygon about the z axis: its x is the distance from the axis, its y becomes z. The turn starts in the
 * x–z plane and goes counter-clockwise seen from +z.
 *
 * Corners on the axis become single vertices and edges along it vanish, so no flat triangles arise.
 *
 * @param figure corners in m with x ≥ 0, or a profile with holes; arcs are drawn by chords, 64 to a full circle
 * @example revolve([[0, 0], [4e-3, 0], [4e-3, 1e-3], [1e-3, 1e-3], [1e-3, 9e-3], [0, 9e-3]]) // a mushroom valve
 */
export function revolve(figure: Outline | Profile, options: RevolveOptions = {}): Solid {
  requireKnown('revolve', options, ['angle', 'segments']);
  const angle = options.angle ?? FULL_TURN;
  if (!(angle > 0 && angle <= FULL_TURN))
    throw new ModelError('revolve.angle', `expected an angle > 0 and ≤ 2π rad, got ${angle}`);
  const full = angle === FULL_TURN;
  const least = full ? 3 : 1;
  const segments = requireCount(
    'revolve.segments',
    options.segments ?? Math.max(least, Math.ceil((64 * angle) / FULL_TURN)),
    Math.max(least, Math.ceil(angle / Math.PI + 1e-9)),
  );
  const path = Array.isArray(figure) ? 'revolve.outline' : 'revolve.profile';
  const profile = flattened(checkedProfile(figure, path));
  const rings = [profile.outer, ...profile.holes];
  for (const [r, ring] of rings.entries())
    for (const [x, y] of ring)
      if (!(x >= 0))
        throw new ModelError(
          r === 0 ? path : `${path}.holes[${r - 1}]`,
          `expected corners with x ≥ 0 m (x is the distance from the axis), got (${x}, ${y}) m`,
        );

  // Vertices: a corner off the axis gives one per step, in a row; a corner on it gives one
  const stations = full ? segments : segments + 1;
  const corners = rings.flat();
  const first = new Uint32Array(corners.length);
  const stride = new Uint8Array(corners.length);
  let count = 0;
  const along = full ? insideAxisEdges(rings) : undefined;
  for (const [i, [x]] of corners.entries()) {
    first[i] = count;
    stride[i] = x > 0 ? 1 : 0;
    count += x > 0 ? stations : along?.has(i) ? 0 : 1;
  }
  const vertices = new Float64Array(3 * count);
  for (const [i, [x, y]] of corners.entries())
    for (let k = 0; k < (stride[i] ? stations : along?.has(i) ? 0 : 1); k++) {
      const [c, s] = full ? circlePoint(k, segments) : cosSin((angle * k) / segments);
      vertices.set([x * c, x * s, y], 3 * (first[i] + k));
    }

  const triangles: number[] = [];
  let start = 0;
  for (const { length } of rings) {
    for (let i = 0; i < length; i++) {
      const a = start + i;
      const b = start + (i + 1 === length ? 0 : i + 1);
      for (let k = 0; k < segments; k++) {
        const l = full && k + 1 === segments ? 0 : k + 1;
        if (stride[a]) triangles.push(first[a] + k, first[a] + l, first[b] + l * stride[b]);
        if (stride[b]) triangles.push(first[a] + k * stride[a], first[b] + l, first[b] + k);
      }
    }
    start += length;
  }
  if (!full) {
    const caps = triangulateChecked(profile);
    const last = (i: number) => first[i] + segments * stride[i];
    for (let i = 0; i < caps.length; i += 3) {
      const [a, b, c] = [caps[i], caps[i + 1], caps[i + 2]];
      triangles.push(first[a], first[b], first[c], last(a), last(c), last(b));
    }
  }
  const mesh = { vertices, triangles: Uint32Array.from(triangles) };
  return madeBy('revolve', { ...figureSize(figure), ...options }, { mesh, form: { kind: 'mesh' }, pose: ORIGIN });
}

/** Corners between two edges that run along the axis: on no surface once the figure is turned all the way. */
function insideAxisEdges(rings: readonly Outline[]): Set<number> {
  const found = new Set<number>();
  let start = 0;
  for (const ring of rings) {
    const n = ring.length;
    for (let i = 0; i < n; i++)
      if (ring[(i + n - 1) % n][0] === 0 && ring[i][0] === 0 && ring[(i + 1) % n][0] === 0) found.add(start + i);
    start += n;
  }
  return found;
}
