/**
 * Friction and restitution belong to pairs of materials, not to one. Measured ones by name, in either order; where a pair is not
 * here, the materials' own values are combined and the answer says that it is such a guess.
 *
 * Static and kinetic friction of clean dry surfaces, from
 *   M   Avallone & Baumeister, Marks' Standard Handbook for Mechanical Engineers, coefficients of static and sliding friction
 *   O   OpenStax, College Physics, table 5.1;  S  Serway & Jewett, Physics for Scientists and Engineers, table 5.1
 *   B   Bowden & Tabor, The Friction and Lubrication of Solids (1950, 1964)
 *   R   Rabbat & Russell, J. Struct. Eng. 111, 505 (1985)      P  Potyondy, Géotechnique 11, 339 (1961), smooth steel
 *   Y   Byerlee, Pure Appl. Geophys. 116, 615 (1978)           Q  Rowe, Proc. R. Soc. A 269, 500 (1962), φ_µ of quartz
 *   F   Foerster et al., Phys. Fluids 6, 1108 (1994): impact of glass beads
 *   K   Kharaz, Gorham & Salman, Powder Technol. 120, 281 (2001): Al₂O₃ spheres on thick glass
 *   A   Alciatore, The Illustrated Principles of Pool and Billiards (2004) and its technical proofs
 *   W   watchmaking practice, ruby pallets, oiled
 * Where a source has one coefficient only, it stands for both.
 */
import { ModelError } from '../errors.js';
import type { Material } from './material.js';

export interface PairValues {
  readonly staticFriction: number;
  readonly kineticFriction: number;
  /** 0 … 1; where it is not given, the materials' own are combined */
  readonly restitution?: number;
  /** Torque while rolling = rollingFriction × effective radius × normal force; 0 unless given */
  readonly rollingFriction?: number;
}

/** Names, static, kinetic friction, source; restitution where one was measured. */
const TABLE: readonly (readonly [string, string, number, number, string, number?])[] = [
  ['steel', 'steel', 0.74, 0.57, 'M'],
  ['steel', 'aluminium', 0.61, 0.47, 'M'],
  ['steel', 'copper', 0.53, 0.36, 'M'],
  ['steel', 'brass', 0.51, 0.44, 'M'],
  ['steel', 'cast iron', 0.4, 0.23, 'M'],
  ['steel', 'lead', 0.95, 0.95, 'M'],
  ['steel', 'ptfe', 0.04, 0.04, 'M'],
  ['steel', 'nylon', 0.4, 0.4, 'M'],
  ['steel', 'polyethylene', 0.2, 0.2, 'B'],
  ['steel', 'acrylic', 0.45, 0.45, 'B'],
  ['steel', 'tungsten carbide', 0.5, 0.5, 'B'],
  ['steel', 'oak', 0.5, 0.3, 'O'],
  ['steel', 'pine', 0.5, 0.3, 'O'],
  ['steel', 'concrete', 0.57, 0.57, 'R'],
  ['steel', 'sand', 0.45, 0.45, 'P'],
  ['steel', 'ice', 0.4, 0.02, 'O'],
  ['steel', 'ruby', 0.15, 0.12, 'W'],
  ['cast iron', 'cast iron', 1.1, 0.15, 'M'],
  ['cast iron', 'copper', 1.05, 0.29, 'M'],
  ['cast iron', 'bronze', 0.22, 0.22, 'M'],
  ['cast iron', 'oak', 0.49, 0.49, 'M'],
  ['cast iron', 'leather', 0.6, 0.56, 'M'],
  ['tungsten carbide', 'tungsten carbide', 0.22, 0.22, 'B'],
  ['glass', 'glass', 0.94, 0.4, 'M, restitution F', 0.97],
  ['glass', 'copper', 0.68, 0.53, 'M'],
  ['glass', 'aluminium', 0.125, 0.125, 'F', 0.83],
  ['glass', 'alumina', 0.092, 0.092, 'K', 0.98],
  ['ptfe', 'ptfe', 0.04, 0.04, 'M'],
  ['nylon', 'nylon', 0.25, 0.2, 'B'],
  ['acrylic', 'acrylic', 0.8, 0.8, 'B'],
  ['phenolic', 'phenolic', 0.06, 0.06, 'A', 0.95],
  ['oak', 'oak', 0.62, 0.48, 'M, along the grain'],
  ['oak', 'leather', 0.61, 0.52, 'M'],
  ['pine', 'pine', 0.5, 0.3, 'O'],
  ['rubber', 'concrete', 1, 0.8, 'S'],
  ['rubber', 'asphalt', 0.9, 0.7, 'M'],
  ['ice', 'ice', 0.1, 0.03, 'S'],
  ['granite', 'granite', 0.6, 0.6, 'Y, low pressure'],
  ['sand', 'sand', 0.5, 0.5, 'Q'],
];

const key = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`);

const known = new Map(
  TABLE.map(([a, b, staticFriction, kineticFriction, source, restitution]) => [
    key(a, b),
    { staticFriction, kineticFriction, source, restitution },
  ]),
);

/** How many pairs are known. */
export const knownPairCount = known.size;

export type Guessed = 'friction' | 'restitution';

export interface PairProperties {
  readonly staticFriction: number;
  readonly kineticFriction: number;
  readonly restitution: number;
  readonly rollingFriction: number;
  /** What is combined from the two materials, or assumed, instead of known for the pair. */
  readonly guessed: readonly Guessed[];
  /** Of these, what not even both materials say: 0.3 and 0.5 were taken. */
  readonly unknown: readonly Guessed[];
  /** In words, for reports: where the numbers come from. */
  readonly origin: string;
}

/** Taken where a material says nothing. */
const ASSUMED_FRICTION = 0.3;
const ASSUMED_RESTITUTION = 0.5;

/**
 * Friction and restitution of two materials: what the user wrote for the pair, else what the table knows, else the harmonic mean of
 * the materials' own values (Buse et al. 2023), else 0.3 and 0.5. The order of the two does not matter.
 *
 * @param given overrides for this pair, any of its values
 * @throws ModelError for values that no pair has
 * @example pairProperties(steel, ice).kineticFriction // 0.02
 */
export function pairProperties(
  a: Material,
  b: Material,
  given: Partial<PairValues> = {},
  path = 'pair',
): PairProperties {
  checkGiven(given, path);
  const names = `${a.name ?? 'a material without a name'} on ${b.name ?? 'a material without a name'}`;
  const entry = a.name !== undefined && b.name !== undefined ? known.get(key(a.name, b.name)) : undefined;
  const guessed: Guessed[] = [];
  const origin: string[] = [];

  // friction; one of the two coefficients alone stands for both
  let staticFriction = given.staticFriction ?? given.kineticFriction;
  let kineticFriction = given.kineticFriction ?? given.staticFriction;
  if (staticFriction !== undefined && kineticFriction !== undefined) origin.push('friction as given');
  else if (entry) {
    ({ staticFriction, kineticFriction } = entry);
    origin.push(`friction of ${names} (${entry.source})`);
  } else {
    staticFriction = kineticFriction = mean(a.friction ?? ASSUMED_FRICTION, b.friction ?? ASSUMED_FRICTION);
    guessed.push('friction');
    origin.push(`friction guessed for ${names}: ${combined(a.friction, b.friction, ASSUMED_FRICTION)}`);
  }

  // restitution
  let restitution = given.restitution;
  if (restitution !== undefined) origin.push('restitution as given');
  else if (entry?.restitution !== undefined) {
    restitution = entry.restitution;
    origin.push(`restitution of ${names} (${entry.source})`);
  } else {
    restitution = mean(a.restitution ?? ASSUMED_RESTITUTION, b.restitution ?? ASSUMED_RESTITUTION);
    guessed.push('restitution');
    origin.push(`restitution guessed for ${names}: ${combined(a.restitution, b.restitution, ASSUMED_RESTITUTION)}`);
  }
  return {
    staticFriction,
    kineticFriction,
    restitution,
    rollingFriction: given.rollingFriction ?? 0,
    guessed,
    unknown: guessed.filter((what) => a[what] === undefined || b[what] === undefined),
    origin: origin.join('; '),
  };
}

/** Harmonic, 0 for two zeros. */
function mean(a: number, b: number): number {
  return a + b > 0 ? (2 * a * b) / (a + b) : 0;
}

function combined(a: number | undefined, b: number | undefined, assumed: number): string {
  const shown = (value: number | undefined) => (value === undefined ? `${assumed} (assumed)` : String(value));
  return `harmonic mean of ${shown(a)} and ${shown(b)}; give the pair's own to be sure`;
}

function checkGiven(given: Partial<PairValues>, path: string): void {
  for (const name of ['staticFriction', 'kineticFriction', 'rollingFriction'] as const) {
    const value = given[name];
    if (value !== undefined && !(value >= 0 && value < Number.POSITIVE_INFINITY))
      throw new ModelError(`${path}.${name}`, `expected a coefficient ≥ 0, got ${value}`);
  }
  const { restitution, staticFriction, kineticFriction } = given;
  if (restitution !== undefined && !(restitution >= 0 && restitution <= 1))
    throw new ModelError(
      `${path}.restitution`,
      `expected a coefficient of restitution from 0 to 1, got ${restitution}`,
    );
  if (staticFriction !== undefined && kineticFriction !== undefined && !(kineticFriction <= staticFriction))
    throw new ModelError(
      `${path}.kineticFriction`,
      `expected at most the static friction ${staticFriction}, got ${kineticFriction}; the two may have been swapped`,
    );
}
