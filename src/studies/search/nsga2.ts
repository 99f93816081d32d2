/**
 * NSGA-II: several objectives at once. A population is sorted by fronts (what nobody beats in all objectives, then what only those beat, …) and within a
 * front by how lonely a point is; parents by tournament, children by simulated binary crossover and polynomial mutation.
 * Deb, Pratap, Agarwal & Meyarivan (2002), doi 10.1109/4235.996017. Constraints by domination: what breaks them less wins. A failed run is beaten by all.
 */
import { pow } from '../../math/elementary.js';
import { type Random, random } from '../../math/random.js';
import type { Bounds, Search } from './search.js';

export interface Merits {
  /** All to be made small */
  readonly values: readonly number[];
  readonly violation: number;
}

export interface Individual {
  readonly point: readonly number[];
  readonly merits: Merits | undefined;
}

export interface Nsga2Options {
  readonly bounds: Bounds;
  readonly population: number;
  readonly generations: number;
  readonly seed?: number | string;
  readonly crossover?: number;
  /** Distribution indices: the larger, the nearer children are to their parents */
  readonly crossoverIndex?: number;
  readonly mutationIndex?: number;
  /** Among the first population */
  readonly starts?: readonly (readonly number[])[];
  readonly progress?: (front: readonly Individual[], generation: number) => void;
}

/** The points of the last population that no other beats, by the first objective */
export function* nsga2({
  bounds,
  population,
  generations,
  seed = 1,
  crossover = 0.9,
  crossoverIndex = 15,
  mutationIndex = 20,
  starts = [],
  progress,
}: Nsga2Options): Search<Merits, Individual[]> {
  const n = bounds.lower.length;
  const size = population + (population % 2);
  const draw = random(seed);
  const first = Array.from(
    { length: size },
    (_, i) => starts[i]?.slice() ?? bounds.lower.map((low, k) => draw.uniformBetween(low, bounds.upper[k])),
  );
  const told = yield first;
  let people = ranked(first.map((point, i) => ({ point, merits: told[i] })));
  for (let generation = 0; generation < generations; generation++) {
    const children: number[][] = [];
    while (children.length < size) {
      const [a, b] = [tournament(people, draw), tournament(people, draw)];
      for (const child of crossed(a.point, b.point, bounds, { crossover, crossoverIndex }, draw))
        children.push(mutated(child, bounds, 1 / n, mutationIndex, draw));
    }
    children.length = size;
    const values = yield children;
    const all = ranked([...people, ...children.map((point, i) => ({ point, merits: values[i] }))]);
    people = all.slice(0, size);
    progress?.(frontOf(people), generation + 1);
  }
  return frontOf(people);
}

interface Ranked extends Individual {
  readonly front: number;
  readonly room: number;
}

const frontOf = (people: readonly Ranked[]): Individual[] =>
  paretoSet(people.map(({ point, merits }) => ({ point, merits })));

/** Those that no other beats, each place once, by the first objective; none that breaks a constraint if any keeps them */
export function paretoSet(people: readonly Individual[]): Individual[] {
  const valid = people.filter(({ merits }) => merits?.values.every(Number.isFinite));
  return valid
    .filter((one) => !valid.some((other) => other !== one && dominates(other.merits!, one.merits!)))
    .filter((one, i, all) => all.findIndex(({ merits }) => same(merits!, one.merits!)) === i)
    .sort((a, b) => a.merits!.values[0] - b.merits!.values[0]);
}

const same = (a: Merits, b: Merits): boolean => a.values.every((value, i) => value === b.values[i]);

function dominates(a: Merits, b: Merits): boolean {
  if (a.violation !== b.violation) return a.violation < b.violation;
  return a.values.every((value, i) => value <= b.values[i]) && a.values.some((value, i) => value < b.values[i]);
}

/** Fronts one after another, each with the loneliest first */
function ranked(people: readonly Individual[]): Ranked[] {
  const valid = people.filter(
    ({ merits }) => merits?.values.every(Number.isFinite) && Number.isFinite(merits.violation),
  );
  const failed = people.filter((person) => !valid.includes(person));
  const beatenBy = new Int32Array(valid.length);
  const beats: number[][] = valid.map(() => []);
  for (let i = 0; i < valid.length; i++)
    for (let j = 0; j < i; j++) {
      if (dominates(valid[i].merits!, valid[j].merits!)) {
        beats[i].push(j);
        beatenBy[j]++;
      } else if (dominates(valid[j].merits!, valid[i].merits!)) {
        beats[j].push(i);
        beatenBy[i]++;
      }
    }
  const result: Ranked[] = [];
  let current = valid.flatMap((_, i) => (beatenBy[i] === 0 ? [i] : []));
  let front = 0;
  for (; current.length > 0; front++) {
    const room = roomOf(current.map((i) => valid[i].merits!.values));
    result.push(
      ...current
        .map((i, at) => ({ ...valid[i], front, room: room[at] }))
        .sort((a, b) => (a.room === b.room ? 0 : b.room - a.room)),
    );
    const next: number[] = [];
    for (const i of current) for (const j of beats[i]) if (--beatenBy[j] === 0) next.push(j);
    current = next.sort((a, b) => a - b);
  }
  return [...result, ...failed.map((person) => ({ ...person, front, room: 0 }))];
}

/** Crowding distance: how far the neighbours are, summed over the objectives; ∞ at the ends */
function roomOf(values: readonly (readonly number[])[]): number[] {
  const room = values.map(() => 0);
  for (let k = 0; k < (values[0]?.length ?? 0); k++) {
    const order = values.map((_, i) => i).sort((a, b) => values[a][k] - values[b][k] || a - b);
    const width = values[order[order.length - 1]][k] - values[order[0]][k];
    room[order[0]] = room[order[order.length - 1]] = Infinity;
    if (width > 0)
      for (let i = 1; i < order.length - 1; i++)
        room[order[i]] += (values[order[i + 1]][k] - values[order[i - 1]][k]) / width;
  }
  return room;
}

function tournament(people: readonly Ranked[], draw: Random): Ranked {
  const [a, b] = [people[draw.integer(people.length)], people[draw.integer(people.length)]];
  if (a.front !== b.front) return a.front < b.front ? a : b;
  return a.room >= b.room ? a : b;
}

/** Simulated binary crossover within bounds: Deb & Agrawal (1995) */
function crossed(
  a: readonly number[],
  b: readonly number[],
  { lower, upper }: Bounds,
  { crossover, crossoverIndex: eta }: { crossover: number; crossoverIndex: number },
  draw: Random,
): [number[], number[]] {
  const children: [number[], number[]] = [[...a], [...b]];
  if (draw.uniform() > crossover) return children;
  for (let k = 0; k < a.length; k++) {
    const [low, high] = [Math.min(a[k], b[k]), Math.max(a[k], b[k])];
    if (draw.uniform() > 0.5 || !(high - low > 1e-14 * (upper[k] - lower[k]))) continue;
    const u = draw.uniform();
    const spread = (beta: number): number => {
      const alpha = 2 - pow(beta, -(eta + 1));
      return u <= 1 / alpha ? pow(u * alpha, 1 / (eta + 1)) : pow(1 / (2 - u * alpha), 1 / (eta + 1));
    };
    const down = 0.5 * (low + high - spread(1 + (2 * (low - lower[k])) / (high - low)) * (high - low));
    const up = 0.5 * (low + high + spread(1 + (2 * (upper[k] - high)) / (high - low)) * (high - low));
    const swapped = draw.uniform() < 0.5;
    children[swapped ? 1 : 0][k] = Math.min(upper[k], Math.max(lower[k], down));
    children[swapped ? 0 : 1][k] = Math.min(upper[k], Math.max(lower[k], up));
  }
  return children;
}

/** Polynomial mutation within bounds */
function mutated(
  point: readonly number[],
  { lower, upper }: Bounds,
  chance: number,
  eta: number,
  draw: Random,
): number[] {
  return point.map((x, k) => {
    if (draw.uniform() > chance) return x;
    const width = upper[k] - lower[k];
    const u = draw.uniform();
    const room = u < 0.5 ? (x - lower[k]) / width : (upper[k] - x) / width;
    const rest = pow(Math.max(0, 1 - room), eta + 1);
    const step =
      u < 0.5
        ? pow(2 * u + (1 - 2 * u) * rest, 1 / (eta + 1)) - 1
        : 1 - pow(2 * (1 - u) + (2 * u - 1) * rest, 1 / (eta + 1));
    return Math.min(upper[k], Math.max(lower[k], x + step * width));
  });
}
