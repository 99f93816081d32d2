import { expect, test } from 'vitest';
import {
  circleTorque,
  circleTorqueBySpin,
  contactCircleTorque,
  contactCircleTorqueByRadius,
  contactCircleTorqueBySpin,
} from './contact-circle-torque.js';
import { rollingLimit, rollingStiffness } from './rolling-resistance.js';
import {
  rotationalDamping,
  rotationalDampingByArea,
  rotationalDampingByForce,
  rotationalDampingBySpin,
} from './rotational-damping.js';

const slope = (f: (x: number) => number, x: number): number => (f(x * (1 + 1e-6)) - f(x * (1 - 1e-6))) / (2e-6 * x);

test('Elmqvist et al.: −A F c ω', () => {
  expect(rotationalDamping(5, 1e-3, 40, 3)).toBeCloseTo(-0.6, 14);
  expect(rotationalDampingBySpin(5, 1e-3, 40)).toBeCloseTo(
    slope((w) => rotationalDamping(5, 1e-3, 40, w), 3),
    9,
  );
  expect(rotationalDampingByForce(5, 1e-3, 3)).toBeCloseTo(
    slope((F) => rotationalDamping(5, 1e-3, F, 3), 40),
    9,
  );
  expect(rotationalDampingByArea(5, 40, 3)).toBeCloseTo(
    slope((A) => rotationalDamping(5, A, 40, 3), 1e-3),
    6,
  );
});

test('Buse et al. as printed, and with a length in place of the area', () => {
  const law = { friction: 0.4, deadBand: 0.01 };
  expect(contactCircleTorque(law, 10, 0.02, 1e3)).toBeCloseTo(-0.4 * 10 * Math.PI * 4e-4, 14);
  expect(contactCircleTorqueBySpin(law, 10, 0.02, 0.3)).toBeCloseTo(
    slope((w) => contactCircleTorque(law, 10, 0.02, w), 0.3),
    10,
  );
  expect(contactCircleTorqueByRadius(law, 10, 0.02, 0.3)).toBeCloseTo(
    slope((a) => contactCircleTorque(law, 10, a, 0.3), 0.02),
    9,
  );
  expect(circleTorque(law, 10, 0.02, -1e3)).toBeCloseTo(((3 * Math.PI) / 16) * 0.4 * 10 * 0.02, 14);
  expect(circleTorqueBySpin(law, 10, 0.02, 0.3)).toBeCloseTo(
    slope((w) => circleTorque(law, 10, 0.02, w), 0.3),
    9,
  );
});

test('rolling: limit and stiffness', () => {
  expect(rollingLimit(0.1, 30)).toBe(3);
  // 2.25 k_n (µ_r R)² per angle is 2.25 k_n µ_r² per length R·angle
  expect(rollingStiffness(1e6, 0.1)).toBeCloseTo(22500, 8);
});
