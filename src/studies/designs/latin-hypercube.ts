/**
 * Latin hypercube: n points of the unit cube, of which every parameter's range cut in n equal parts has one in each part.
 * McKay, Beckman & Conover (1979), doi 10.2307/1268522.
 */
import { type Random, random } from '../../math/random.js';

export function latinHypercube(count: number, dimensions: number, seed: number | string): Float64Array[] {
  const draw = random(seed);
  const columns = Array.from({ length: dimensions }, (_, d) => column(count, draw.fork(d)));
  return Array.from({ length: count }, (_, i) => Float64Array.from(columns, (values) => values[i]));
}

/** One place in each of `count` parts, in random order */
const column = (count: number, draw: Random): number[] =>
  draw.shuffle(Array.from({ length: count }, (_, i) => i)).map((part) => (part + draw.uniform()) / count);

/** Independent points */
export function monteCarlo(count: number, dimensions: number, seed: number | string): Float64Array[] {
  const draw = random(seed);
  // a stream for each row: a longer study begins with the rows of the shorter one
  return Array.from({ length: count }, (_, i) => {
    const row = draw.fork(i);
    return Float64Array.from({ length: dimensions }, () => row.uniform());
  });
}
