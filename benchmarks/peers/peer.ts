/**
 * What the contact benchmarks ask of another simulator. Each adapter beside this file sets it up at its usual best for small scenes:
 * single thread, a fixed step, no sleeping (a frozen stack would measure nothing), no damping, no limit on speeds.
 *
 * The packages live in this folder alone: `npm install --prefix benchmarks/peers`. They bring types, but only once they are installed, so
 * adapters write down the few calls they make.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../package-root.js';

export type Vec3 = readonly [number, number, number];

/** All centred on the body's origin, the cylinder about z; m. A prism stands on its outline (x, z), convex, counter-clockwise with x to the right and z up, its centroid at the origin. */
export type PeerShape =
  | { readonly kind: 'box'; readonly size: Vec3 }
  | { readonly kind: 'sphere'; readonly radius: number }
  | { readonly kind: 'cylinder'; readonly radius: number; readonly height: number }
  | { readonly kind: 'prism'; readonly outline: readonly (readonly [number, number])[]; readonly width: number };

/** Corners of a prism: those at −width/2 in the order of the outline, then those at width/2 */
export function prismCorners({ outline, width }: Extract<PeerShape, { kind: 'prism' }>): Vec3[] {
  return [-width / 2, width / 2].flatMap((y) => outline.map(([x, z]): Vec3 => [x, y, z]));
}

export interface PeerBody {
  readonly shape: PeerShape;
  /** kg */
  readonly mass: number;
  /** About every axis, kg m²; that of the homogeneous solid unless given */
  readonly inertia?: number;
  /** m, m/s, rad/s; axes parallel to the world's at the start */
  readonly position: Vec3;
  readonly velocity?: Vec3;
  readonly angularVelocity?: Vec3;
  /** It does not move. */
  readonly fixed?: boolean;
  /** Beside gravity, at the centre of mass, N; held over a step by those who step by equal steps */
  readonly force?: (t: number) => Vec3;
}

/** Of all that touches in one world; step in s because some turn a restitution into a stiffness by it */
export interface PeerOptions {
  /** m/s² */
  readonly gravity: Vec3;
  readonly friction: number;
  readonly restitution: number;
  readonly step: number;
}

export interface PeerWorld {
  /** Everything below z = 0, at rest */
  addFloor(): void;
  /** Returns its number, from 0 up in the order of the calls. All bodies come before the first step. */
  addBody(body: PeerBody): number;
  /** In the next step; N, at the centre of mass */
  push(body: number, force: Vec3): void;
  /** s */
  step(h: number): void;
  /** Position, velocity and angular velocity in world axes: 9 numbers into `out` from `at` on */
  read(body: number, out: Float64Array, at: number): void;
  free(): void;
}

export interface Peer {
  readonly createWorld: (options: PeerOptions) => PeerWorld;
}

export interface PeerPackage {
  /** Column and row name */
  readonly name: string;
  readonly packageName: string;
  load(): Promise<Peer>;
}

export const INSTALL = 'npm install --prefix benchmarks/peers';

const folderOf = (packageName: string): string =>
  join(packageRoot(), 'benchmarks', 'peers', 'node_modules', ...packageName.split('/'));

/** The version that is installed, undefined if none is. */
export function installedVersion(packageName: string): string | undefined {
  const manifest = join(folderOf(packageName), 'package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}

/** A module of an installed package by its file: compiled benchmarks lie elsewhere, where its bare name means nothing. */
export async function loadFile<Module>(packageName: string, file: string): Promise<Module> {
  return (await import(pathToFileURL(join(folderOf(packageName), file)).href)) as Module;
}

export const ZERO: Vec3 = [0, 0, 0];
