// Pins in holes of parts that deform. A pin that is wider by δ than its hole of radius a in a ring of outer radius b (Lamé; Timoshenko, Strength of Materials II, § 41),
//
//   p = E δ/a / (k + ν)          rigid pin;      E δ/a / (k + 1) of the ring's own material,      k = (b² + a²)/(b² − a²)
//   σθ = p k at the hole, p (k − 1) at the outside,     energy ½ p 2π a t δ
import { describe, expect, test } from 'vitest';
import { body, circle, disc, extrude, model, Simulation } from '../../src/index.js';

const [a, b, t] = [0.02, 0.04, 0.01];
const steel = { density: 7850, youngsModulus: 210e9, poissonRatio: 0.3 };
const k = (b * b + a * a) / (b * b - a * a);

const ring = body({
  shape: extrude({ outer: circle(b), holes: [circle(a)] }, t),
  material: steel,
  flexible: { meshSize: 4e-3, chords: 36, modes: 6, gauges: { hole: { at: [a, 0] }, outside: { at: [b, 0] } } },
});
const pins = {
  disc: (wider: number) =>
    body({
      shape: disc({ radius: a + wider, height: t }),
      position: [0, 0, t / 2],
      material: steel,
      fixed: true,
    }),
  // corners of its facets stand between those of the hole
  'extrusion, turned': (wider: number) =>
    body({
      shape: extrude(circle(a + wider), t),
      orientation: { axis: [0, 0, 1], angle: Math.PI / 64 },
      material: steel,
      fixed: true,
    }),
  'pin that deforms': (wider: number) =>
    body({ shape: extrude(circle(a + wider), t), material: steel, flexible: { meshSize: 4e-3, chords: 36, modes: 6 } }),
};
const scene = (kind: keyof typeof pins, wider: number, start?: 'equilibrium') =>
  new Simulation(
    model({
      gravity: [0, 0, 0],
      bodies: { ring, pin: pins[kind](wider) },
      contacts: { defaults: { friction: 0 } },
      ...(start && { simulation: { start } }),
    }),
    { stopTime: 1e-4, interval: 1e-4, rtol: 1e-5, maxSteps: 60 },
  );

describe('press fit at rest, as Lamé says', () => {
  test.each([
    ['disc', 20e-6],
    ['disc', 100e-6],
    ['extrusion, turned', 20e-6],
    ['pin that deforms', 20e-6],
  ] as const)('%s, %f m', (kind, wider) => {
    const recording = scene(kind, wider, 'equilibrium').finish();
    const p = (210e9 * wider) / a / (k + (kind === 'pin that deforms' ? 1 : 0.3));
    const over = (name: string, reference: number) => recording.signal(name).at(-1)! / reference;
    // sides of a fifth of the radius, which give by h/(20 E): 0.3 % of the ring's own; δ/a, for Lamé tells no larger displacement; stress at a node of the hole 1 %
    const error = 3.5e-3 + wider / a;
    expect(Math.abs(over('energy.elastic', Math.PI * p * a * t * wider) - 1)).toBeLessThan(error);
    expect(Math.abs(over('ring.stress.outside.major', p * (k - 1)) - 1)).toBeLessThan(error);
    expect(Math.abs(over('ring.stress.hole.major', p * k) - 1)).toBeLessThan(0.01);
    expect(Math.abs(over('ring.stress.hole.minor', -p) - 1)).toBeLessThan(0.02);
    expect(recording.trust.verdict?.word).toBe('trusted');
    // it stays at rest
    expect(recording.trust.steps!.accepted).toBeLessThan(10);
  });
});

test('where it is drawn overlapping and let go, the ring rings: steps follow its waves', () => {
  const run = scene('disc', 20e-6);
  run.advance(2e-5);
  // a step a microsecond; a place of nearest distance that jumped along its sides held them at 1e-14 s
  expect(run.time).toBeGreaterThanOrEqual(2e-5);
});

test('pins with little room are in their holes, those that are far too wide are not', () => {
  for (const kind of ['extrusion, turned', 'pin that deforms'] as const) {
    expect(scene(kind, -1e-5).recording.signal('contacts.ring-pin.points').at(0)).toBe(0);
    expect(() => scene(kind, 8e-3)).toThrow(/^contacts \(ring–pin\): "pin" is drawn inside "ring"/);
  }
});
