/**
 * Rocks: an ellipsoid of the mean dimensions whose surface is pushed in and out along the radius,
 *
 *   ρ(u) = 1 + R₁ fBm(1.2 u) + R₂ ridged(5 u),   at least 0.3
 *
 *   u   unit direction
 *   R₁  roughness of the form, 0 … 0.5      R₂  roughness of the surface, 0 … 0.2
 *
 * and optionally cut flat by random planes. Then it is stretched along its axes so that its box has the mean dimensions, or so that its
 * volume is that of their ellipsoid. Volume, centre of mass and inertia are those of the polyhedron.
 *
 * Buse et al. (2023), §3.2 and Fig. 3: the deformed sphere and its two roughness values; frequencies and octaves are ours.
 */
import { convexHull } from '../geometry/hull.js';
import { type MassProperties, meshMassProperties } from '../geometry/mass-properties.js';
import { sphere } from '../geometry/primitives.js';
import { ORIGIN, type Solid } from '../geometry/solid.js';
import { meshBounds, type TriangleMesh } from '../geometry/triangle-mesh.js';
import { cbrt } from '../math/elementary.js';
import { random } from '../math/random.js';
import { octaveNoise } from './noise.js';
import { type Asset, assetId, fill } from './parameters.js';
import { ROCK_RULES, type RockOptions, type RockParameters } from './rock-parameters.js';

export { ROCK_RULES, type RockOptions, type RockParameters } from './rock-parameters.js';

const VERSION = 1;

export interface RockAsset extends Asset {
  readonly kind: 'rock';
  readonly parameters: RockParameters;
  /** The centre of the undeformed ellipsoid is at the origin. */
  readonly solid: Solid;
  readonly properties: MassProperties;
  /** Volume of the convex hull over the rock's own, less 1: what contact by hulls adds */
  readonly hullExcess: () => number;
}

export const rockId = (options: RockOptions = {}): string =>
  assetId('rock', VERSION, fill('rock', ROCK_RULES, options));

/** @example const { solid, properties } = rock({ length: 0.4, width: 0.3, height: 0.2, form: 0.3, seed: 5 }); */
export function rock(options: RockOptions = {}): RockAsset {
  const parameters = fill('rock', ROCK_RULES, options);
  const id = assetId('rock', VERSION, parameters);
  const mesh = rockMesh(parameters);
  const properties = meshMassProperties(mesh, parameters.density);
  return {
    kind: 'rock',
    id,
    name: `rock_${id}`,
    parameters,
    solid: { mesh, form: { kind: 'mesh' }, pose: ORIGIN },
    properties,
    hullExcess: () => meshMassProperties(convexHull(mesh.vertices)).volume / properties.volume - 1,
  };
}

function rockMesh(p: RockParameters): TriangleMesh {
  const { mesh: unit } = sphere(1, { subdivision: 1 << p.subdivision });
  const draw = random(p.seed).fork('rock');
  const noiseSeed = draw.integer(2147480000);
  const form = { type: 'fbm', seed: noiseSeed, frequency: 1.2, octaves: 3, lacunarity: 2, persistence: 0.5 } as const;
  const skin = {
    type: 'ridged',
    seed: noiseSeed + 100,
    frequency: 5,
    octaves: 5,
    lacunarity: 2,
    persistence: 0.5,
  } as const;
  const planes = Array.from({ length: p.facets }, () => ({
    normal: draw.unitVector(),
    distance: draw.uniformBetween(0.6, 0.9),
  }));
  const vertices = Float64Array.from(unit.vertices);
  const value = new Float64Array(4);
  const half = [p.length / 2, p.width / 2, p.height / 2];
  for (let i = 0; i < vertices.length; i += 3) {
    const [x, y, z] = [vertices[i], vertices[i + 1], vertices[i + 2]];
    let radius = 1;
    if (p.form > 0) {
      octaveNoise(form, x + 11.3, y + 7.1, z + 5.7, value);
      radius += p.form * value[0];
    }
    if (p.surface > 0) {
      octaveNoise(skin, x + 3.9, y + 2.3, z + 8.2, value);
      radius += p.surface * value[0];
    }
    radius = Math.max(0.3, radius);
    for (const { normal, distance } of planes) {
      const along = normal[0] * x + normal[1] * y + normal[2] * z;
      if (along * radius > distance) radius = distance / along;
    }
    for (let k = 0; k < 3; k++) vertices[i + k] *= radius * half[k];
  }
  const mesh = { vertices, triangles: unit.triangles };
  const bounds = meshBounds(mesh);
  const even =
    p.match === 'volume'
      ? cbrt(((4 / 3) * Math.PI * half[0] * half[1] * half[2]) / meshMassProperties(mesh).volume)
      : 0;
  for (let k = 0; k < 3; k++) {
    const stretch = even > 0 ? even : (2 * half[k]) / (bounds.max[k] - bounds.min[k]);
    for (let i = k; i < vertices.length; i += 3) vertices[i] *= stretch;
  }
  return mesh;
}
