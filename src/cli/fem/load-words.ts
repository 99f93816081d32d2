/** What holds, moves and loads a part, as typed: `--fix`, `--move`, `--load`, `--gravity`, `--spin`. */
import { ModelError } from '../../errors.js';
import type { ElasticPart } from '../../flexible-bodies/fem/elastic-part.js';
import { addInertia, type Spin, spinField, weightField } from '../../flexible-bodies/fem/loads.js';
import { requireFree } from '../../flexible-bodies/fem/supports.js';
import * as format from '../text/format.js';
import type { Places } from './places.js';

export interface LoadOptions {
  readonly fix: readonly string[];
  readonly move?: readonly string[];
  readonly load: readonly string[];
  readonly gravity?: string;
  readonly spin?: string;
}

export interface Holds {
  /** As typed, those of `--fix` first */
  readonly names: readonly string[];
  /** Per unknown: the first hold that has it, −1 where it is free */
  readonly holdOf: Int32Array;
  /** 0 where an unknown is held */
  readonly free: Uint8Array;
  /** Of held unknowns, m; left out where nothing is moved */
  readonly moved?: Float64Array;
}

export interface NamedLoad {
  readonly name: string;
  /** d per node, N */
  readonly force: Float64Array;
}

/**
 * Places that are held, and those that are moved by known amounts. One direction of a place, as a guide or a plane of symmetry holds it: `left:x`.
 *
 * @throws ModelError where a node is to be at two places
 */
export function readHolds(places: Places, { fix, move = [] }: LoadOptions): Holds {
  const { dimension: d, size } = places;
  const holdOf = new Int32Array(size).fill(-1);
  const moved = new Float64Array(size);
  const names: string[] = [];
  const hold = (
    text: string,
    place: string,
    option: string,
    values: (directions: string) => readonly number[],
  ): void => {
    const { where, directions } = directionsOf(places, place, option);
    const by = values(directions);
    for (const node of places.nodes(where, option))
      [...directions].forEach((direction, k) => {
        const i = d * node + 'xyz'.indexOf(direction);
        if (holdOf[i] >= 0 && moved[i] !== by[k])
          throw new ModelError(
            option,
            `"${text}" moves a node along ${direction} by ${by[k]} m that "${names[holdOf[i]]}" ${moved[i] === 0 ? 'holds' : `moves by ${moved[i]} m`}: ` +
              'one of them only can have it; name places that do not meet, or leave that direction to one of them, such as left:y',
          );
        if (holdOf[i] < 0) holdOf[i] = names.length;
        moved[i] = by[k];
      });
    names.push(text);
  };
  for (const text of fix) hold(text, text, '--fix', (directions) => [...directions].map(() => 0));
  for (const text of move) {
    // a plane such as x=max has the sign in its own name
    const at = text.lastIndexOf('=');
    const parts = text.slice(at + 1).split(',');
    const wrong = (): ModelError =>
      new ModelError(
        '--move',
        `expected <where>=${d === 2 ? 'dx,dy' : 'dx,dy,dz'} such as ${d === 2 ? '"right=0.1mm,0"' : '"x=max=0.1mm,0,0"'}, or some directions of it, ${d === 2 ? '"right:x=0.1mm"' : '"x=max:x=0.1mm"'}, got "${text}"`,
      );
    if (at < 0) throw wrong();
    hold(text, text.slice(0, at), '--move', (directions) => {
      if (parts.length !== directions.length || parts.some((part) => !/\d/.test(part))) throw wrong();
      return parts.map((part) => format.parseLength(part, '--move'));
    });
  }
  const free = Uint8Array.from(holdOf, (k) => (k < 0 ? 1 : 0));
  return { names, holdOf, free, ...(move.length > 0 && { moved }) };
}

function directionsOf(places: Places, text: string, option: string): { where: string; directions: string } {
  const all = 'xyz'.slice(0, places.dimension);
  const at = text.lastIndexOf(':');
  if (at < 0 || places.isName(text)) return { where: text, directions: all };
  const directions = text.slice(at + 1).trim();
  if (directions === '' || [...directions].some((one, k) => !all.includes(one) || directions.indexOf(one) !== k))
    throw new ModelError(
      option,
      `expected one direction behind the colon, such as ${places.dimension === 2 ? '"left:x"' : '"x=min:x"'}, got "${text}"`,
    );
  return { where: text.slice(0, at), directions };
}

const FORCES: Readonly<Record<string, number>> = { N: 1, kN: 1e3, MN: 1e6, mN: 1e-3 };
const PRESSURES: Readonly<Record<string, number>> = {
  Pa: 1,
  kPa: 1e3,
  MPa: 1e6,
  'N/mm²': 1e6,
  'N/mm2': 1e6,
  GPa: 1e9,
  bar: 1e5,
};
const NUMBER = '[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?';

/** A number with a unit of a list; undefined for what is none */
function measure(text: string, units: Readonly<Record<string, number>>, without?: number): number | undefined {
  const found = new RegExp(`^(${NUMBER})\\s*(\\S+)?$`).exec(text.trim());
  const factor = found?.[2] === undefined ? without : Object.hasOwn(units, found[2]) ? units[found[2]] : undefined;
  const value = found && factor !== undefined ? Number(found[1]) * factor : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** `right=0,-1000`: a force in N spread over sides or at a point; `hole 1=5MPa`: a pressure; added to `out` */
export function addNamedLoad(places: Places, text: string, out: Float64Array, option: string): void {
  const { dimension: d } = places;
  // a plane such as x=max has the sign in its own name
  const at = text.lastIndexOf('=');
  const where = text.slice(0, at);
  const parts = text.slice(at + 1).split(',');
  const pressure = measure(parts[0], PRESSURES);
  const force = parts.map((part) => measure(part, FORCES, 1));
  if (at >= 0 && parts.length === 1 && pressure !== undefined) places.addPressure(where, pressure, out, option);
  else if (at >= 0 && parts.length === d && force.every((f) => f !== undefined))
    places.addForce(where, force, out, option);
  else {
    const [axes, force, pressure] =
      d === 2 ? ['fx,fy', 'right=0,-1000', 'right=5MPa'] : ['fx,fy,fz', 'top=0,0,-1000', 'top=5MPa'];
    throw new ModelError(
      option,
      `expected <where>=${axes} in N such as "${force}", or a pressure with its unit such as "${pressure}", got "${text}"`,
    );
  }
}

/** `0,-9.81`: d numbers, m/s² */
function parseGravity(text: string, d: 2 | 3): number[] {
  const parts = text.split(',').map((part) => measure(part, { 'm/s²': 1, 'm/s2': 1 }, 1));
  if (parts.length !== d || !parts.every((part) => part !== undefined))
    throw new ModelError(
      '--gravity',
      `expected ${d === 2 ? 'gx,gy in m/s² such as 0,-9.81' : 'gx,gy,gz in m/s² such as 0,0,-9.81'}, got "${text}"`,
    );
  return parts;
}

/** `3000rpm`, `314rad/s about z at 20mm,0`: of a drawing about z through its origin if not said */
function parseSpin(text: string, d: 2 | 3): Spin {
  const found = /^(.*?)(?:\s+about\s+([xyz]))?(?:\s+at\s+(.+))?$/.exec(text.trim())!;
  const speed = measure(found[1], { 'rad/s': 1, rpm: Math.PI / 30, '1/min': Math.PI / 30, Hz: 2 * Math.PI });
  const at = (found[3] ?? '0,0,0').split(',').map((part) => format.parseLength(part, '--spin'));
  const enough = found[3] === undefined || at.length === d;
  if (speed === undefined || !enough || (d === 3 && found[2] === undefined))
    throw new ModelError(
      '--spin',
      d === 2
        ? `expected a speed with its unit, perhaps with a centre, such as 3000rpm, 314rad/s or "3000rpm at 20mm,0", got "${text}"`
        : `expected a speed with its unit and an axis, perhaps with a point of it, such as "3000rpm about z" or "314rad/s about x at 0,20mm,0", got "${text}"`,
    );
  const axis = 'xyz'.indexOf(found[2] ?? 'z');
  return { speed, at: at.slice(0, d), axis: [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0] };
}

/** Loads one by one. @throws ModelError where one is zero, or acts only where the part is held */
export function readLoads(part: ElasticPart, places: Places, options: LoadOptions, free: Uint8Array): NamedLoad[] {
  const loads: NamedLoad[] = [];
  const add = (name: string, option: string, fill: (out: Float64Array) => void): void => {
    const force = new Float64Array(part.size);
    fill(force);
    requireFree(force, free, option, name);
    loads.push({ name, force });
  };
  for (const text of options.load) add(text, '--load', (out) => addNamedLoad(places, text, out, '--load'));
  for (const { name, option, field } of inertiaFields(part.mesh.points, part.dimension, options))
    add(name, option, (out) => addInertia(part, field, out));
  return loads;
}

/** What acts on every kilogram: accelerations, d per node, m/s² */
export function inertiaFields(
  points: Float64Array,
  d: 2 | 3,
  { gravity, spin }: Pick<LoadOptions, 'gravity' | 'spin'>,
): { readonly name: string; readonly option: string; readonly field: Float64Array }[] {
  return [
    ...(gravity === undefined
      ? []
      : [{ name: `gravity ${gravity}`, option: '--gravity', field: weightField(points, parseGravity(gravity, d)) }]),
    ...(spin === undefined
      ? []
      : [{ name: `spin ${spin}`, option: '--spin', field: spinField(points, d, parseSpin(spin, d)) }]),
  ];
}
