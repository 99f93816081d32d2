/**
 * Spheres put beside meshes at random, and what touches there found once more without lists, features and ties: of every triangle the point that is nearest to the centre; a contact is
 * such a point that is nearest in all triangles it lies on (a local minimum of the distance) and is met from outside the solid. What is between contacts (kernels/wall-merging.kernel.ts) is found
 * by looking from the nearest point of every edge, and from every corner, in 24 directions on each triangle there: 1 less the number of runs of directions in which one comes nearer.
 */
import { angularRock } from '../assets/stones.js';
import { type Bvh, buildBvh } from '../geometry/bvh.js';
import { subtract } from '../geometry/csg/boolean.js';
import { isInside } from '../geometry/point-location.js';
import { box, cylinder, torus } from '../geometry/primitives.js';
import type { Solid } from '../geometry/solid.js';
import { rotate, translate } from '../geometry/transform.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import type { GrainBed } from '../grains/grain-bed.js';
import { AT_REST } from '../grains/wall-arrays.js';
import { meshFeatures } from '../grains/wall-features.js';
import { fromQuaternion } from '../math/mat3.js';
import { type Random, random } from '../math/random.js';
import { bedOf, SOFT } from './grain-scenes.js';

/** 4/3 E* of two of the same, Pa */
const HERTZ = (4 / 3) * (SOFT.youngsModulus / (2 * (1 - SOFT.poissonRatio ** 2)));

/** A wall in any pose and one sphere without friction, to be put anywhere */
export class PlacedSphere {
  readonly radius: number;
  readonly rotation: ArrayLike<number>;
  private readonly bed: GrainBed;
  private readonly wrench = new Float64Array(6);

  /** @param rotation of the wall, rows first */
  constructor(mesh: TriangleMesh, radius: number, rotation: ArrayLike<number>) {
    this.radius = radius;
    this.rotation = rotation;
    const wall = {
      name: 'wall',
      kind: 0,
      features: meshFeatures(mesh.vertices, mesh.triangles, 'wall'),
      pose: { ...AT_REST, rotation },
      farthest: 2,
    };
    this.bed = bedOf([{ position: [9, 9, 9], radius, kind: 0, density: 1 }], {
      lawOf: () => ({ restitution: 1, friction: 0 }),
      walls: [wall],
      skin: 0.05 * radius,
    });
  }

  /** Contacts of the sphere at c, in the frame of the wall; the force on it, in that frame, by 4/3 E* r², is left in `force` */
  put(c: ArrayLike<number>, force: Float64Array): number {
    const { bed, rotation: r, radius } = this;
    const x = bed.arrays.floats('grains');
    for (let k = 0; k < 3; k++) x[k] = r[3 * k] * c[0] + r[3 * k + 1] * c[1] + r[3 * k + 2] * c[2];
    bed.arrays.floats('forces').fill(0);
    bed.makeLists();
    bed.arrays.kernels.run('forces', 0);
    const f = bed.forceOn(0, this.wrench);
    for (let k = 0; k < 3; k++)
      force[k] = (r[k] * f[0] + r[3 + k] * f[1] + r[6 + k] * f[2]) / (HERTZ * radius * radius);
    return bed.arrays.floats('results')[4];
  }
}

export interface PlacementErrors {
  /** Spheres that touched anything */
  readonly touching: number;
  /** Most contacts of one of them */
  readonly most: number;
  /** Spheres whose number of contacts differs */
  readonly differ: number;
  /** Greatest difference of a force, by 4/3 E* r² and by distance over radius: the direction from a centre that lies on the surface is rounding */
  readonly force: number;
}

/** A block with a hole through it and a corner cut away, a ring, a rock, a plate thinner than the spheres: edges and corners of every kind */
function solids(): Solid[] {
  const hole = rotate({ axis: [1, 0, 0], angle: 0.3 }, cylinder({ radius: 0.35, height: 4, segments: 24 }));
  return [
    subtract(box([1.6, 1.2, 1]), hole, translate([0.8, 0.6, 0.5], box(0.7))),
    torus({ majorRadius: 0.7, minorRadius: 0.25, segments: 20, minorSegments: 12 }),
    angularRock({ radius: 0.9, seed: 5 }),
    subtract(box([1.8, 1.8, 0.06]), translate([0.3, 0.2, 0], box([0.5, 0.4, 1]))),
  ];
}

/** `count` spheres of 0.03 to 0.5 m beside solids of about 2 m, centres outside them */
export function randomPlacementErrors(count: number, seed: string): PlacementErrors {
  const draw = random(`placements ${seed}`);
  const radii = [0.03, 0.12, 0.5];
  const [found, expected] = [new Float64Array(3), new Float64Array(3)];
  let [touching, most, differ, force] = [0, 0, 0, 0];
  const meshes = solids().map(({ mesh }) => mesh);
  const each = Math.ceil(count / (meshes.length * radii.length));
  for (const mesh of meshes) {
    const tree = buildBvh(mesh);
    for (const radius of radii) {
      const sphere = new PlacedSphere(mesh, radius, fromQuaternion(draw.rotation()));
      const oracle = new NearestPoints(mesh, tree, radius);
      for (let k = 0; k < each; k++) {
        const c = beside(mesh, tree, radius, draw);
        const contacts = oracle.find(c, expected);
        if (sphere.put(c, found) !== contacts) differ++;
        if (contacts > 0) touching++;
        most = Math.max(most, contacts);
        for (let a = 0; a < 3; a++)
          force = Math.max(force, (Math.abs(found[a] - expected[a]) * Math.min(oracle.least, radius)) / radius);
      }
    }
  }
  return { touching, most, differ, force };
}

/** A centre outside the solid, up to 1.1 radii from a point of a triangle drawn at random */
function beside({ vertices, triangles }: TriangleMesh, tree: Bvh, radius: number, draw: Random): number[] {
  for (;;) {
    const t = 3 * draw.integer(triangles.length / 3);
    let [u, v] = [draw.uniform(), draw.uniform()];
    if (u + v > 1) [u, v] = [1 - u, 1 - v];
    const away = draw.inSphere();
    const c = [0, 1, 2].map((k) => {
      const [p, q, r] = [0, 1, 2].map((corner) => vertices[3 * triangles[t + corner] + k]);
      return p + u * (q - p) + v * (r - p) + 1.1 * radius * away[k];
    });
    if (!isInside(tree, c[0], c[1], c[2])) return c;
  }
}

const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Two points are one if they are this near, m */
const SAME = 1e-9;

/** Local minima of the distance from a centre to a mesh, triangle by triangle */
class NearestPoints {
  private readonly points = new Float64Array(3);
  private readonly near: number[] = [];
  /** Distance from the surface at the last place, m */
  least = Infinity;
  /** Corners as they follow each other about each corner */
  private readonly around: ReadonlyMap<number, readonly number[]>;
  /** Edges by their corners, and the corners on their two sides */
  private readonly edges: readonly (readonly [from: number, to: number, left: number, right: number])[];

  constructor(
    private readonly mesh: TriangleMesh,
    private readonly tree: Bvh,
    private readonly radius: number,
  ) {
    const { triangles } = mesh;
    const third = new Map<string, number>();
    for (let t = 0; t < triangles.length; t += 3)
      for (let k = 0; k < 3; k++)
        third.set(`${triangles[t + k]} ${triangles[t + ((k + 1) % 3)]}`, triangles[t + ((k + 2) % 3)]);
    this.edges = [...third].flatMap(([key, left]) => {
      const [a, b] = key.split(' ').map(Number);
      return a < b ? [[a, b, left, third.get(`${b} ${a}`)!] as const] : [];
    });
    const around = new Map<number, number[]>();
    for (const [a, b] of this.edges)
      for (const [v, first] of [[a, b] as const, [b, a] as const]) {
        if (around.has(v)) continue;
        const round = [first];
        for (let w = third.get(`${v} ${first}`)!; w !== first; w = third.get(`${v} ${w}`)!) round.push(w);
        around.set(v, round);
      }
    this.around = around;
  }

  /** How many there are; the sum of their forces by 4/3 E* r² */
  find(c: ArrayLike<number>, force: Float64Array): number {
    const { near, points: p, radius } = this;
    this.least = Infinity;
    near.length = 0; // triangle, nearest point and its distance, of all triangles within reach
    for (let t = 0; t < this.mesh.triangles.length; t += 3) {
      if (this.beyond(t, c, radius)) continue;
      const distance = this.nearestOf(t, c, p);
      this.least = Math.min(this.least, distance);
      if (distance < radius) near.push(t, p[0], p[1], p[2], distance);
    }
    force.fill(0);
    let count = 0;
    const add = (weight: number, at: readonly number[], distance: number, to: Float64Array): void => {
      const pressed = weight * Math.sqrt(radius) * (radius - distance) ** 1.5;
      for (let k = 0; k < 3; k++) to[k] += (pressed * (c[k] - at[k])) / distance / (radius * radius);
    };
    for (let a = 0; a < near.length; a += 5) {
      const at = [near[a + 1], near[a + 2], near[a + 3]];
      let counted = false;
      let least = true;
      for (let b = 0; b < near.length && least; b += 5) {
        const apart = Math.hypot(near[b + 1] - at[0], near[b + 2] - at[1], near[b + 3] - at[2]);
        if (b < a && apart < SAME) counted = true;
        // The other triangle holds the point too, and another point of it is nearer
        if (apart >= SAME && this.nearestOf(near[b], at, p) < SAME) least = false;
      }
      const distance = near[a + 4];
      if (!least || counted || !this.fromOutside(at, c, distance)) continue;
      count++;
      add(1, at, distance, force);
    }
    if (count === 0) return 0;
    // In a ring as many saddles as minima: then each bears for itself
    const between = new Float64Array(3);
    let euler = count;
    const see = (at: readonly number[], sides: readonly (readonly number[])[], ofEdge: boolean): void => {
      const distance = Math.hypot(c[0] - at[0], c[1] - at[1], c[2] - at[2]);
      if (!(distance > 0 && distance < radius)) return;
      const weight = this.weightOf(at, sides, c, ofEdge);
      if (weight === 0 || !this.fromOutside(at, c, distance)) return;
      euler += weight;
      add(weight, at, distance, between);
    };
    const x = this.mesh.vertices;
    for (const [a, b, left, right] of this.edges) {
      // The foot on the edge, or nothing within reach
      const [px, py, pz] = [x[3 * a], x[3 * a + 1], x[3 * a + 2]];
      const [ux, uy, uz] = [x[3 * b] - px, x[3 * b + 1] - py, x[3 * b + 2] - pz];
      const [wx, wy, wz] = [c[0] - px, c[1] - py, c[2] - pz];
      const t = (wx * ux + wy * uy + wz * uz) / (ux * ux + uy * uy + uz * uz);
      if (!(t > 0 && t < 1)) continue;
      const [dx, dy, dz] = [wx - t * ux, wy - t * uy, wz - t * uz];
      if (dx * dx + dy * dy + dz * dz >= radius * radius) continue;
      const at = [px + t * ux, py + t * uy, pz + t * uz];
      see(
        at,
        [b, left, a, right].map((v) => this.corner(v).map((y, k) => y - at[k])),
        true,
      );
    }
    for (const [v, round] of this.around) {
      const [dx, dy, dz] = [c[0] - x[3 * v], c[1] - x[3 * v + 1], c[2] - x[3 * v + 2]];
      if (dx * dx + dy * dy + dz * dz >= radius * radius) continue;
      const at = this.corner(v);
      see(
        at,
        round.map((w) => this.corner(w).map((y, k) => y - at[k])),
        false,
      );
    }
    if (euler >= 1) for (let k = 0; k < 3; k++) force[k] += between[k];
    return count;
  }

  /** 1 less the runs of directions in which c comes nearer, 1 where there are only such, 0 where there are none (that is a minimum) */
  private weightOf(
    at: readonly number[],
    sides: readonly (readonly number[])[],
    c: ArrayLike<number>,
    ofEdge: boolean,
  ): number {
    const u = at.map((x, k) => c[k] - x);
    const nearer = sides.flatMap((side, i) => {
      const next = sides[(i + 1) % sides.length];
      const [a, b] = [side, next].map((d) => d.map((x) => x / Math.hypot(...d)));
      return Array.from(
        { length: 24 },
        (_, k) =>
          dot(
            u,
            a.map((x, m) => x + (k / 24) * (b[m] - x)),
          ) > 1e-12,
      );
    });
    const runs = nearer.filter((is, k) => is && !nearer[(k + nearer.length - 1) % nearer.length]).length;
    if (!nearer.includes(true) || (runs === 1 && nearer.includes(false))) return 0;
    // In a groove and at the bottom of a pit there is solid behind, on a sharp edge and at the tip of a needle none
    if (ofEdge || runs === 0) {
      const [x, y, z] = at.map((p, k) => p - (1e-6 * u[k]) / Math.hypot(...u));
      if (!isInside(this.tree, x, y, z)) return 0;
    }
    return 1 - runs;
  }

  private corner(v: number): number[] {
    return [...this.mesh.vertices.subarray(3 * v, 3 * v + 3)];
  }

  private fromOutside(at: readonly number[], c: ArrayLike<number>, distance: number): boolean {
    const step = Math.min(1e-6, 0.5 * distance) / distance;
    const [x, y, z] = at.map((p, k) => p + step * (c[k] - p));
    return !isInside(this.tree, x, y, z);
  }

  /** Whether a triangle is beyond reach along an axis */
  private beyond(t: number, c: ArrayLike<number>, reach: number): boolean {
    const { vertices, triangles } = this.mesh;
    for (let k = 0; k < 3; k++) {
      const [p, q, r] = [
        vertices[3 * triangles[t] + k],
        vertices[3 * triangles[t + 1] + k],
        vertices[3 * triangles[t + 2] + k],
      ];
      if (c[k] - reach > Math.max(p, q, r) || c[k] + reach < Math.min(p, q, r)) return true;
    }
    return false;
  }

  /** The point of a triangle nearest to c: the foot in its plane if that is in it, else the nearest of its three sides */
  private nearestOf(t: number, c: ArrayLike<number>, out: Float64Array): number {
    const { vertices, triangles } = this.mesh;
    const corner = (k: number): number[] => [...vertices.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3)];
    const corners = [corner(0), corner(1), corner(2)];
    const [p, q, r] = corners;
    const [ux, uy, uz] = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
    const [vx, vy, vz] = [r[0] - p[0], r[1] - p[1], r[2] - p[2]];
    const [wx, wy, wz] = [c[0] - p[0], c[1] - p[1], c[2] - p[2]];
    const [uu, uv, vv] = [ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz];
    const [wu, wv] = [wx * ux + wy * uy + wz * uz, wx * vx + wy * vy + wz * vz];
    const square = uu * vv - uv * uv;
    const [a, b] = [(wu * vv - wv * uv) / square, (wv * uu - wu * uv) / square];
    if (a > 0 && b > 0 && a + b < 1) {
      for (let k = 0; k < 3; k++) out[k] = p[k] + a * (q[k] - p[k]) + b * (r[k] - p[k]);
      return Math.hypot(c[0] - out[0], c[1] - out[1], c[2] - out[2]);
    }
    let best = Infinity;
    for (let e = 0; e < 3; e++) {
      const [from, to] = [corners[e], corners[(e + 1) % 3]];
      let [along, length] = [0, 0];
      for (let k = 0; k < 3; k++) {
        along += (c[k] - from[k]) * (to[k] - from[k]);
        length += (to[k] - from[k]) ** 2;
      }
      const s = Math.min(1, Math.max(0, along / length));
      const [x, y, z] = from.map((f, k) => f + s * (to[k] - f));
      const distance = Math.hypot(c[0] - x, c[1] - y, c[2] - z);
      if (distance >= best) continue;
      best = distance;
      out[0] = x;
      out[1] = y;
      out[2] = z;
    }
    return best;
  }
}
