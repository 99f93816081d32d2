import { describe, expect, test } from 'vitest';
import { arcCircle } from '../../geometry/arc.js';
import { firstCrossing, placeOf, planeMoments, profileArea } from '../../geometry/polygon.js';
import type { Polygon } from '../../geometry/profile.js';
import { rotate, translate } from '../../geometry/transform.js';
import type { Vec2 } from '../../math/vec3.js';
import { type GearSize, gearCircles, involuteGear } from './gear.js';

const degree = Math.PI / 180;
const polar = ([x, y]: readonly [number, number]) => ({ radius: Math.hypot(x, y), angle: Math.atan2(y, x) });

describe('circles, by the formulas of the module', () => {
  test('of a standard gear', () => {
    const gear = gearCircles({ teeth: 24, module: 2 });
    expect(gear.pitchRadius).toBe(24);
    expect(gear.baseRadius).toBeCloseTo(24 * Math.cos(20 * degree), 14);
    expect(gear.tipRadius).toBe(26);
    expect(gear.rootRadius).toBe(21.5);
    expect(gear.thickness).toBeCloseTo(Math.PI, 14);
  });

  test('undercut begins below 2 / sin² α = 17.1 teeth, and profile shift x moves it to 2 (1 − x) / sin² α', () => {
    const limit = (x: number) => (2 * (1 - x)) / Math.sin(20 * degree) ** 2;
    for (const profileShift of [0, 0.2, 0.4])
      for (let teeth = 8; teeth < 25; teeth++) {
        // The standard tip radius 0.38 ends the straight flank at depth 1.25 − 0.38 (1 − sin α) = 0.99997, hence 1e-3
        if (Math.abs(teeth - limit(profileShift)) < 1e-3) continue;
        expect(gearCircles({ teeth, module: 1, profileShift }).undercut).toBe(teeth < limit(profileShift));
      }
  });
});

describe('outline', () => {
  const sizes: readonly GearSize[] = [
    { teeth: 24, module: 1 },
    { teeth: 18, module: 0.5e-3, backlash: 0.02e-3 },
    { teeth: 40, module: 3, pressureAngle: 14.5 * degree, profileShift: 0.1 },
    { teeth: 30, module: 1, pressureAngle: 25 * degree, profileShift: 0.3, points: 30 },
    { teeth: 100, module: 1, profileShift: -0.2 },
    { teeth: 10, module: 1 },
    { teeth: 6, module: 1 },
  ];
  test.each(sizes)('%j', (size) => {
    const gear = gearCircles(size);
    const { outer, holes } = involuteGear(size);
    const { module: m, teeth } = size;
    expect(holes).toEqual([]);
    expect(firstCrossing(outer)).toBeUndefined();
    const tooth = outer.slice(0, outer.length / teeth).map(polar);
    for (const { radius } of tooth) {
      expect(radius).toBeGreaterThan(gear.rootRadius * (1 - 1e-12));
      expect(radius).toBeLessThan(gear.tipRadius * (1 + 1e-12));
    }
    // The flank is an involute: its normal touches the base circle, so the unrolled string √(ρ² − r_b²) is as long as
    // the arc r_b (β − β₀) from where it starts, and β = polar angle + angle between radius and string
    const flank = tooth.filter(
      ({ radius, angle }) =>
        angle > 0 && radius > gear.involuteFrom * (1 - 1e-12) && radius < gear.tipRadius * (1 + 1e-12),
    );
    expect(flank.length).toBe(size.points ?? 12);
    const starts = flank.map(({ radius, angle }) => {
      const string = Math.sqrt(Math.max(0, radius ** 2 - gear.baseRadius ** 2));
      return angle + string / gear.baseRadius - Math.atan2(string, gear.baseRadius);
    });
    for (const start of starts) expect(start).toBeCloseTo(starts[0], 12);
    // Thickness on the pitch circle: π m / 2 + 2 x m tan α − backlash
    const alpha = size.pressureAngle ?? 20 * degree;
    const thickness = (Math.PI * m) / 2 + 2 * (size.profileShift ?? 0) * m * Math.tan(alpha) - (size.backlash ?? 0);
    const atPitch = starts[0] - (Math.tan(alpha) - alpha);
    expect(2 * atPitch * gear.pitchRadius).toBeCloseTo(thickness, 12);
    // The fillet joins the involute without a step or kink, unless it undercuts
    const k = tooth.findIndex(({ radius, angle }) => angle > 0 && Math.abs(radius / gear.involuteFrom - 1) < 1e-12);
    expect(tooth[k + 1].radius).toBeLessThan(tooth[k].radius);
    if (!gear.undercut) {
      const fine = involuteGear({ ...size, points: 300 });
      const f = fine.outer.slice(0, fine.outer.length / teeth);
      const j = f.findIndex((p) => p[1] > 0 && Math.abs(Math.hypot(...p) / gear.involuteFrom - 1) < 1e-12);
      const direction = (a: readonly number[], b: readonly number[]) => Math.atan2(b[1] - a[1], b[0] - a[0]);
      expect(Math.abs(direction(f[j - 1], f[j]) - direction(f[j], f[j + 1]))).toBeLessThan(0.03);
    }
    // As many equal teeth as asked for: the centroid is the centre, second moments are equal
    const moments = planeMoments(outer);
    expect(Math.hypot(...moments.centroid)).toBeLessThan(1e-12 * gear.pitchRadius);
    expect(Math.abs(moments.xx / moments.yy - 1)).toBeLessThan(1e-11);
  });

  // The rack's tooth is a trapezium with the corners (±c, d) grown by ρ: a point is in it if nearer to that than ρ
  test.each([
    [6, 0],
    [10, 0],
    [16, 0],
    [18, 0],
    [40, 0],
    [12, 0.4],
    [30, -0.3],
  ])(
    '%i teeth shifted by %f: a rack rolling past touches every corner of the gap and cuts into none',
    (teeth, profileShift) => {
      const alpha = 20 * degree;
      const size = { teeth, module: 1, profileShift, points: 20 };
      const { pitchRadius, thickness, tipRadius } = gearCircles(size);
      const depth = 1.25 - profileShift;
      const rho = 0.38;
      const d = depth - rho;
      const c = (Math.PI - thickness) / 2 - d * Math.tan(alpha) - rho / Math.cos(alpha);
      const distance = (x: number, y: number): number => {
        const [u, v] = [Math.abs(x) - c, y - d];
        if (u <= 0) return v;
        return u * Math.sin(alpha) < v * Math.cos(alpha) ? Math.hypot(u, v) : u * Math.cos(alpha) + v * Math.sin(alpha);
      };
      const { outer } = involuteGear(size);
      let touched = 0;
      for (const p of outer.slice(0, outer.length / teeth)) {
        const { radius, angle } = polar(p);
        if (angle < 0) continue;
        const fromGap = angle - Math.PI / teeth;
        let nearest = Number.POSITIVE_INFINITY;
        for (let step = -4000; step <= 4000; step++) {
          const S = step / 1000; // the gap's middle is S beyond the pitch point, the gear turned by S / r
          const psi = fromGap + S / pitchRadius;
          nearest = Math.min(nearest, distance(radius * Math.sin(psi) - S, pitchRadius - radius * Math.cos(psi)) - rho);
        }
        // Steps of 2.5e-3 modules miss the closest approach by the square of half a step over a radius of curvature
        expect(nearest).toBeGreaterThan(-1e-9);
        if (radius < tipRadius * (1 - 1e-9) || angle > 1e-9) {
          expect(nearest).toBeLessThan(1e-4);
          touched++;
        }
      }
      expect(touched).toBeGreaterThan(30);
    },
  );

  test('two gears mesh: rolling on their pitch circles they keep clear by the backlash and no more', () => {
    const m = 1;
    const distance = (m * (18 + 30)) / 2;
    const gear = (teeth: number, backlash: number) => involuteGear({ teeth, module: m, points: 40, backlash }).outer;
    const [pinion, wheel] = [gear(18, 0), gear(30, 2e-3)];
    for (let step = 0; step < 12; step++) {
      // A tooth of the pinion turned by φ meets a gap of the wheel, which turns the other way by 18/30 φ
      const phi = (step / 12) * ((2 * Math.PI) / 18);
      const turned = (slip: number) =>
        translate([distance, 0], rotate(Math.PI + Math.PI / 30 - (phi * 18) / 30 + slip, wheel));
      const a = rotate(phi, pinion);
      const overlaps = (b: Polygon) => {
        const near = (p: Vec2) => Math.abs(p[0] - 9 * m) < 1.3 * m && Math.abs(p[1]) < 6 * m;
        return (
          a.some((p) => near(p) && placeOf(p, b) === 'inside') || b.some((p) => near(p) && placeOf(p, a) === 'inside')
        );
      };
      // Chords lie inside the convex flanks by 1e-4 m at most; the play is 2e-3 m in all, half of it each way
      expect(overlaps(turned(0))).toBe(false);
      const slip = 1.5e-3 / (15 * m);
      expect(overlaps(turned(slip)) && overlaps(turned(-slip))).toBe(true);
    }
  });

  test('a bore is a hole', () => {
    const [full, bored] = [involuteGear({ teeth: 20, module: 1 }), involuteGear({ teeth: 20, module: 1, bore: 3 })];
    expect(profileArea(full) - profileArea(bored)).toBeCloseTo(32 * Math.sin((2 * Math.PI) / 64) * 9, 10);
  });
});

test('refuses', () => {
  expect(() => involuteGear({ teeth: 3, module: 1 })).toThrow('involuteGear.teeth: expected a whole number from 4');
  expect(() => involuteGear({ teeth: 20, module: -1 })).toThrow('involuteGear.module: expected a length > 0 m, got -1');
  expect(() => involuteGear({ teeth: 20, module: 1, pressureAngle: 20 })).toThrow('got 20; angles are in rad');
  expect(() => involuteGear({ teeth: 6, module: 1, profileShift: 0.8 })).toThrow('teeth become pointed');
  expect(() => involuteGear({ teeth: 20, module: 1, bore: 9 })).toThrow('involuteGear.bore');
  expect(() => involuteGear({ teeth: 20, module: 1, dedendum: 3 })).toThrow(
    'involuteGear.dedendum: gaps close above the root',
  );
});

describe('flanks as arcs', () => {
  const sizes: readonly (GearSize & { tolerance: number })[] = [
    { teeth: 24, module: 1, tolerance: 1e-4 },
    { teeth: 18, module: 0.5e-3, backlash: 0.02e-3, tolerance: 1e-8 },
    { teeth: 30, module: 1, pressureAngle: 25 * degree, profileShift: 0.3, tolerance: 1e-6, bore: 3 },
    { teeth: 10, module: 1, tolerance: 1e-4 },
    { teeth: 6, module: 1, tolerance: 1e-4 },
  ];
  // Chords through corners of the exact curves converge to them with the square of their length: 600 corners on a flank are within 6e-7 modules of it.
  test.each(sizes)('%j within the tolerance, and smooth where the involute meets fillet and floor', (size) => {
    const { outer, holes } = involuteGear(size);
    const { tolerance, ...chords } = size;
    const exact = involuteGear({ ...chords, points: 600 }).outer;
    const { module: m, teeth } = size;
    expect(outer.length % teeth).toBe(0);
    expect(holes.length).toBe(size.bore ? 1 : 0);
    // every arc, sampled, lies on the fine outline of one tooth and its neighbours
    const near = exact.slice(0, exact.length / teeth).map(polar);
    const fine = near.concat(near.map(({ radius, angle }) => ({ radius, angle: angle + (2 * Math.PI) / teeth })));
    const points = fine.map(({ radius, angle }) => [radius * Math.cos(angle), radius * Math.sin(angle)]);
    const away = ([x, y]: readonly number[]): number => {
      let best = Number.POSITIVE_INFINITY;
      for (let i = 0; i + 1 < points.length; i++) {
        const [[ax, ay], [bx, by]] = [points[i], points[i + 1]];
        const [ux, uy] = [bx - ax, by - ay];
        const s = Math.min(1, Math.max(0, ((x - ax) * ux + (y - ay) * uy) / (ux * ux + uy * uy)));
        best = Math.min(best, Math.hypot(x - ax - s * ux, y - ay - s * uy));
      }
      return best;
    };
    const edges = outer.slice(0, outer.length / teeth).map((from, i) => ({ from, to: outer[i + 1] ?? outer[0] }));
    for (const { from, to } of edges.slice(0, -1)) {
      const { centre, radius, from: start, sweep } = arcCircle(from, to, from[2] ?? 0);
      for (let k = 0; k <= 4; k++) {
        const angle = start + (sweep * k) / 4;
        // tip and floor of the chorded gear are chords themselves: they are not compared
        const p = [centre[0] + radius * Math.cos(angle), centre[1] + radius * Math.sin(angle)];
        const rho = Math.hypot(...(p as [number, number]));
        const { tipRadius, rootRadius } = gearCircles(size);
        if (rho > tipRadius * (1 - 1e-9) || rho < rootRadius * (1 + 1e-9)) continue;
        expect(away(p)).toBeLessThan(tolerance + 1e-6 * m);
      }
    }
    // as a figure it is closed, turns once, and has nearly the area of the fine one
    expect(Math.abs(profileArea({ outer, holes: [] }) / profileArea({ outer: exact, holes: [] }) - 1)).toBeLessThan(
      2e-3 / teeth + (4 * tolerance) / m,
    );
  });

  test('few arcs are as good as many chords', () => {
    const arcs = involuteGear({ teeth: 20, module: 4e-3, tolerance: 1e-6 }).outer.length / 20;
    expect(arcs).toBeLessThan(40); // 63 chords at 16 points a flank are off by 3e-6 m
    expect(() => involuteGear({ teeth: 20, module: 1, tolerance: 0 })).toThrow('involuteGear.tolerance');
  });
});
