/** What acts on a part in `tippetop fem`: its loads, and what its holds bear, as a table that must come to nothing. */
import { ModelError } from '../../errors.js';
import type { ElasticPart } from '../../flexible-bodies/fem/elastic-part.js';
import { balance, type Resultant, resultant, type Statics, solveStatics } from '../../flexible-bodies/fem/statics.js';
import type { SparseLdl } from '../../math/sparse/sparse-ldl.js';
import * as format from '../text/format.js';
import { type LoadOptions, readHolds, readLoads } from './load-words.js';
import type { Places } from './places.js';

/** A load or a hold by its name, its forces in N, moments about the origin in N m */
interface Acting extends Resultant {
  readonly name: string;
}

export interface Bearing {
  readonly statics: Statics;
  readonly loads: readonly Acting[];
  readonly reactions: readonly Acting[];
  /** What is left of all of them together, as part of what acts: rounding of the solution */
  readonly balance: { readonly force: number; readonly moment: number; readonly acting: number };
}

/** Beyond this part of what acts the solution is more than rounded */
const UNBALANCED = 1e-6;

/** Statics of a part under its options; only what is held where nothing acts. @throws ModelError if what acts is on a part that is not held */
export function bear(
  part: ElasticPart,
  places: Places,
  options: LoadOptions,
  file: string,
): {
  readonly free: Uint8Array;
  readonly isHeld: boolean;
  /** Of K, where statics needed them: those of the modes of a part that is held, too */
  readonly ldl?: SparseLdl;
  readonly bearing?: Bearing;
} {
  const { names, holdOf, free, moved } = readHolds(places, options);
  const isHeld = names.length > 0;
  const loads = readLoads(part, places, options, free);
  if (loads.length === 0 && !moved) return { free, isHeld };
  if (!isHeld)
    throw new ModelError(
      options.load.length > 0 ? '--load' : options.gravity === undefined ? '--spin' : '--gravity',
      'the part is not held; say where it is with --fix',
    );
  const force = new Float64Array(part.size);
  for (const one of loads)
    one.force.forEach((f, i) => {
      force[i] += f;
    });
  const ldl = part.factor(free, 0, file);
  const statics = solveStatics(part, free, force, { ...(moved && { moved }), ldl });
  if (!Number.isFinite(statics.strainEnergy))
    throw new ModelError(
      file,
      'its displacements are beyond all numbers; check the units of forces, thickness and size',
    );
  return {
    free,
    isHeld,
    ldl,
    bearing: {
      statics,
      loads: loads.map((one) => ({ name: one.name, ...resultant(part, one.force) })),
      reactions: names.map((name, k) => ({
        name,
        ...resultant(part, statics.reactions, undefined, (i) => holdOf[i] === k),
      })),
      balance: balance(part, force, statics.reactions),
    },
  };
}

/** As JSON has it: without the fields */
export const bearingJson = ({ loads, reactions, balance: left }: Bearing): Record<string, unknown> => ({
  force: sum(loads),
  loads,
  reactions,
  balance: left,
});

const sum = (acting: readonly Acting[]): number[] =>
  acting.reduce<number[]>((all, { force }) => force.map((f, k) => (all[k] ?? 0) + f), []);

/** Lines of the table: what acts, one by one, and what is left */
export function bearingLines({ loads, reactions, balance: left }: Bearing): string[] {
  const all = [...loads, ...reactions];
  const vector = (values: readonly number[]): string =>
    // rounding beside the rest is nothing
    `(${values.map((f) => format.number(Math.abs(f) < 1e-9 * left.acting ? 0 : f, 6)).join(', ')}) N`;
  const wide = all.reduce((most, { name }) => Math.max(most, name.length), 0);
  const line = ({ name, force }: Acting): string => `    ${name.padEnd(wide)}  ${vector(force)}`;
  const both = sum(all);
  return [
    ...(loads.length > 0 ? ['  loads', ...loads.map(line)] : []),
    '  reactions',
    ...reactions.map(line),
    `  balance       loads and reactions together ${vector(both)}; left of forces ${small(left.force)}, of moments ${small(left.moment)} of what acts` +
      (Math.max(left.force, left.moment) > UNBALANCED
        ? ': NOT BALANCED, the mesh is too distorted or its parts too unlike in size for the figures to be trusted'
        : ''),
  ];
}

const small = (value: number): string => (value === 0 ? '0' : value.toExponential(0).replace('e-', 'e−'));
