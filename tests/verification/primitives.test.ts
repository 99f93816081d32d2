// Volume, surface and inertia of solids by construction against their closed forms. All vertices of a round solid lie on
// the true surface, so a mesh of edge h misses by an error of order h²: halving h must quarter it.
import { describe, expect, test } from 'vitest';
import { extrude } from '../../src/geometry/extrude.js';
import { meshMassProperties } from '../../src/geometry/mass-properties.js';
import {
  box,
  capsule,
  circleOutline,
  cone,
  cylinder,
  frustum,
  sphere,
  torus,
  tube,
  wedge,
} from '../../src/geometry/primitives.js';
import { revolve } from '../../src/geometry/revolve.js';
import { rotate, translate } from '../../src/geometry/transform.js';
import { type TriangleMesh, triangleMesh } from '../../src/geometry/triangle-mesh.js';

const { PI } = Math;

interface ClosedForm {
  /** mesh at the n-th halving of its edges */
  readonly mesh: (n: number) => TriangleMesh;
  readonly volume: number;
  readonly area: number;
  /** of density 1 about the centroid, across and along the z axis */
  readonly across: number;
  readonly along: number;
}

const [r, h, R] = [0.7, 1.3, 2];
const [cylinderVolume, ballVolume] = [PI * r ** 2 * h, (4 / 3) * PI * r ** 3];

const forms: Record<string, ClosedForm> = {
  sphere: {
    mesh: (n) => sphere(r, { subdivision: 4 * 2 ** n }).mesh,
    volume: ballVolume,
    area: 4 * PI * r ** 2,
    across: 0.4 * ballVolume * r ** 2,
    along: 0.4 * ballVolume * r ** 2,
  },
  cylinder: {
    mesh: (n) => cylinder({ radius: r, height: h, segments: 24 * 2 ** n }).mesh,
    volume: cylinderVolume,
    area: 2 * PI * r * (r + h),
    across: (cylinderVolume * (3 * r ** 2 + h ** 2)) / 12,
    along: (cylinderVolume * r ** 2) / 2,
  },
  tube: {
    mesh: (n) => tube({ outerRadius: R, innerRadius: r, height: h, segments: 24 * 2 ** n }).mesh,
    volume: PI * (R ** 2 - r ** 2) * h,
    area: 2 * PI * (R + r) * h + 2 * PI * (R ** 2 - r ** 2),
    across: (PI * h * (R ** 2 - r ** 2) * (3 * (R ** 2 + r ** 2) + h ** 2)) / 12,
    along: (PI * h * (R ** 4 - r ** 4)) / 2,
  },
  cone: {
    mesh: (n) => cone({ radius: r, height: h, segments: 24 * 2 ** n }).mesh,
    volume: cylinderVolume / 3,
    area: PI * r * (r + Math.hypot(r, h)),
    across: ((cylinderVolume / 3) * 3 * (4 * r ** 2 + h ** 2)) / 80,
    along: (cylinderVolume / 3) * 0.3 * r ** 2,
  },
  frustum: frustumForm(1.1, 0.4, 0.9),
  capsule: {
    // A cylinder and two half balls, each of centroid 3r/8 beyond the cylinder's end
    mesh: (n) => capsule({ radius: r, height: h, segments: 24 * 2 ** n }).mesh,
    volume: cylinderVolume + ballVolume,
    area: 2 * PI * r * h + 4 * PI * r ** 2,
    across: (cylinderVolume * (3 * r ** 2 + h ** 2)) / 12 + ballVolume * (0.4 * r ** 2 + h ** 2 / 4 + (3 / 8) * h * r),
    along: (cylinderVolume * r ** 2) / 2 + 0.4 * ballVolume * r ** 2,
  },
  torus: torusForm(
    (n) => torus({ majorRadius: R, minorRadius: r, segments: 24 * 2 ** n, minorSegments: 12 * 2 ** n }).mesh,
  ),
  'torus by revolving a circle': torusForm(
    (n) => revolve(translate([R, 0], circleOutline(12 * 2 ** n, r)), { segments: 24 * 2 ** n }).mesh,
  ),
};

function torusForm(mesh: (n: number) => TriangleMesh): ClosedForm {
  const volume = 2 * PI ** 2 * R * r ** 2;
  return {
    mesh,
    volume,
    area: 4 * PI ** 2 * R * r,
    across: volume * (R ** 2 / 2 + (5 / 8) * r ** 2),
    along: volume * (R ** 2 + 0.75 * r ** 2),
  };
}

/** A frustum is the difference of two cones on one axis; Steiner moves their inertia to the common centroid. */
function frustumForm(a: number, b: number, height: number): ClosedForm {
  const whole = (height * a) / (a - b);
  const tip = whole - height;
  const [V, v] = [(PI * a ** 2 * whole) / 3, (PI * b ** 2 * tip) / 3];
  const volume = V - v;
  // Centroid of a cone: a quarter of its height above its base; heights counted from the large base
  const [Z, z] = [whole / 4, height + tip / 4];
  const centroid = (V * Z - v * z) / volume;
  const acrossOf = (mass: number, radius: number, length: number) => (3 / 80) * mass * (4 * radius ** 2 + length ** 2);
  return {
    mesh: (n) => frustum({ bottomRadius: a, topRadius: b, height, segments: 24 * 2 ** n }).mesh,
    volume,
    area: PI * (a ** 2 + b ** 2 + (a + b) * Math.hypot(height, a - b)),
    across: acrossOf(V, a, whole) + V * (Z - centroid) ** 2 - acrossOf(v, b, tip) - v * (z - centroid) ** 2,
    along: 0.3 * (V * a ** 2 - v * b ** 2),
  };
}

describe.each(Object.entries(forms))('%s', (name, form) => {
  test('volume, area and inertia converge to the closed form at second order', () => {
    const errors = [1, 2, 3].map((n) => {
      const { volume, area, inertia } = meshMassProperties(form.mesh(n));
      return {
        volume: volume / form.volume - 1,
        area: area / form.area - 1,
        'inertia across': inertia[0] / form.across - 1,
        'inertia along': inertia[8] / form.along - 1,
      };
    });
    for (const quantity of ['volume', 'area', 'inertia across', 'inertia along'] as const) {
      const orders = [0, 1].map((k) => Math.log2(errors[k][quantity] / errors[k + 1][quantity]));
      console.log(
        `${name}, ${quantity}: error ${errors[2][quantity].toExponential(2)}, order ${orders.map((x) => x.toFixed(3)).join(', ')}`,
      );
      for (const order of orders) {
        expect(order).toBeGreaterThan(1.9);
        expect(order).toBeLessThan(2.1);
      }
      expect(Math.abs(errors[2][quantity])).toBeLessThan(5e-3);
    }
  });
});

describe('polyhedra are exact to rounding', () => {
  test('box, anywhere and any way up', () => {
    const [a, b, c] = [0.3, 1.7, 0.011];
    const exact = box([a, b, c]).mesh;
    const { volume, area, inertia } = meshMassProperties(exact);
    expect(Math.abs(volume / (a * b * c) - 1)).toBeLessThan(1e-15);
    expect(Math.abs(area / (2 * (a * b + b * c + c * a)) - 1)).toBeLessThan(1e-15);
    for (const [k, square] of [b ** 2 + c ** 2, a ** 2 + c ** 2, a ** 2 + b ** 2].entries())
      expect(Math.abs(inertia[4 * k] / ((a * b * c * square) / 12) - 1)).toBeLessThan(1e-14);
    const turned = meshMassProperties(
      translate([3, -2, 5], rotate({ axis: [1, 2, 3], angle: 0.7 }, box([a, b, c]))).mesh,
    );
    // Corners 6 m away are rounded to 4e-16 m, of a thickness of 0.011 m
    expect(Math.abs(turned.volume / (a * b * c) - 1)).toBeLessThan(1e-12);
  });

  test('tetrahedron: one sixth of its parallelepiped', () => {
    const mesh = triangleMesh(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      [
        [0, 2, 1],
        [0, 1, 3],
        [1, 2, 3],
        [0, 3, 2],
      ],
    );
    const { volume, area } = meshMassProperties(mesh);
    expect(Math.abs(6 * volume - 1)).toBeLessThan(1e-15);
    expect(Math.abs(area / (1.5 + Math.sqrt(3) / 2) - 1)).toBeLessThan(1e-15);
  });

  test('wedge and extruded polygon', () => {
    expect(Math.abs(meshMassProperties(wedge({ size: [0.3, 0.2, 0.1] }).mesh).volume / 3e-3 - 1)).toBeLessThan(
      1e-15 * 4,
    );
    // An L of area 5 by hand, 0.2 high
    const angle = extrude(
      [
        [0, 0],
        [4, 0],
        [4, 1],
        [1, 1],
        [1, 2],
        [0, 2],
      ],
      0.2,
    );
    expect(Math.abs(meshMassProperties(angle.mesh).volume - 1)).toBeLessThan(1e-15 * 4);
  });
});
