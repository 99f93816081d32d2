import { describe, expect, test } from 'vitest';
import { meshMassProperties } from '../geometry/mass-properties.js';
import { validateMesh } from '../geometry/validation.js';
import { assetBytes } from './obj.js';
import { wheel, wheelId } from './wheel.js';
import type { WheelOptions } from './wheel-parameters.js';

const cases: [string, WheelOptions][] = [
  ['smooth', {}],
  ['hollow', { innerRadius: 0.08 }],
  ['straight grousers', { grouser: { count: 24 } }],
  ['slanted', { grouser: { count: 12, shape: 'slanted', angle: 0.5 } }],
  [
    'chevron, convex, hollow',
    {
      innerRadius: 0.07,
      profile: { type: 'convex', curvatureRadius: 0.1 },
      grouser: { count: 18, shape: 'chevron', angle: -0.6 },
    },
  ],
  ['zigzag, fillet', { profile: { edgeFillet: 0.01 }, grouser: { count: 16, shape: 'zigzag', angle: 0.4 } }],
  ['short grousers', { grouser: { count: 10, widthRatio: 0.6, height: 0.02 } }],
  [
    'points',
    {
      profile: {
        type: 'points',
        points: [
          [-0.05, -0.01],
          [0, 0],
          [0.05, -0.02],
        ],
      },
    },
  ],
];

describe('wheels', () => {
  test.each(cases)('%s: one closed solid', (_, options) => {
    const report = validateMesh(wheel({ segments: 48, ...options }).solid.mesh);
    expect(report.ok, JSON.stringify(report.shells)).toBe(true);
    expect(report.shells.count).toBe(1);
    expect(report.degenerate.count).toBe(0);
    // Sphere or ring: V − E + F is 2 without a bore and 0 with one
    const { vertices, triangles } = report;
    expect(vertices - triangles / 2).toBe(options.innerRadius ? 0 : 2);
  });

  // Solid cylinder: V = π r² b, I_yy = m r²/2; a polygon of n corners has sin(2π/n)/(2π/n) of the area, −2.0e-4 at 180
  test('volume and inertia of a smooth wheel are those of a cylinder', () => {
    const { volume, mass, inertia } = meshMassProperties(wheel({ radius: 0.15, width: 0.1 }).solid.mesh, 1000);
    expect(Math.abs(volume / (Math.PI * 0.15 ** 2 * 0.1) - 1)).toBeLessThan(1e-3);
    expect(Math.abs(inertia[4] / (0.5 * mass * 0.15 ** 2) - 1)).toBeLessThan(1e-3);
  });

  // A straight grouser is a trapezoid h (root + tip)/2 on a chord: the arc below the root lies above the chord by root³/(12 r) in area at most
  test('grousers add their trapezoids', () => {
    const size = { radius: 0.1, width: 0.08, segments: 720 };
    const smooth = meshMassProperties(wheel(size).solid.mesh).volume;
    const lugged = meshMassProperties(
      wheel({ ...size, grouser: { count: 20, height: 0.01, root: 0.004, tip: 0.002 } }).solid.mesh,
    ).volume;
    expect((lugged - smooth) / (20 * 0.08 * 0.01 * 0.003)).toBeCloseTo(1, 1);
  });

  test('spokes and hub are one solid with the rim', () => {
    const { solid } = wheel({ segments: 48, innerRadius: 0.085, spokes: { count: 5 } });
    expect(validateMesh(solid.mesh, { selfIntersections: false }).shells.count).toBe(1);
  });

  test('convex pieces: a cylinder and a box for each grouser, two for a chevron', () => {
    expect(wheel({ grouser: { count: 12 } }).convexParts()).toHaveLength(13);
    expect(wheel({ grouser: { count: 12, shape: 'chevron', angle: 0.4 } }).convexParts()).toHaveLength(25);
  });

  test('same parameters, same id and bytes; defaults written out or not', () => {
    expect(wheelId({ radius: 0.1 })).toBe(wheelId());
    expect(wheelId({ radius: 0.11 })).not.toBe(wheelId());
    const bytes = (): Uint8Array =>
      assetBytes([{ name: 'wheel', ...wheel({ segments: 24, grouser: { count: 6 } }).solid }]);
    expect(bytes()).toEqual(bytes());
  });

  test.each<[WheelOptions, string]>([
    [{ radius: -1 }, 'wheel.radius: expected a number from 0.01 m to 2 m, got -1'],
    [{ grouser: { count: 12, tip: 0.01 } }, 'wheel.grouser.tip: expected a tip thinner than the root'],
    [{ innerRadius: 0.1 }, 'wheel.innerRadius: expected at most 0.98 of the radius'],
    [
      { grouser: { cuont: 3 } } as WheelOptions,
      'wheel.grouser.cuont: there is no such parameter; did you mean "count"?',
    ],
  ])('%j is refused', (options, message) => {
    expect(() => wheel(options)).toThrow(message);
  });
});
