// Overlap of outlines of lines and arcs against an independent sum over pairs of edges (tests/fixtures/arc-outlines.ts): random pairs, and
// families in which edges coincide, touch, or nearly do.
import { describe, expect, test } from 'vitest';
import { random } from '../../src/math/random.js';
import {
  ArcPair,
  bar,
  barLoop,
  circle,
  circleLoop,
  FIGURES,
  type Figure,
  minSumArea,
  type PlanePose,
  placedAt,
  rectangle,
  reversed,
  roundedBox,
} from '../fixtures/arc-outlines.js';

const NAMES = Object.keys(FIGURES);
const pairs = new Map<string, ArcPair>();
function pairOf(i: string, j: string): ArcPair {
  const key = `${i} ${j}`;
  let pair = pairs.get(key);
  if (!pair) {
    pair = new ArcPair(FIGURES[i], FIGURES[j]);
    pairs.set(key, pair);
  }
  return pair;
}

// Sizes are about 2, so the areas are as large as 4; the sum over pairs rounds at each of some thousand terms: 5e-13 of size².
test('10 000 random pairs', () => {
  const draw = random('arc outlines');
  let overlapping = 0;
  let regions = 0;
  let worst = 0;
  let contradictions = 0;
  for (let k = 0; k < 10_000; k++) {
    const i = NAMES[draw.integer(NAMES.length)];
    const j = NAMES[draw.integer(NAMES.length)];
    const pose = (reach: number): PlanePose => ({
      x: draw.uniformBetween(-reach, reach),
      y: draw.uniformBetween(-reach, reach),
      angle: draw.uniformBetween(0, 6.3),
      over: draw.integer(4) === 0,
    });
    const p = pose(0.4);
    const q = pose(0.9);
    const pair = pairOf(i, j);
    regions += pair.place(p, q);
    contradictions += pair.overlap.contradictions;
    const area = pair.overlap.volume();
    if (area > 0) overlapping++;
    worst = Math.max(worst, Math.abs(area - minSumArea(FIGURES[i], p, FIGURES[j], q)));
  }
  expect(overlapping).toBeGreaterThan(8000);
  expect(regions).toBeGreaterThan(9500);
  expect(contradictions).toBe(0);
  expect(worst).toBeLessThan(4 * 5e-13);
});

const TINY = [0, 1e-17, 1e-16, 3e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8];

/** Both poses in a world that is turned and moved */
function inWorld(world: PlanePose, { x, y, angle }: PlanePose): PlanePose {
  const c = Math.cos(world.angle);
  const s = Math.sin(world.angle);
  return { x: c * x - s * y + world.x, y: s * x + c * y + world.y, angle: angle + world.angle };
}
const WORLDS = [placedAt(0, 0), placedAt(0.1, 0.2, 0.7), placedAt(-0.3, 0.05, 2.9), placedAt(0.7, -0.4, Math.PI / 2)];

interface Case {
  readonly name: string;
  readonly pair: ArcPair;
  readonly p: PlanePose;
  readonly q: PlanePose;
  /** if the number is certain */
  readonly regions?: number;
}
const SYMMETRY: Readonly<Record<string, number>> = {
  circle: 4,
  box: 2,
  roundedBox: 2,
  bar: 2,
  slottedPlate: 2,
  ring: 12,
  geneva: 6,
};

function* onItself(): Generator<Case> {
  const draw = random('on itself');
  for (const name of NAMES)
    for (const world of WORLDS)
      for (const move of TINY)
        for (const turn of TINY) {
          if (move !== 0 && turn !== 0 && draw.integer(2) === 0) continue;
          const direction = draw.uniformBetween(0, 6.3);
          const fold = SYMMETRY[name] ?? 1;
          const angle = turn + (draw.integer(2) === 0 ? 0 : (2 * Math.PI * draw.integer(fold)) / fold);
          const q = placedAt(move * Math.cos(direction), move * Math.sin(direction), angle);
          yield {
            name: `${name} on itself, moved ${move}, turned ${angle}`,
            pair: pairOf(name, name),
            p: inWorld(world, placedAt(0, 0)),
            q: inWorld(world, q),
            regions: 1,
          };
        }
}
const PLAY = [0, 1e-16, 1e-15, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-3];

/** A pin in the end of a slot, and a bar in the slot: radii equal or nearly so */
function* inSlots(): Generator<Case> {
  const draw = random('in slots');
  const plate: Figure = { outer: rectangle(2, 1.2).outer, holes: [reversed(barLoop(0.8, 0.2))] };
  for (const play of PLAY)
    for (const sign of [1, -1]) {
      const radius = 0.2 + sign * play;
      const guests = [circle(radius, 4, 0), circle(radius, 3, 0.3), bar(0.8, radius), bar(0.3, radius)];
      for (const guest of guests)
        for (const swapped of [false, true]) {
          const pair = swapped ? new ArcPair(guest, plate) : new ArcPair(plate, guest);
          for (const world of WORLDS)
            for (const off of [0, 1e-16, 1e-14, 1e-10, 1e-7, 1e-3]) {
              const direction = draw.uniformBetween(0, 6.3);
              const x = (guest.outer.length === 4 && guest === guests[2] ? 0 : 0.4) + off * Math.cos(direction);
              const host = inWorld(world, placedAt(0, 0));
              const pin = inWorld(world, placedAt(x, off * Math.sin(direction), guest === guests[3] ? 0 : 0));
              yield {
                name: `play ${sign * play}, off ${off}, guest ${guests.indexOf(guest)}, swapped ${swapped}`,
                pair,
                p: swapped ? pin : host,
                q: swapped ? host : pin,
              };
            }
        }
    }
}

/** Circles that touch from outside and inside, on a line, at corners; flush rounded boxes; ends shared */
function* touching(): Generator<Case> {
  const draw = random('touching');
  const shapes: [string, ArcPair, number, number][] = [
    ['circles outside', new ArcPair(circle(0.7), circle(0.5, 3, 0)), 1.2, 0],
    ['circles inside', new ArcPair(circle(0.7), circle(0.5, 3, 0)), 0.2, 0],
    ['equal circles', new ArcPair(circle(0.5, 4, 0), circle(0.5, 4, 0)), 1, 0],
    ['circle on a line', new ArcPair(rectangle(2, 1), circle(0.5, 4, 0)), 0.1, 1],
    ['circle on a corner', new ArcPair(rectangle(2, 1), circle(0.5, 4, 0)), 1.5, 0.5],
    ['rounded boxes side by side', new ArcPair(roundedBox(1, 1, 0.2), roundedBox(1, 1, 0.2)), 1, 0],
    ['rounded boxes flush', new ArcPair(roundedBox(1, 1, 0.2), roundedBox(1, 1, 0.2)), 0.6, 0],
    ['rounded box in box', new ArcPair(rectangle(1, 1), roundedBox(1, 1, 0.2)), 0, 0],
    ['bar end to end', new ArcPair(bar(0.8, 0.2), bar(0.8, 0.2)), 1.2, 0],
    ['bars with a common end', new ArcPair(bar(0.8, 0.2), bar(0.4, 0.2)), 0.2, 0],
    ['bar in rounded box', new ArcPair(roundedBox(1.2, 0.4, 0.2), bar(0.8, 0.2)), 0, 0],
    ['disc in ring', new ArcPair(FIGURES.ring, circle(0.6, 4, 0.3)), 0, 0],
    ['ring about the edge', new ArcPair(FIGURES.ring, circle(0.9, 3, 0.1)), 0, 0],
    [
      'half on half',
      new ArcPair(
        {
          outer: [
            [-0.5, 0],
            [0.5, 0, 1],
          ],
          holes: [],
        },
        {
          outer: [
            [-0.5, 0, 1],
            [0.5, 0],
          ],
          holes: [],
        },
      ),
      0,
      0,
    ],
  ];
  for (const [name, pair, x, y] of shapes)
    for (const world of WORLDS)
      for (const off of TINY)
        for (let k = 0; k < 6; k++) {
          const direction = k < 4 ? (k * Math.PI) / 2 : draw.uniformBetween(0, 6.3);
          const q = placedAt(x + off * Math.cos(direction), y + off * Math.sin(direction));
          yield { name: `${name}, off ${off}`, pair, p: inWorld(world, placedAt(0, 0)), q: inWorld(world, q) };
        }
}

// What rounding of vertices (2e-16 of 1) leaves on outlines of length 10, and that of the reference.
describe('degenerate', () => {
  test.each([
    ['on itself', onItself],
    ['pins and bars in slots', inSlots],
    ['touching and flush', touching],
  ])('%s', (_, family) => {
    let cases = 0;
    const wrong: string[] = [];
    for (const { name, pair, p, q, regions } of family()) {
      const count = pair.place(p, q);
      const error = pair.overlap.volume() - minSumArea(pair.a, p, pair.b, q);
      cases++;
      if (
        pair.overlap.contradictions > 0 ||
        Math.abs(error) > 2e-13 * 4 ||
        (regions !== undefined && count !== regions)
      )
        wrong.push(`${name}: area off by ${error}, ${count} regions, ${pair.overlap.contradictions} contradictions`);
    }
    expect(wrong).toEqual([]);
    expect(cases).toBeGreaterThan(1000);
  });
});

test('a circle of any number of arcs is the same circle', () => {
  const reference = new ArcPair(FIGURES.geneva, { outer: circleLoop(0.3), holes: [] });
  for (const arcs of [2, 3, 7, 50]) {
    const other = new ArcPair(FIGURES.geneva, { outer: circleLoop(0.3, 0, 0, arcs, 0.11), holes: [] });
    const draw = random(`arcs ${arcs}`);
    for (let k = 0; k < 50; k++) {
      const q = placedAt(draw.uniformBetween(-1, 1), draw.uniformBetween(-1, 1), draw.uniformBetween(0, 6));
      expect(other.place(placedAt(0, 0), q)).toBe(reference.place(placedAt(0, 0), q));
      expect(Math.abs(other.overlap.volume() - reference.overlap.volume())).toBeLessThan(1e-14);
    }
  }
});
