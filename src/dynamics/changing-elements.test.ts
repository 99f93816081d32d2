import { describe, expect, test } from 'vitest';
import { Bristle } from '../../tests/fixtures/bristle.js';
import { randomSystem } from '../../tests/fixtures/random-system.js';
import { solveResidual } from '../../tests/fixtures/solve-residual.js';
import { NODE } from '../assembly/system.js';
import { random } from '../math/random.js';
import { momentum } from './analysis.js';
import { PairDerivative } from './elements/pair-element.js';
import { MechanicalSystem } from './mechanical-system.js';

const KEYS = ['wrench', 'byPose', 'byTwist', 'byState', 'ratesByPose', 'ratesByTwist', 'ratesByState'] as const;
const RESERVED = 60;
const plain = randomSystem({
  seed: 4,
  nodes: 6,
  freeBodies: 8,
  kinds: [NODE.revolute, NODE.spherical, NODE.prismatic],
});
const FIRST = plain.initial.length;
const draw = random('states');
const start = new Float64Array(FIRST + RESERVED).map(() => 0.1 * draw.normal());
start.set(plain.initial);

const mechanical = (options = {}): MechanicalSystem =>
  new MechanicalSystem(plain, { reservedStates: RESERVED, sparseFrom: 2, ...options });

/** Bristles between given carriers, −1 for the ground, their states one after the other from a slot on */
const bristles = ({ carriers }: MechanicalSystem, pairs: readonly (readonly [number, number])[], slot = 0): Bristle[] =>
  pairs.map(([a, b], k) => new Bristle(a < 0 ? carriers.ground : a, b, FIRST + 3 * (slot + k), carriers));

/** Lists as contacts make them: none, few, many, other carriers, other places of the states */
const LISTS = [
  [],
  [
    [6, 7],
    [7, 8],
  ],
  [
    [-1, 6],
    [6, 7],
    [7, 8],
    [8, 9],
    [9, 10],
    [10, 11],
    [11, 12],
    [12, 13],
    [13, 2],
    [2, 5],
  ],
  [
    [-1, 9],
    [3, 9],
  ],
  [[1, 4]],
  [
    [8, 7],
    [7, 6],
    [13, 12],
  ],
  [
    [-1, 2],
    [-1, 5],
  ],
] as const;

function solved(mechanics: MechanicalSystem, e: number): Float64Array {
  const { size } = mechanics;
  mechanics.linear.linearise(0.1, start, new Float64Array(size), new Float64Array(size));
  expect(mechanics.linear.factorise(e)).toBe(true);
  const x = Float64Array.from({ length: size }, (_, i) => Math.cos(i));
  mechanics.linear.solve(x);
  return x;
}

describe('elements come and go', () => {
  test('rates and solves are those of a system that never had others, to the bit', () => {
    const mechanics = mechanical();
    for (let turn = 0; turn < 3; turn++)
      LISTS.forEach((pairs, index) => {
        const slot = (index + turn) % 4;
        mechanics.setElements(bristles(mechanics, pairs, slot), start);
        expect(mechanics.pairs.length).toBe(pairs.length);
        const fresh: MechanicalSystem = mechanical({ elements: () => [] });
        fresh.setElements(bristles(fresh, pairs, slot), start);
        const [f, expected] = [new Float64Array(mechanics.size), new Float64Array(mechanics.size)];
        mechanics.rates(0.1, start, f.fill(7));
        fresh.rates(0.1, start, expected);
        expect(f).toEqual(expected);
        expect(solved(mechanics, 0.1)).toEqual(solved(fresh, 0.1));
        // Differences of f leave 1e-9
        expect(solveResidual(mechanics, 0.1, start, 0.1, 3)).toBeLessThan(1e-7);
      });
  });

  test('states that no element has: rate 0, and what is on the right side stays', () => {
    const mechanics = mechanical();
    mechanics.setElements(bristles(mechanics, [[6, 7]], 2), start);
    const f = new Float64Array(mechanics.size).fill(7);
    mechanics.rates(0.1, start, f);
    const x = solved(mechanics, 0.1);
    for (let k = 0; k < RESERVED; k++) {
      const owned = k >= 6 && k < 9;
      expect(f[FIRST + k] === 0).toBe(!owned);
      expect(x[FIRST + k] === Math.cos(FIRST + k)).toBe(!owned);
    }
  });

  test('nothing is allocated once the sizes have been seen', () => {
    const mechanics = mechanical();
    const lists = LISTS.map((pairs) => bristles(mechanics, pairs));
    const f = new Float64Array(mechanics.size);
    const round = () => {
      for (const list of lists) {
        mechanics.setElements(list, start);
        mechanics.matrix.linearise(0.1, start);
        mechanics.linear.factorise(0.1);
      }
    };
    mechanics.linear.linearise(0.1, start, f, new Float64Array(mechanics.size));
    // A bristle makes arrays when it is differentiated: once, then it gives copies
    for (const element of lists.flat()) {
      const saved = new PairDerivative(element.states);
      element.differentiate(0.1, start, saved);
      element.differentiate = (_t, _y, out) => {
        for (const key of KEYS) out[key].set(saved[key]);
      };
    }
    for (let k = 0; k < 5; k++) round();
    const before = process.memoryUsage().arrayBuffers;
    for (let k = 0; k < 200; k++) round();
    // One term alone has 7 kB: making them anew would take 30 MB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000);
    mechanics.setElements(lists[2], start);
    mechanics.matrix.linearise(0.1, start);
    expect(mechanics.matrix.islands.kinds).toContain('sparse');
  });

  test('time dependence follows the elements', () => {
    const mechanics = mechanical();
    expect(mechanics.timeDependent).toBe(false);
    const [element] = bristles(mechanics, [[6, 7]]);
    element.timeDependent = true;
    mechanics.setElements([element], start);
    expect(mechanics.timeDependent).toBe(true);
    mechanics.setElements([], start);
    expect(mechanics.timeDependent).toBe(false);
  });

  test('more states are reserved', () => {
    const mechanics = mechanical({ reservedStates: 3 });
    const one = bristles(mechanics, [[6, 7]]);
    mechanics.setElements(one, start.subarray(0, FIRST + 3));
    mechanics.rates(0.1, start.slice(0, FIRST + 3), new Float64Array(FIRST + 3));
    mechanics.reserveStates(2);
    expect(mechanics.size).toBe(FIRST + 3);
    mechanics.reserveStates(RESERVED);
    expect(mechanics.size).toBe(FIRST + RESERVED);
    mechanics.setElements(bristles(mechanics, LISTS[2]), start);
    expect(solveResidual(mechanics, 0.1, start, 0.1, 3)).toBeLessThan(1e-7);
    const none = new Float64Array(mechanics.size);
    expect(mechanics.errorNorm(none, start, start)).toBe(0);
  });
});

describe('elements that say nothing', () => {
  test('an open one ties nothing, its states fade; the islands follow', () => {
    const mechanics = mechanical();
    const elements = bristles(mechanics, [
      [6, 7],
      [7, 8],
      [8, 9],
      [9, 10],
      [10, 11],
    ]);
    mechanics.setElements(elements, start);
    const { islands } = mechanics.matrix;
    const kinds = () => {
      expect(solveResidual(mechanics, 0.1, start, 0.1, 3)).toBeLessThan(1e-7);
      return islands.kinds.slice(0, islands.count).filter((_, i) => mechanismsOf(i)[0] >= trees);
    };
    const mechanismsOf = (i: number) => [...islands.members.subarray(islands.start[i], islands.start[i + 1])];
    solved(mechanics, 0.1);
    const trees = Math.max(...Array.from({ length: islands.count }, (_, i) => mechanismsOf(i)).flat()) - 7;
    expect(kinds()).toEqual(['sparse', 'body', 'body']);
    elements[1].open = true;
    expect(kinds()).toEqual(['sparse', 'sparse', 'body', 'body']);
    for (const element of elements) element.open = true;
    expect(kinds()).toEqual(Array.from({ length: 8 }, () => 'body'));
    elements[0].open = elements[4].open = false;
    expect(kinds()).toEqual(['sparse', 'body', 'body', 'sparse', 'body', 'body']);
  });

  test('`idle` is believed: the derivatives are not looked at', () => {
    const mechanics = mechanical();
    const [element] = bristles(mechanics, [[6, 7]]);
    mechanics.setElements([Object.assign(element, { idle: true })], start);
    solved(mechanics, 0.1);
    expect(mechanics.matrix.islands.kinds).not.toContain('sparse');
  });

  test('a tree keeps its sweep while nothing that moves touches it', () => {
    const system = randomSystem({ seed: 2, nodes: 20, shape: 'chain', kinds: [NODE.revolute], freeBodies: 1 });
    const mechanics = new MechanicalSystem(system, {
      elements: (carriers) => [20, carriers.ground].map((a) => new Bristle(a, 7, system.initial.length, carriers)),
      reservedStates: 3,
    });
    const y = new Float64Array(mechanics.size);
    y.set(system.initial);
    const [body, ground] = mechanics.pairs as readonly Bristle[];
    const kinds = [];
    for (const [bodyOpen, groundOpen] of [
      [true, true],
      [true, false],
      [false, true],
    ]) {
      body.open = bodyOpen;
      ground.open = groundOpen;
      mechanics.setElements(bodyOpen ? [ground] : [body], y);
      expect(solveResidual(mechanics, 0.1, y, 0.1, 3)).toBeLessThan(1e-7);
      kinds.push(mechanics.matrix.islands.kinds.slice(0, mechanics.matrix.islands.count));
    }
    expect(kinds).toEqual([['sweep', 'body'], ['sweep', 'body'], ['dense']]);
  });
});

test('a body that nothing turns any more keeps the momentum it has then', () => {
  const system = randomSystem({
    seed: 6,
    nodes: 0,
    freeBodies: 1,
    gravity: { kind: 'uniform', acceleration: [0, 0, 0] },
  });
  const mechanics = new MechanicalSystem(system, { reservedStates: 3 });
  const y = new Float64Array(mechanics.size);
  y.set(system.initial);
  const spin = mechanics.nq + 3;
  const angular = (): readonly number[] => momentum(mechanics, 0, y).angular;
  mechanics.rememberRotation(y);
  const before = angular();
  const perturb = (factor: number): void => {
    for (let j = 0; j < 3; j++) y[spin + j] *= factor;
    mechanics.restoreInvariants(y);
  };
  perturb(1.001);
  for (let j = 0; j < 3; j++) expect(angular()[j]).toBeCloseTo(before[j], 12);
  // Touched: what turns it is not undone
  const touch = new Bristle(mechanics.carriers.ground, 0, system.initial.length, mechanics.carriers);
  mechanics.setElements([touch], y);
  perturb(1.1);
  const touched = angular();
  expect(Math.abs(touched[0] - before[0])).toBeGreaterThan(1e-3);
  // Free again, and told again while free: the momentum is that of the moment it became free
  mechanics.setElements([], y);
  for (let j = 0; j < 3; j++) y[spin + j] *= 1.001;
  mechanics.setElements([], y);
  mechanics.restoreInvariants(y);
  for (let j = 0; j < 3; j++) expect(angular()[j]).toBeCloseTo(touched[j], 12);
});
