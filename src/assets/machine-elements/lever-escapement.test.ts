import { describe, expect, test } from 'vitest';
import { firstCrossingAmong, profileArea } from '../../geometry/polygon.js';
import type { Outline } from '../../geometry/profile.js';
import { leverEscapement } from './lever-escapement.js';
import { lockedWheelAngle } from './lever-escapement-stones.js';

const degree = Math.PI / 180;
const escapement = leverEscapement({ hornSegments: 4 });
const { dimensions: of, entry, exit } = escapement;

/** mm against a table of six digits after the point */
const expectCorners = (outline: Outline, table: readonly (readonly [number, number])[]): void => {
  expect(outline.length).toBe(table.length);
  table.forEach(([x, y], i) => {
    expect(Math.abs(1e3 * outline[i][0] - x), `x of corner ${i}`).toBeLessThan(1e-6);
    expect(Math.abs(1e3 * outline[i][1] - y), `y of corner ${i}`).toBeLessThan(1e-6);
  });
};

// Computed separately, twice, from the formulas at the top of the files
describe('the default escapement is the one of the drawing', () => {
  test('centres and derived angles', () => {
    expect(1e3 * of.centreDistance).toBeCloseTo(2.598076, 6);
    expect(1e3 * of.forkLength).toBeCloseTo(3.2016, 6);
    expect(1e3 * of.balanceDistance).toBeCloseTo(3.816017, 6);
    expect(1e3 * escapement.balancePivot[1]).toBeCloseTo(6.414093, 6);
    expect(of.banking / degree).toBeCloseTo(5.5, 10);
    expect(of.unlocked / degree).toBeCloseTo(3.5, 10);
    for (const [stone, w, l1, l2, eL, eT] of [
      [entry, 6.8439, 4.9799, 3.5201, 0.2191, 0.2865],
      [exit, 6.9241, 6.182, 2.318, 0.1806, 0.2463],
    ] as const) {
      expect(stone.toeAngle / degree).toBeCloseTo(w, 4);
      expect(stone.stoneLift / degree).toBeCloseTo(l1, 4);
      expect(stone.toothLift / degree).toBeCloseTo(l2, 4);
      expect(stone.dropAdvance / degree).toBeCloseTo(eL, 4);
      expect(stone.restAdvance / degree).toBeCloseTo(eT, 4);
    }
  });

  test('stones', () => {
    expectCorners(entry.outline, [
      [-1.162554, -0.579628],
      [-0.870819, -0.552018],
      [-1.05025, 0.329915],
      [-1.341985, 0.302304],
    ]);
    expectCorners(exit.outline, [
      [1.162554, -0.579628],
      [1.312817, -0.861729],
      [1.860702, -0.147711],
      [1.710439, 0.13439],
    ]);
  });

  test('frame with notch, horns and holders', () => {
    const horn: [number, number][] = [
      [-0.17, 3.224356],
      [-0.219093, 3.274454],
      [-0.263519, 3.328734],
      [-0.302924, 3.386761],
      [-0.336994, 3.448074],
    ];
    expectCorners(escapement.frame, [
      [0.09, 0.42],
      [0.09, 2.466017],
      [0.33, 2.966017],
      [0.426994, 3.438074],
      ...horn.toReversed().map(([x, y]): [number, number] => [-x, y]),
      [0.17, 3.016017],
      [-0.17, 3.016017],
      ...horn,
      [-0.426994, 3.438074],
      [-0.33, 2.966017],
      [-0.09, 2.466017],
      [-0.09, 0.42],
      [-0.946875, 0.323394],
      [-1.044867, 0.303457],
      [-1.434595, 0.25591],
      [-1.335907, -0.229153],
      [-0.848188, -0.161669],
      [-0.25, -0.24],
      [0.25, -0.24],
      [1.31333, -0.218864],
      [1.622264, -0.622718],
      [1.923601, -0.230008],
      [1.614667, 0.173846],
    ]);
  });

  test('pin, bankings, guard', () => {
    const { impulsePin, bankingCentres, guard } = escapement;
    expectCorners(
      [impulsePin[0], impulsePin[12], impulsePin[24]],
      [
        [0.151987, -0.75],
        [0, -0.54],
        [-0.151987, -0.75],
      ],
    );
    expectCorners(bankingCentres, [
      [-0.362386, 4.170583],
      [0.362386, 4.170583],
    ]);
    expect(1e3 * guard[3][1]).toBeCloseTo(3.503275, 6);
  });

  test('states to start from', () => {
    expect(escapement.stopped.wheel / degree).toBeCloseTo(115.0538, 4);
    expect(escapement.lockedOnEntry.wheel / degree).toBeCloseTo(119.7135, 4);
    expect(escapement.lockedOnExit.wheel / degree).toBeCloseTo(59.7537, 4);
    expect(lockedWheelAngle(of, entry, of.banking)).toBeCloseTo(escapement.lockedOnEntry.wheel, 14);
    expect(lockedWheelAngle(of, exit, -of.unlocked)).toBeCloseTo(exit.lockAngle, 14);
  });
});

const area = (outer: Outline): number => profileArea({ outer, holes: [] });

test('the pieces of the frame and the stones make up the pallet, and none overlaps another', () => {
  const { framePieces, frame, pallet } = escapement;
  for (const outline of [
    ...framePieces,
    frame,
    pallet,
    escapement.safetyRoller,
    escapement.guard,
    escapement.impulsePin,
  ]) {
    expect(firstCrossingAmong([outline])).toBeUndefined();
    expect(area(outline)).toBeGreaterThan(0);
  }
  const pieces = framePieces.reduce((sum, piece) => sum + area(piece), 0);
  // What stands out behind the holders is counted with the stones
  expect((pieces + area(entry.outline) + area(exit.outline)) / area(pallet)).toBeCloseTo(1, 9);
  expect(pieces).toBeLessThan(area(frame));
});

test('a banking pin has a corner where the arm touches it, at the angle of the banking', () => {
  for (const [side, outline] of [
    [-1, escapement.bankings[0]],
    [1, escapement.bankings[1]],
  ] as const) {
    const phi = -side * of.banking;
    // seen from the lever, the corner is on the arm's side
    const [x, y] = [outline[0][0], outline[0][1] - of.centreDistance];
    expect((Math.cos(phi) * x + Math.sin(phi) * y) * side).toBeCloseTo(of.armHalfWidth, 15);
    expect(Math.cos(phi) * y - Math.sin(phi) * x).toBeCloseTo(of.bankingDistance, 15);
  }
});

test('lengths scale, angles stay', () => {
  const large = leverEscapement({ radius: 50 * 2.25e-3, hornSegments: 4 });
  for (const part of ['frame', 'pallet', 'impulsePin', 'guard', 'safetyRoller'] as const)
    escapement[part].forEach(([x, y], i) => {
      expect(Math.abs(large[part][i][0] - 50 * x)).toBeLessThan(1e-14);
      expect(Math.abs(large[part][i][1] - 50 * y)).toBeLessThan(1e-14);
    });
  expect(large.stopped.wheel).toBeCloseTo(escapement.stopped.wheel, 13);
});

test('what makes no escapement is refused, with the rule that is broken', () => {
  expect(() => leverEscapement({ draw: 25 * degree })).toThrow(/undercut.*front faces/);
  expect(() => leverEscapement({ lock: Number.NaN })).toThrow(/lock: expected > 0/);
  expect(() => leverEscapement({ lift: 2 * degree })).toThrow(/lift.*stones/);
  expect(() => leverEscapement({ hornEnd: 20 * degree })).toThrow(/hornEnd.*notch begins/);
  expect(() => leverEscapement({ pinSegments: 9 })).toThrow(/even/);
  expect(() => leverEscapement({ safetyRadius: 0.3e-3 })).toThrow(/guard passes/);
});

// A chord figure with n corners on a circle has (n/2π) sin(2π/n) of its area, 1 − 2/3 (π/n)²: 7e-4 less for 96 to a circle. Arcs have all of it.
test('round parts as arcs are what chords tend to', () => {
  const fine = leverEscapement({ segments: 4096, pinSegments: 512 });
  const { dimensions, round } = fine;
  const area = (outline: Outline): number => profileArea({ outer: outline, holes: [] });
  expect(area(round.impulsePin) / area(fine.impulsePin) - 1).toBeCloseTo(0, 4);
  expect(area(round.safetyRoller) / area(fine.safetyRoller) - 1).toBeCloseTo(0, 5);
  for (const banking of round.bankings)
    expect(area(banking) / (Math.PI * dimensions.bankingRadius ** 2)).toBeCloseTo(1, 14);
  // a segment of a circle is cut off the pin by its flat
  const { pinRadius: r, pinFlat: d } = dimensions;
  const segment = r * r * Math.acos(d / r) - d * Math.sqrt(r * r - d * d);
  expect(area(round.impulsePin) / (Math.PI * r * r - segment)).toBeCloseTo(1, 13);
});
