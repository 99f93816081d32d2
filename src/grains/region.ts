/** Parts of space that are filled, fed or emptied. */
import { buildBvh } from '../geometry/bvh.js';
import { ClosestPoint, closestPoint } from '../geometry/closest-point.js';
import { solidMassProperties } from '../geometry/mass-properties.js';
import { isInside } from '../geometry/point-location.js';
import { PI } from '../math/elementary.js';
import { addScaled, dot, normalize, scale, sub, type Vec3, ZERO } from '../math/vec3.js';
import type { GrainRegion } from '../model/grains.js';
import type { Period } from './neighbourhood.js';
import { joinFeatures, meshFeatures, planeFeature, revolvedFeatures, type WallFeatures } from './wall-features.js';

const NEAR = new ClosestPoint();

export interface Region {
  /** Low and high corner of its bounds, m; infinite behind a plane */
  readonly low: Vec3;
  readonly high: Vec3;
  /** m³ */
  readonly volume: number;
  contains(x: number, y: number, z: number): boolean;
  /** Whether it contains all of a ball */
  holds(x: number, y: number, z: number, radius: number): boolean;
}

export function regionOf(given: GrainRegion): Region {
  if ('box' in given) {
    const [a, b] = given.box;
    const low: Vec3 = [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.min(a[2], b[2])];
    const high: Vec3 = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.max(a[2], b[2])];
    return {
      low,
      high,
      volume: (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]),
      contains: (x, y, z) => x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1] && z >= low[2] && z <= high[2],
      holds: (x, y, z, r) =>
        x - r >= low[0] &&
        x + r <= high[0] &&
        y - r >= low[1] &&
        y + r <= high[1] &&
        z - r >= low[2] &&
        z + r <= high[2],
    };
  }
  if ('cylinder' in given) {
    const { radius, height, from = ZERO, axis = [0, 0, 1] } = given.cylinder;
    const e = normalize(axis);
    const end = addScaled(from, height, e);
    // Half extent of a disc along x is r √(1 − e_x²)
    const reach = e.map((c) => radius * Math.sqrt(Math.max(0, 1 - c * c)));
    return {
      low: [0, 1, 2].map((k) => Math.min(from[k], end[k]) - reach[k]) as unknown as Vec3,
      high: [0, 1, 2].map((k) => Math.max(from[k], end[k]) + reach[k]) as unknown as Vec3,
      volume: PI * radius * radius * height,
      contains: (x, y, z) => {
        const d = sub([x, y, z], from);
        const along = dot(d, e);
        return along >= 0 && along <= height && dot(d, d) - along * along <= radius * radius;
      },
      holds: (x, y, z, r) => {
        const d = sub([x, y, z], from);
        const along = dot(d, e);
        const room = radius - r;
        return along >= r && along <= height - r && room >= 0 && dot(d, d) - along * along <= room * room;
      },
    };
  }
  if ('inside' in given) {
    const tree = buildBvh(given.inside.mesh);
    const { vertices } = given.inside.mesh;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < vertices.length; i++) {
      low[i % 3] = Math.min(low[i % 3], vertices[i]);
      high[i % 3] = Math.max(high[i % 3], vertices[i]);
    }
    return {
      low: low as unknown as Vec3,
      high: high as unknown as Vec3,
      volume: solidMassProperties(given.inside, 1).mass,
      contains: (x, y, z) => isInside(tree, x, y, z),
      holds: (x, y, z, r) => isInside(tree, x, y, z) && closestPoint(tree, x, y, z, NEAR, r).triangle < 0,
    };
  }
  const { through, normal } = given.behind;
  const offset = dot(through, normal);
  return {
    low: [-Infinity, -Infinity, -Infinity],
    high: [Infinity, Infinity, Infinity],
    volume: Number.POSITIVE_INFINITY,
    contains: (x, y, z) => normal[0] * x + normal[1] * y + normal[2] * z < offset,
    holds: (x, y, z, r) => normal[0] * x + normal[1] * y + normal[2] * z < offset - r,
  };
}

/** Axes along which a region fills the period: what leaves there comes in again */
export const throughOf = ({ low, high }: Region, period: Period | undefined): readonly boolean[] =>
  [0, 1, 2].map((k) => (period?.length[k] ?? 0) > 0 && high[k] - low[k] >= period!.length[k]);

/** The limits of a region as a wall around the grains in it. @param through axes along which there is none, for what leaves comes in again */
export function limitsOf(given: GrainRegion, through: readonly boolean[] = [false, false, false]): WallFeatures {
  if ('box' in given) {
    const { low, high } = regionOf(given);
    const planes = [0, 1, 2].flatMap((k) => {
      if (through[k]) return [];
      const axis: Vec3 = [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0];
      return [planeFeature(axis, low[k]), planeFeature(scale(-1, axis), -high[k])];
    });
    return joinFeatures(planes);
  }
  if ('cylinder' in given) {
    const { radius, height, from, axis } = given.cylinder;
    const profile = [
      [0, 0],
      [radius, 0],
      [radius, height],
      [0, height],
    ] as const;
    return revolvedFeatures(profile, { ...(from && { origin: from }), ...(axis && { axis }) });
  }
  if ('inside' in given) {
    // Turned inside out
    const { vertices, triangles } = given.inside.mesh;
    const turned = Uint32Array.from(triangles, (_, i) => triangles[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]);
    return meshFeatures(vertices, turned, 'region.inside');
  }
  return joinFeatures([planeFeature(scale(-1, given.behind.normal), -dot(given.behind.through, given.behind.normal))]);
}
