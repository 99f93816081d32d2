/**
 * Seeded random numbers: the same seed gives the same numbers in every engine.
 *
 * The generator is xoroshiro128+ of pure-rand; the distributions are ours, built on our elementary functions.
 * A seed is a number or a text. `fork` gives a stream that depends on the seed and the names alone, not on how many
 * numbers were drawn before, so that a model may grow without changing the numbers of its other parts.
 */
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import { ModelError } from '../errors.js';
import { cos, log, sin } from './elementary.js';
import { Hash } from './hash.js';
import type { Quaternion } from './quaternion.js';
import type { Vec3 } from './vec3.js';

export interface Random {
  /** [0, 1), a multiple of 2^-53. */
  uniform(): number;
  /** [a, b) for a < b, up to the rounding of a + (b − a) u. */
  uniformBetween(a: number, b: number): number;
  /** 0 … n − 1 with equal chance, n ≤ 2^53. */
  integer(n: number): number;
  /** Mean 0, standard deviation 1. */
  normal(): number;
  /** Directions with equal chance. */
  unitVector(): Vec3;
  /** Points of the unit ball with equal chance. */
  inSphere(): Vec3;
  /** Orientations with equal chance. */
  rotation(): Quaternion;
  /** The items in random order, as a new array. */
  shuffle<T>(items: readonly T[]): T[];
  /** An independent stream. */
  fork(name: string | number): Random;
}

/**
 * @example const draw = random(7);
 *          const radii = Array.from({ length: 100 }, () => draw.uniformBetween(1e-3, 2e-3)); // m
 */
export function random(seed: number | string): Random {
  if (typeof seed === 'number' && !Number.isFinite(seed))
    throw new ModelError('random.seed', `expected a finite number or a text, got ${seed}`);
  return stream(typeof seed === 'number' ? `number ${seed === 0 ? 0 : seed}` : `text ${seed}`);
}

function stream(key: string): Random {
  const [a, b] = new Hash().text(key).lanes();
  const [c, d] = new Hash().text(key).text('second half').lanes();
  const generator = xoroshiro128plusFromState([a | 0, b | 0, c | 0, d | 1]); // never all zero

  /** 0 … 2^53 − 1. The low bits of xoroshiro128+ are its weakest; they are left out. */
  const bits53 = (): number => (generator.next() >>> 5) * 67108864 + (generator.next() >>> 6);
  const uniform = (): number => bits53() / 9007199254740992;
  const uniformBetween = (from: number, to: number): number => from + (to - from) * uniform();

  const integer = (n: number): number => {
    if (!(n >= 1 && n <= 9007199254740992 && Math.floor(n) === n))
      throw new ModelError('random.integer', `expected a whole number of values from 1 to 2^53, got ${n}`);
    // 2^53 values in n equal boxes; the few left over are drawn again
    const box = Math.floor(9007199254740992 / n);
    for (;;) {
      const value = Math.floor(bits53() / box);
      if (value < n) return value;
    }
  };

  /** Polar method: a point of the unit disc, s = |p|²; p √(−2 log s / s) are two normal numbers (Marsaglia & Bray 1964). */
  const normal = (): number => {
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const s = x * x + y * y;
      if (s < 1 && s > 0) return x * Math.sqrt((-2 * log(s)) / s);
    }
  };

  const inSphere = (): Vec3 => {
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const z = 2 * uniform() - 1;
      if (x * x + y * y + z * z <= 1) return [x, y, z];
    }
  };

  /** Height and longitude: zones of equal height of a sphere have equal area (Archimedes). */
  const unitVector = (): Vec3 => {
    const z = 2 * uniform() - 1;
    const longitude = 2 * Math.PI * uniform();
    const radius = Math.sqrt(1 - z * z);
    return [radius * cos(longitude), radius * sin(longitude), z];
  };

  /** Shoemake, "Uniform random rotations", Graphics Gems III (1992). */
  const rotation = (): Quaternion => {
    const u = uniform();
    const first = 2 * Math.PI * uniform();
    const second = 2 * Math.PI * uniform();
    const a = Math.sqrt(1 - u);
    const b = Math.sqrt(u);
    return [b * cos(second), a * sin(first), a * cos(first), b * sin(second)];
  };

  /** Fisher & Yates. */
  const shuffle = <T>(items: readonly T[]): T[] => {
    const result = [...items];
    for (let i = result.length - 1; i > 0; i--) {
      const j = integer(i + 1);
      [result[i], result[j]] = [result[j], result[i]];
    }
    return result;
  };

  const fork = (name: string | number): Random => stream(`${key.length} ${key} / ${typeof name} ${name}`);
  return { uniform, uniformBetween, integer, normal, unitVector, inSphere, rotation, shuffle, fork };
}
