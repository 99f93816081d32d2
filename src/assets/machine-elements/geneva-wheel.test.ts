import { describe, expect, test } from 'vitest';
import { intersect } from '../../geometry/csg/boolean.js';
import { meshMassProperties, solidMassProperties } from '../../geometry/mass-properties.js';
import { firstCrossing } from '../../geometry/polygon.js';
import { planeMoments, signedArea } from '../../geometry/polygon-measure.js';
import type { Solid } from '../../geometry/solid.js';
import { edgeTable, openEdges, shells } from '../../geometry/topology.js';
import { rotate, translate } from '../../geometry/transform.js';
import { triangleCount, vertexCount } from '../../geometry/triangle-mesh.js';
import { type GenevaOptions, genevaDimensions } from './geneva-dimensions.js';
import { genevaDriveOutlines, genevaWheelMoments, genevaWheelOutline } from './geneva-outline.js';
import { genevaDrive, genevaWheel } from './geneva-wheel.js';

const ALL_SLOTS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const degrees = (rad: number) => (rad * 180) / Math.PI;

/** V − E + F = 2 (shells − holes through them) on a closed surface. */
function holesThrough({ mesh }: Solid): number {
  const euler = vertexCount(mesh) - edgeTable(mesh).count + triangleCount(mesh);
  return shells(mesh).count - euler / 2;
}

// Radius 1, all else default; computed independently from the formulas of Elmqvist et al. (2015), §8.2, with the relief
// of geneva-dimensions.ts; areas and moments are those of outlines with 1024 segments a turn.
// n, p, C, a, R, z, H, ρ, δ°, γ°, τ°, lock play°, slot play°, locked up to°, area, polar moment
const TABLE = `
  3 0.100000 2.000000 1.732051 1.582051 1.572051 1.361436 0.667389 25 29.590 51.371 0.5807 1.0692 125.4 1.005563 0.276509
  4 0.100000 1.414214 1.000000 0.850000 0.840000 0.890955 0.593954 40 44.237 36.369 0.5813 0.6916 95.8 1.449141 0.438675
  5 0.100000 1.236068 0.726543 0.576543 0.566543 0.722895 0.553325 49 52.874 27.367 0.5821 0.5623 78.1 1.767409 0.589578
  6 0.100000 1.154701 0.577350 0.427350 0.417350 0.626025 0.516111 55 58.480 21.364 0.5829 0.4962 66.5 2.002700 0.720887
  7 0.100000 1.109916 0.481575 0.331575 0.321575 0.555865 0.479373 59.286 62.325 17.076 0.5838 0.4559 58.4 2.180572 0.831774
  8 0.100000 1.082392 0.414214 0.264214 0.254214 0.498219 0.442586 62.5 65.038 13.859 0.5850 0.4287 52.5 2.317150 0.923938
  9 0.090993 1.064178 0.363970 0.227481 0.217481 0.476905 0.436308 66 67.636 12.144 0.5832 0.4091 46.4 2.390914 0.969198
  10 0.081230 1.051462 0.324920 0.203075 0.193075 0.468602 0.438200 69 69.893 10.993 0.5812 0.3943 41.1 2.443067 1.000026
  11 0.073407 1.042217 0.293626 0.183517 0.173517 0.461918 0.439288 71.636 71.734 10.036 0.5797 0.3827 36.6 2.488414 1.028422
  12 0.066987 1.035276 0.267949 0.167468 0.157468 0.456308 0.439775 74 73.266 9.229 0.5786 0.3733 32.7 2.528120 1.054424`
  .trim()
  .split('\n')
  .map((row) => row.trim().split(' ').map(Number));

describe('dimensions', () => {
  test.each(TABLE)('%i slots', (...row) => {
    const [n, p, C, a, R, z, H, rho, delta, gamma, tau, lockPlay, slotPlay, locked, area, moment] = row;
    const d = genevaDimensions({ slots: n, radius: 1 });
    // half a unit of the last digit of the table, and a little
    const lengths = [
      d.pinDiameter,
      d.centreDistance,
      d.crankRadius,
      d.lockArcRadius,
      d.discRadius,
      d.reliefDistance,
      d.reliefRadius,
    ];
    [p, C, a, R, z, H, rho].forEach((value, i) => {
      expect(Math.abs(lengths[i] - value)).toBeLessThan(0.51e-6);
    });
    expect(Math.abs(degrees(d.reliefHalfAngle) - delta)).toBeLessThan(0.51e-3);
    expect(Math.abs(degrees(d.arcHalfAngle) - gamma)).toBeLessThan(0.51e-3);
    expect(Math.abs(degrees(d.arcCornerAngle) - tau)).toBeLessThan(0.51e-3);
    expect(Math.abs(degrees(d.lockPlay) - lockPlay)).toBeLessThan(0.51e-4);
    expect(Math.abs(degrees(d.slotPlay) - slotPlay)).toBeLessThan(0.51e-4);
    expect(Math.abs(degrees(d.lockedUpTo) - locked)).toBeLessThan(0.051);
    const { wheelArea, wheelPolarMoment } = genevaWheelMoments(d);
    // the table's figures are those of polygons with 1024 corners a turn; their arcs rounded to whole steps
    const polygon = planeMoments(genevaWheelOutline({ ...d, segments: 1024, pinSegments: 1024 }, 'chords'));
    expect(Math.abs(polygon.area - area)).toBeLessThan(3e-6);
    expect(Math.abs(polygon.xx + polygon.yy - moment)).toBeLessThan(3e-6);
    // a polygon of N corners falls short by about (2π/N)²/6 = 6e-6 of each sector of a circle it stands for
    expect(Math.abs(wheelArea / area - 1)).toBeLessThan(2e-5);
    expect(Math.abs(wheelPolarMoment / moment - 1)).toBeLessThan(4e-5);
  });

  test('scale with the radius', () => {
    const unit = genevaDimensions({ slots: 7, radius: 1 });
    const small = genevaDimensions({ slots: 7, radius: 0.02 });
    expect(small.reliefRadius).toBeCloseTo(0.02 * unit.reliefRadius, 17);
    expect(small.arcHalfAngle).toBeCloseTo(unit.arcHalfAngle, 14);
    expect(genevaWheelMoments(small).wheelPolarMoment / genevaWheelMoments(unit).wheelPolarMoment).toBeCloseTo(
      0.02 ** 4,
      20,
    );
  });

  // With ε = 0 and k = 1 the relief is the paper's clearanceArc = radius stopDiscRadius / driveCrankRadius.
  test.each(ALL_SLOTS)('the relief of the paper, %i slots', (slots) => {
    const d = genevaDimensions({ slots, radius: 1, reliefSetback: 0, reliefCentre: 1 });
    expect(Math.abs(d.reliefRadius - d.discRadius / d.crankRadius)).toBeLessThan(1e-14);
  });

  test('a very small clearance draws the relief back less', () => {
    const d = genevaDimensions({ slots: 3, radius: 1, clearance: 1e-4 });
    expect(d.reliefSetback).toBeLessThan(genevaDimensions({ slots: 3 }).reliefSetback);
    expect((d.centreDistance * Math.tan(Math.PI / 3) * 2 * d.reliefSetback ** 3) / 27).toBeLessThan(d.lockClearance);
  });

  // Brass, 8500 kg/m³, 20 mm, 4 mm high: moments of inertia in kg m² from outlines with 1024 segments.
  test.each([
    [3, 1.5042e-6],
    [4, 2.3864e-6],
    [6, 3.9216e-6],
    [8, 5.0262e-6],
    [12, 5.7361e-6],
  ])('inertia in brass, %i slots', (slots, inertia) => {
    const { wheelPolarMoment } = genevaWheelMoments(genevaDimensions({ slots }));
    expect(Math.abs((8500 * 0.004 * wheelPolarMoment) / inertia - 1)).toBeLessThan(4e-5);
  });

  test.each<[GenevaOptions, string]>([
    [{ slots: 2 }, 'geneva.slots: expected a whole number from 3 to 12, got 2'],
    [{ slots: 13 }, 'geneva.slots'],
    [{ slots: 4.5 }, 'geneva.slots'],
    [{ radius: Number.NaN }, 'geneva.radius'],
    [{ slots: 12, pinDiameter: 0.002 }, 'geneva.pinDiameter: expected ≤ a quarter of the crank radius'],
    [{ slots: 3, pinDiameter: 0.01, radius: 0.02 }, 'geneva.pinDiameter'],
    [{ pinDiameter: 0.0003 }, 'geneva.pinDiameter: expected > 2 clearance'],
    [{ lockClearance: 0.0001 * 0.98 }, 'geneva.lockClearance: expected >'],
    [{ lockClearance: 0.006 }, 'geneva.lockClearance: expected <'],
    [{ clearance: 0 }, 'geneva.clearance'],
    [{ reliefSetback: 0.1 }, 'geneva.reliefSetback: expected an angle from 0 to 0.087'],
    [{ reliefSetback: -0.01 }, 'geneva.reliefSetback'],
    [{ reliefCentre: 0.5 }, 'geneva.reliefCentre'],
    [{ boreRadius: 0.011 }, 'geneva.boreRadius: expected < 0.0104'],
    [{ shaftRadius: 0.001, plateThickness: 0 }, 'geneva.plateThickness'],
    [{ segments: 8 }, 'geneva.segments'],
    [{ pinSegments: 50 }, 'geneva.pinSegments: expected a multiple of 4'],
  ])('%j is refused', (options, message) => {
    expect(() => genevaDimensions(options)).toThrow(message);
  });
});

describe('outlines of arcs', () => {
  test.each(ALL_SLOTS)('have the exact area and moment, do not cross, and touch their chords, %i slots', (slots) => {
    const d = genevaDimensions({ slots });
    const wheel = genevaWheelOutline(d);
    const { disc, pin } = genevaDriveOutlines(d);
    for (const outline of [wheel, disc, pin]) expect(firstCrossing(outline)).toBeUndefined();
    const { area, xx, yy, centroid } = planeMoments(wheel);
    const exact = genevaWheelMoments(d);
    expect(area / exact.wheelArea).toBeCloseTo(1, 13);
    expect((xx + yy) / exact.wheelPolarMoment).toBeCloseTo(1, 13);
    expect(Math.abs(centroid[0]) + Math.abs(centroid[1])).toBeLessThan(1e-16);
    expect(signedArea(pin)).toBeCloseTo((Math.PI / 4) * d.pinDiameter ** 2, 18);
    // three lines and arcs and one more per sector; the corners of arcs are those of the chords
    expect(wheel).toHaveLength(6 * slots);
    const chords = genevaWheelOutline(d, 'chords');
    for (const [x, y] of wheel) expect(chords.some(([u, v]) => Math.hypot(u - x, v - y) < 1e-15)).toBe(true);
  });

  test('area of the wheel with 6 slots and radius 1', () => {
    expect(signedArea(genevaWheelOutline({ slots: 6, radius: 1 }))).toBeCloseTo(2.002709, 6);
  });
});

describe('outlines', () => {
  // Corners for n = 6, radius 1, computed by hand from the formulas.
  test('corners, 6 slots', () => {
    const d = genevaDimensions({ slots: 6, radius: 1 });
    const { disc, pin } = genevaDriveOutlines(d, 'chords');
    const wheel = genevaWheelOutline(d, 'chords');
    const has = (outline: readonly (readonly number[])[], x: number, y: number) =>
      outline.some(([u, v]) => Math.abs(u - x) < 0.51e-6 && Math.abs(v - y) < 0.51e-6);
    for (const [x, y] of [
      [0.931283, -0.364298],
      [0.931283, 0.364298],
      [0.892215, 0.451612],
      [0.5275, 0.241044],
      [0.4725, 0.336307],
      [0.837215, 0.546875],
      [0.781132, 0.624366],
    ])
      expect(has(wheel, x, y)).toBe(true);
    expect(has(disc, 0.239382, 0.341873)).toBe(true);
    expect(has(disc, 0.239382, -0.341873)).toBe(true);
    expect(has(pin, 0.57735 + 0.05, 0)).toBe(true);
    // the relief reaches H − ρ and no further, its polygon by less than its sagitta
    const bottom = disc
      .filter(([, y]) => Math.abs(y) < 0.02)
      .map(([x]) => x)
      .filter((x) => x > 0);
    expect(Math.min(...bottom)).toBeGreaterThan(0.109915 - 0.51e-6 - d.reliefRadius * (1 - Math.cos(Math.PI / 128)));
    expect(Math.min(...bottom)).toBeLessThanOrEqual(0.109916);
  });

  test.each(ALL_SLOTS)('do not cross themselves, and converge to the exact moments, %i slots', (slots) => {
    const errors = [64, 128, 256].map((segments) => {
      const d = genevaDimensions({ slots, segments });
      const { disc, pin } = genevaDriveOutlines(d, 'chords');
      for (const outline of [genevaWheelOutline(d, 'chords'), disc, pin]) {
        expect(firstCrossing(outline)).toBeUndefined();
        expect(signedArea(outline)).toBeGreaterThan(0);
      }
      const { area, xx, yy, centroid } = planeMoments(genevaWheelOutline(d, 'chords'));
      const { wheelArea, wheelPolarMoment } = genevaWheelMoments(d);
      expect(Math.abs(centroid[0]) + Math.abs(centroid[1])).toBeLessThan(1e-15 * d.radius * 10);
      return [area / wheelArea - 1, (xx + yy) / wheelPolarMoment - 1];
    });
    // Polygons are inside the exact wheel; half the step, a quarter of the error. Steps are rounded up to whole ones
    // on each arc, so the ratio is not 4 exactly.
    for (let k = 0; k < 2; k++) {
      expect(errors[2][k]).toBeLessThan(0);
      expect(Math.abs(errors[2][k])).toBeLessThan(1e-3);
      expect(errors[0][k] / errors[2][k]).toBeGreaterThan(9);
      expect(errors[0][k] / errors[2][k]).toBeLessThan(27);
    }
  });
});

describe('solids', () => {
  test.each(ALL_SLOTS)('the wheel is one closed prism, %i slots', (slots) => {
    for (const segments of [32, 128]) {
      const wheel = genevaWheel({ slots, segments });
      expect(openEdges(wheel.mesh)).toEqual([]);
      expect(shells(wheel.mesh).count).toBe(1);
      expect(holesThrough(wheel)).toBe(0);
      expect(wheel.form.kind).toBe('extrusion');
      const { volume, centroid } = solidMassProperties(wheel);
      // sectors are alike: the wheel is balanced to rounding
      expect(Math.abs(centroid[0]) + Math.abs(centroid[1])).toBeLessThan(1e-16);
      expect(centroid[2]).toBeCloseTo(0.002, 17);
      // arcs stay arcs, however they are drawn
      const exact = 0.004 * genevaWheelMoments(genevaDimensions({ slots })).wheelArea;
      expect(Math.abs(volume / exact - 1)).toBeLessThan(1e-12);
    }
    // Everything standing is drawn inscribed and everything cut circumscribed, so the polygons are smaller, to second order:
    // a quarter of the step, a sixteenth of the error, but for steps rounded to whole ones and ends of arcs between them.
    const errors = [32, 128].map((segments) => {
      const exact = 0.004 * genevaWheelMoments(genevaDimensions({ slots })).wheelArea;
      return meshMassProperties(genevaWheel({ slots, segments }).mesh).volume / exact - 1;
    });
    expect(errors[1]).toBeLessThan(0);
    expect(Math.abs(errors[1])).toBeLessThan(1.2e-3);
    expect(errors[0] / errors[1]).toBeGreaterThan(9);
    expect(errors[0] / errors[1]).toBeLessThan(27);
  });

  test('CSG and outline agree', () => {
    for (const slots of [3, 6, 12]) {
      const d = genevaDimensions({ slots, segments: 256 });
      const { volume } = solidMassProperties(genevaWheel({ slots, segments: 256 }));
      expect(volume / (d.height * signedArea(genevaWheelOutline(d, 'arcs')))).toBeCloseTo(1, 12);
      const drawn = meshMassProperties(genevaWheel({ slots, segments: 256 }).mesh).volume;
      expect(drawn / (d.height * signedArea(genevaWheelOutline(d, 'chords')))).toBeCloseTo(1, 4);
    }
  });

  test('a bore is a hole through', () => {
    const wheel = genevaWheel({ boreRadius: 0.003 });
    expect(openEdges(wheel.mesh)).toEqual([]);
    expect(holesThrough(wheel)).toBe(1);
    const bored = genevaWheelMoments(genevaDimensions({ boreRadius: 0.003 }));
    const full = genevaWheelMoments(genevaDimensions());
    expect(full.wheelArea - bored.wheelArea).toBeCloseTo(Math.PI * 9e-6, 18);
    expect(full.wheelPolarMoment - bored.wheelPolarMoment).toBeCloseTo((Math.PI / 2) * 81e-12, 24);
    expect(solidMassProperties(wheel).volume / (0.004 * bored.wheelArea)).toBeCloseTo(1, 3);
  });

  test.each(ALL_SLOTS)('the drive is one closed solid, %i slots', (slots) => {
    const drive = genevaDrive({ slots, shaftRadius: 0.001 });
    expect(openEdges(drive.mesh)).toEqual([]);
    expect(shells(drive.mesh).count).toBe(1);
    expect(holesThrough(drive)).toBe(0);
  });

  // plate + shaft + the parts of disc and pin above the plate
  test('volume of the drive', () => {
    const d = genevaDimensions({ slots: 5, segments: 512, shaftRadius: 0.001 });
    const { disc, pin } = genevaDriveOutlines(d, 'chords');
    const above = d.height + 2 * d.axialGap;
    const plate = Math.PI * (d.crankRadius + d.pinDiameter) ** 2 * d.plateThickness;
    const exact = plate + Math.PI * 1e-6 * d.shaftLength + above * (signedArea(disc) + signedArea(pin));
    expect(
      solidMassProperties(genevaDrive({ slots: 5, segments: 512, shaftRadius: 0.001 })).volume / exact,
    ).toBeCloseTo(1, 4);
  });

  test('without a plate, disc and pin are two parts', () => {
    const drive = genevaDrive({ plateThickness: 0 });
    expect(openEdges(drive.mesh)).toEqual([]);
    expect(shells(drive.mesh).count).toBe(2);
  });

  // Exact kinematics: with A the pin's angle from the centre line, λ = a/C, the slot points at the pin:
  //   ψ = −π/n − atan2(λ sin A, 1 − λ cos A) while |A| < π/2 − π/n, and rests at 0 before.
  test.each([3, 6, 12])('wheel and drive do not overlap, %i slots', (slots) => {
    const d = genevaDimensions({ slots });
    const wheel = genevaWheel({ slots });
    const drive = genevaDrive({ slots });
    const lambda = d.crankRadius / d.centreDistance;
    /** m³, the wheel ahead by `offset` times its play in the slot, asin(c / 2D) with D from its axis to the pin */
    const overlapAt = (phi: number, offset: number): number => {
      const A = phi - Math.PI;
      const moving = Math.abs(A) < d.entryAngle;
      const beta = Math.atan2(lambda * Math.sin(A), 1 - lambda * Math.cos(A));
      const D = Math.sqrt(
        d.centreDistance ** 2 + d.crankRadius ** 2 - 2 * d.centreDistance * d.crankRadius * Math.cos(A),
      );
      const psi = (moving ? -Math.PI / slots - beta : 0) + offset * Math.asin(d.clearance / (2 * D));
      const placed = translate([d.centreDistance, 0, 0], rotate(phi, drive));
      const overlap = intersect(rotate(psi, wheel), placed);
      return triangleCount(overlap.mesh) === 0 ? 0 : solidMassProperties(overlap).volume;
    };
    for (const A of [-0.999, -0.95, -0.5, 0, 0.3, 0.99])
      for (const offset of [0, 0.9, -0.9]) expect(overlapAt(Math.PI + A * d.entryAngle, offset)).toBe(0);
    for (const phi of [0, 0.7 * (Math.PI - d.entryAngle), 0.98 * (Math.PI - d.entryAngle)])
      expect(overlapAt(phi, 0)).toBe(0);
    // and the test would see it if they did
    expect(overlapAt(Math.PI, 1.5)).toBeGreaterThan(0);
  });
});
