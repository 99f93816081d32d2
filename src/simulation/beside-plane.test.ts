import { expect, test } from 'vitest';
import { body, box, extrude, fixed, type ModelOptions, model, prismatic, simulate, type Vec3 } from '../index.js';

const steel = { density: 7800, youngsModulus: 2e11, poissonRatio: 0.3, friction: 0.3 };
/** A clamped strip in the plane of x and z, 50 mm thick along y, and a brick that flies without weight */
const verdict = (
  position: Vec3,
  velocity: Vec3 | undefined,
  exclude: [string, string][] = [],
  held: ModelOptions['joints'] = {},
) =>
  simulate(
    model({
      gravity: 'none',
      bodies: {
        strip: body({
          shape: extrude(
            [
              [-0.2, -0.01],
              [0.2, -0.01],
              [0.2, 0.01],
              [-0.2, 0.01],
            ],
            0.05,
          ),
          material: steel,
          flexible: { modes: 1 },
          position: [0, 0.025, 0],
          orientation: { axis: [1, 0, 0], angle: Math.PI / 2 },
        }),
        brick: body({ shape: box(0.04), material: steel, position, ...(velocity && { velocity }) }),
      },
      joints: { clamp: fixed({ body: 'strip', at: [-0.2, 0, 0] }), ...held },
      contacts: { exclude },
    }),
    { stopTime: 0.2, interval: 0.01 },
  ).trust.verdict!;

test('a body that goes through a planar flexible part from the side makes the run doubtful', () => {
  const { word, reasons } = verdict([0.1, 0.1, 0], [0, -1, 0]);
  expect(word).toBe('doubtful');
  expect(reasons[0].reason).toMatch(
    /^"brick" came into the plane of the flexible part "strip" from the side at t = 0.06 s/,
  );
});

test('one that passes over it, or is excluded, does not', () => {
  expect(verdict([0.1, 0.1, 0.05], [0, -1, 0]).word).toBe('trusted');
  expect(verdict([0.1, 0.1, 0], [0, -1, 0], [['brick', 'strip']]).word).toBe('trusted');
});

test('nor one that flies above it in its plane; one that is pushed off it sideways does', () => {
  expect(verdict([0.1, 0, 0.05], [0.1, 0, 0]).word).toBe('trusted');
  // 1 µm deep in the strip, driven across it
  const slide = prismatic({ body: 'brick', axis: [0, 1, 0], speed: 1 });
  const { word, reasons } = verdict([0.1, 0, 0.03 - 1e-6], undefined, [], { slide });
  expect(word).toBe('doubtful');
  expect(reasons.map(({ reason }) => reason).join()).toMatch(/"brick" left the plane of the flexible part "strip"/);
});
