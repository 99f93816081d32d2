/**
 * Scenes of spheres that other codes have run too, drawn number by number as the scripts that run those draw them: 5 050 balls hit by one, spheres that settle in a box, a drum of
 * facets. E = 10 MPa, ν = 0.3, 2500 kg/m³, e = 0.5, µ = 0.5 but for the balls.
 */
import type { NewGrain } from '../grains/bed.js';
import { GrainBed, type GrainBedOptions } from '../grains/grain-bed.js';
import type { GrainPairLaw } from '../grains/grain-laws.js';
import { AT_REST, type WallBody } from '../grains/wall-arrays.js';
import { joinFeatures, meshFeatures, planeFeature } from '../grains/wall-features.js';
import type { Vec3 } from '../math/vec3.js';

export const SOFT = { name: 'soft', youngsModulus: 1e7, poissonRatio: 0.3 };
export const ROUGH: GrainPairLaw = { restitution: 0.5, friction: 0.5 };
/** s */
export const STEP = 5e-5;
/** Whose figures the settled bed and the drum are held to */
export const OTHERS = 'band of LAMMPS, LIGGGHTS, YADE and a prototype';
const DENSITY = 2500;
const PITCH = 0.0115;
const SCATTER = 0.0005;

/** As the scripts that run the peers draw it: Tommy Ettinger's mulberry32 */
export function mulberry32(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** 5 050 balls of 1 m in a triangle, and the one that hits its tip at 1 m/s, the last */
export function billiardBalls(rows = 100): NewGrain[] {
  const balls: NewGrain[] = [];
  const ball = (position: Vec3, velocity?: Vec3): NewGrain => ({
    position,
    radius: 0.5,
    kind: 0,
    density: 2000,
    ...(velocity && { velocity }),
  });
  for (let i = 0; i < rows; i++) for (let j = 0; j <= i; j++) balls.push(ball([(i * Math.sqrt(3)) / 2, j - i / 2, 0]));
  balls.push(ball([-1.05, 0, 0], [1, 0, 0]));
  return balls;
}

export const billiardBed = (balls: readonly NewGrain[], options: Partial<GrainBedOptions> = {}): GrainBed =>
  bedOf(balls, { lawOf: () => ({ restitution: 1, friction: 0 }), skin: 0.1, ...options });

/** Side of the box of `count` spheres that settle, m */
export const boxSide = (count: number): number => Math.round(1e4 * 0.15 * Math.cbrt(count / 5000)) / 1e4;

/** Spheres of 4.5 to 5.5 mm on a lattice, drifting apart at up to 0.1 m/s */
export function spheresAloft(count: number, side = boxSide(count)): NewGrain[] {
  const columns = Math.floor(side / PITCH);
  const u = mulberry32(12345);
  return Array.from({ length: count }, (_, k) => {
    const radius = 0.005 * (0.9 + 0.2 * u());
    const across = (n: number): number => ((n + 0.5) * side) / columns + (u() - 0.5) * SCATTER;
    const position: Vec3 = [
      across(k % columns),
      across(Math.floor(k / columns) % columns),
      0.006 + Math.floor(k / (columns * columns)) * PITCH + (u() - 0.5) * SCATTER,
    ];
    const velocity: Vec3 = [(u() - 0.5) * 0.2, (u() - 0.5) * 0.2, (u() - 0.5) * 0.2];
    return { position, radius, velocity, kind: 0, density: DENSITY };
  });
}

/** Floor and four sides, open above */
export const openBox = (side: number): WallBody => ({
  name: 'box',
  kind: 0,
  features: joinFeatures([
    planeFeature([0, 0, 1], 0),
    planeFeature([1, 0, 0], 0),
    planeFeature([-1, 0, 0], -side),
    planeFeature([0, 1, 0], 0),
    planeFeature([0, -1, 0], -side),
  ]),
  pose: AT_REST,
  farthest: 1,
});

export const settlingBed = (count: number, options: Partial<GrainBedOptions> = {}): GrainBed =>
  bedOf(spheresAloft(count), { walls: [openBox(boxSide(count))], gravity: [0, 0, -9.81], ...options });

/** `times` × `times` copies of a bed side by side: as deep, as dense, and larger */
export function tiled(bed: GrainBed, side: number, times: number): NewGrain[] {
  const x = bed.arrays.floats('grains');
  const places = bed.inOrder();
  const out: NewGrain[] = [];
  for (let a = 0; a < times; a++)
    for (let b = 0; b < times; b++)
      for (const i of places)
        out.push({
          position: [x[4 * i] + a * side, x[4 * i + 1] + b * side, x[4 * i + 2]],
          radius: x[4 * i + 3],
          kind: 0,
          density: DENSITY,
        });
  return out;
}

const DRUM = { radius: 0.2, length: 0.4, sides: 48, along: 8 };

/** Spheres from the bottom of the drum up, at rest */
export function spheresInDrum(count = 20_000): NewGrain[] {
  const { radius, length, sides } = DRUM;
  const inner = radius * Math.cos(Math.PI / sides) - 0.006 - SCATTER;
  const u = mulberry32(777);
  const across = Math.floor((2 * radius) / PITCH);
  const along = Math.floor((length - 0.001) / PITCH);
  const out: NewGrain[] = [];
  for (let iz = 0; iz < across; iz++)
    for (let ix = 0; ix < across; ix++)
      for (let iy = 0; iy < along && out.length < count; iy++) {
        const [x, y, z] = [
          -radius + (ix + 0.5) * PITCH,
          -length / 2 + ((iy + 0.5) * length) / along,
          -radius + (iz + 0.5) * PITCH,
        ];
        if (Math.hypot(x, z) > inner) continue;
        const r = 0.005 * (0.9 + 0.2 * u());
        const position: Vec3 = [x + (u() - 0.5) * SCATTER, y + (u() - 0.5) * SCATTER, z + (u() - 0.5) * SCATTER];
        out.push({ position, radius: r, kind: 0, density: DENSITY });
      }
  return out;
}

/** The drum as 864 triangles seen from inside, axis y: points three by three, corners of triangles */
export function drumMesh(): { readonly points: number[]; readonly triangles: number[] } {
  const { radius, length, sides, along } = DRUM;
  const points: number[] = [];
  const triangles: number[] = [];
  for (let j = 0; j <= along; j++)
    for (let i = 0; i < sides; i++) {
      const angle = (2 * Math.PI * i) / sides;
      points.push(radius * Math.sin(angle), -length / 2 + (j * length) / along, radius * Math.cos(angle));
    }
  const at = (i: number, j: number): number => sides * j + (i % sides);
  for (let i = 0; i < sides; i++)
    for (let j = 0; j < along; j++) {
      const [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
      triangles.push(a, c, b, a, d, c);
    }
  const [low, high] = [points.length / 3, points.length / 3 + 1];
  points.push(0, -length / 2, 0, 0, length / 2, 0);
  for (let i = 0; i < sides; i++) triangles.push(low, at(i, 0), at(i + 1, 0), high, at(i + 1, along), at(i, along));
  return { points, triangles };
}

export function facetedDrum(): WallBody {
  const { radius, length } = DRUM;
  const { points, triangles } = drumMesh();
  return {
    name: 'drum',
    kind: 0,
    features: meshFeatures(points, triangles, 'drum'),
    pose: AT_REST,
    farthest: Math.hypot(radius, length / 2),
  };
}

/** rad/s: one turn in 4 s */
export const DRUM_SPEED = (2 * Math.PI) / 4;

/** A step of the bed in the drum, which was turned by `angle` then */
export function turnDrum(bed: GrainBed, step: number, angle: number): void {
  bed.move(step);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  bed.placeWall(0, { ...AT_REST, rotation: [c, 0, s, 0, 1, 0, -s, 0, c], angularVelocity: [0, DRUM_SPEED, 0] });
  bed.evaluate(step);
}

export function bedOf(grains: readonly NewGrain[], options: Partial<GrainBedOptions> = {}): GrainBed {
  const bed = new GrainBed({ kinds: [SOFT], lawOf: () => ROUGH, ...options });
  bed.add(grains);
  bed.start();
  return bed;
}

/** Kinetic energy, J, and centre of mass, m; velocities are those of half a step ago */
export function stateOf(bed: GrainBed): { readonly kinetic: number; readonly centre: Vec3; readonly momentum: Vec3 } {
  const x = bed.arrays.floats('grains');
  const v = bed.arrays.floats('motion');
  let [kinetic, mass] = [0, 0];
  const centre: [number, number, number] = [0, 0, 0];
  const momentum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < bed.count; i++) {
    const m = 1 / v[8 * i + 3];
    mass += m;
    for (let k = 0; k < 3; k++) {
      kinetic += 0.5 * m * v[8 * i + k] ** 2 + (0.5 / v[8 * i + 7]) * v[8 * i + 4 + k] ** 2;
      centre[k] += m * x[4 * i + k];
      momentum[k] += m * v[8 * i + k];
    }
  }
  return { kinetic, centre: centre.map((c) => c / mass) as unknown as Vec3, momentum };
}
