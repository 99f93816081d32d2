/** Solids from a plane figure moved along z. */
import { ModelError } from '../errors.js';
import { cosSin } from './circle.js';
import { flattened, hasArcs, SEGMENTS } from './outline.js';
import { checkedProfile } from './polygon-nesting.js';
import type { Outline, Profile } from './profile.js';
import { figureSize, madeBy } from './recipe.js';
import { requireCount, requireFinite, requireKnown, requireLength } from './require.js';
import { type Form, ORIGIN, type Solid } from './solid.js';
import { triangulateChecked } from './triangulate.js';

export interface ExtrudeOptions {
  /** Angle by which the top is turned against the bottom, about the z axis, rad; default 0. */
  readonly twist?: number;
  /** Size of the top as a multiple of the bottom, shrunk towards the z axis; default 1. */
  readonly scale?: number;
  /** Layers of wall triangles; default 1, with a twist one for each 3°. */
  readonly layers?: number;
  /** Pieces of a full circle as which the mesh has arcs, default 64: chords at most 0.12 % of the radius off the arc. */
  readonly segments?: number;
}

/**
 * Extrudes a polygon, perhaps with holes, along z from 0 to `height` into a solid.
 *
 * The ends are the constrained Delaunay triangulation of the figure; corners on straight edges stay corners. Outlines
 * may run either way, and a repeated corner is dropped. A straight extrusion keeps the profile as its exact form, arcs as
 * arcs: mass properties and contact in the plane are those of the arcs, the mesh beside it has chords.
 *
 * @param figure corners [x, y] in m, or [x, y, bulge] where an arc with bulge = tan(sweep/4) leads to the next one; or a
 *   profile with holes; may be concave
 * @param height m
 * @throws ModelError if an outline crosses or touches itself or another, or a hole is not inside
 * @example const pallet = extrude([[0, 0], [4e-3, 0], [1e-3, 2e-3]], 0.5e-3);
 * @example const key = extrude([[0, 0], [10e-3, 0, 1], [10e-3, 4e-3], [0, 4e-3, 1]], 2e-3); // round at both ends
 */
export function extrude(figure: Outline | Profile, height: number, options: ExtrudeOptions = {}): Solid {
  requireLength('extrude.height', height);
  requireKnown('extrude', options, ['twist', 'scale', 'layers', 'segments']);
  const twist = requireFinite('extrude.twist', options.twist ?? 0, 'rad');
  const topScale = options.scale ?? 1;
  if (!(topScale > 0 && topScale < Number.POSITIVE_INFINITY))
    throw new ModelError('extrude.scale', `expected a factor > 0, got ${topScale}; for a tip use cone or frustum`);
  const layers = requireCount(
    'extrude.layers',
    options.layers ?? Math.max(1, Math.ceil(Math.abs(twist) / 0.0524)),
    1,
    10_000,
  );
  const { segments = SEGMENTS } = options;
  requireCount('extrude.segments', segments, 3);
  const profile = checkedProfile(figure, Array.isArray(figure) ? 'extrude.outline' : 'extrude.profile');
  const drawn = flattened(profile, segments);
  const rings = [drawn.outer, ...drawn.holes];
  const corners = rings.reduce((sum, ring) => sum + ring.length, 0);
  const caps = triangulateChecked(drawn);

  // Vertices: layer by layer from the bottom, in each the corners of the outside, then of the holes
  const vertices = new Float64Array(3 * corners * (layers + 1));
  let v = 0;
  for (let layer = 0; layer <= layers; layer++) {
    const t = layer / layers;
    const [c, s] = cosSin(twist * t);
    const k = 1 + (topScale - 1) * t;
    for (const ring of rings)
      for (const [x, y] of ring) {
        vertices[v++] = k * (c * x - s * y);
        vertices[v++] = k * (s * x + c * y);
        vertices[v++] = layer === layers ? height : height * t;
      }
  }
  // Triangles: bottom turned round, top, then walls; the inside is left of each edge, so outside is to the right
  const triangles = new Uint32Array(2 * caps.length + 6 * corners * layers);
  const top = corners * layers;
  let at = 0;
  for (let i = 0; i < caps.length; i += 3) {
    triangles.set([caps[i], caps[i + 2], caps[i + 1]], at);
    triangles.set([top + caps[i], top + caps[i + 1], top + caps[i + 2]], at + caps.length);
    at += 3;
  }
  at = 2 * caps.length;
  for (let layer = 0; layer < layers; layer++) {
    let start = layer * corners;
    // Twisted quadrilaterals are not flat: one diagonal cuts inside, the other outside. Taken in turns, layer by layer,
    // the volume errs by the square of the angle per layer instead of by the angle.
    const otherWay = twist !== 0 && (layer % 2 === 1) !== twist < 0;
    for (const { length } of rings) {
      for (let i = 0; i < length; i++) {
        const a = start + i;
        const b = start + (i + 1 === length ? 0 : i + 1);
        if (otherWay) triangles.set([a, b, a + corners, b, b + corners, a + corners], at);
        else triangles.set([a, b, b + corners, a, b + corners, a + corners], at);
        at += 6;
      }
      start += length;
    }
  }
  const straight = twist === 0 && topScale === 1;
  const form: Form = straight ? extrusionForm(profile, height, segments) : { kind: 'mesh' };
  const size = { ...figureSize(figure), height, ...options };
  return madeBy('extrude', size, { mesh: { vertices, triangles }, form, pose: ORIGIN });
}

/** The number of pieces is kept where it says something: for arcs drawn otherwise than by default. */
const extrusionForm = (profile: Profile, height: number, segments: number): Form =>
  segments !== SEGMENTS && hasArcs(profile)
    ? { kind: 'extrusion', profile, height, segments }
    : { kind: 'extrusion', profile, height };
