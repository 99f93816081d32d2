/** Radii of a species, drawn one after the other from a seeded stream. */
import type { Random } from '../math/random.js';
import type { GrainRadius, Species } from '../model/grains.js';

/** A species whose size is known, by the user or from its shape */
export type SizedSpecies = Species & { readonly radius: GrainRadius };

export interface Sizes {
  /** m */
  readonly least: number;
  readonly greatest: number;
  /** Mean of r³, m³, for the number that fills a volume */
  readonly meanCube: number;
  draw(): number;
}

export function sizesOf(radius: GrainRadius, stream: Random): Sizes {
  if (typeof radius === 'number')
    return { least: radius, greatest: radius, meanCube: radius * radius * radius, draw: () => radius };
  if ('uniform' in radius) {
    const [a, b] = radius.uniform;
    return {
      least: a,
      greatest: b,
      meanCube: ((a + b) * (a * a + b * b)) / 4,
      draw: () => (a < b ? stream.uniformBetween(a, b) : a),
    };
  }
  if ('normal' in radius) {
    const { mean, deviation } = radius.normal;
    const draw = (): number => {
      for (;;) {
        const z = stream.normal();
        if (Math.abs(z) <= 3) return mean + deviation * z;
      }
    };
    return {
      least: mean - 3 * deviation,
      greatest: mean + 3 * deviation,
      meanCube: mean * mean * mean + 3 * mean * deviation * deviation,
      draw,
    };
  }
  if ('list' in radius) {
    const { list } = radius;
    return {
      least: Math.min(...list),
      greatest: Math.max(...list),
      meanCube: list.reduce((sum, r) => sum + r * r * r, 0) / list.length,
      draw: () => list[stream.integer(list.length)],
    };
  }
  return sieved(radius.sieve, stream);
}

/**
 * Mass passes linearly between openings, so within a class the number density is ∝ 1/d³: the number of class k is ∝ Δp/∫d³ = …, and a diameter of the
 * class has the distribution function (a⁻² − d⁻²)/(a⁻² − b⁻²).
 */
function sieved(curve: readonly (readonly [number, number])[], stream: Random): Sizes {
  const numbers: number[] = [];
  let total = 0;
  let mass = 0;
  for (let k = 1; k < curve.length; k++) {
    const [[a, p], [b, q]] = [curve[k - 1], curve[k]];
    // Numbers per mass: mean of 1/d³ over the class, (a⁻² − b⁻²)/(2 (b − a))
    total += ((q - p) * (1 / (a * a) - 1 / (b * b))) / (2 * (b - a));
    mass += q - p;
    numbers.push(total);
  }
  const draw = (): number => {
    const u = stream.uniform() * total;
    let k = 0;
    while (k < numbers.length - 1 && u >= numbers[k]) k++;
    const [a, b] = [curve[k][0], curve[k + 1][0]];
    const [ia, ib] = [1 / (a * a), 1 / (b * b)];
    return 0.5 / Math.sqrt(ia - (ia - ib) * stream.uniform());
  };
  return {
    least: curve[0][0] / 2,
    greatest: curve[curve.length - 1][0] / 2,
    meanCube: mass / total / 8,
    draw,
  };
}
