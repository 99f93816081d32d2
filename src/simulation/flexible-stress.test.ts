// A steel strip 1 × 0.1 × 0.01 m, clamped at one end, under its own weight: started in equilibrium it stays there; Bernoulli's beam sags by
// ρ g A L⁴/(8 E I) and bears 3 ρ g L²/h at its root.
import { describe, expect, test } from 'vitest';
import { applyMass } from '../flexible-bodies/fem/plane-elements.js';
import { PlanePart } from '../flexible-bodies/fem/plane-part.js';
import { nodalStress, vonMises } from '../flexible-bodies/fem/stress.js';
import { stripMesh } from '../flexible-bodies/mesh/strip.js';
import { circle } from '../geometry/circle-outline.js';
import { extrude } from '../geometry/extrude.js';
import { body } from '../model/body.js';
import type { FlexibleOptions } from '../model/flexible.js';
import { fixed, revolute } from '../model/joints.js';
import { model } from '../model/model.js';
import { simulate } from './simulation.js';

const [E, density, g] = [210e9, 7850, 9.81];
const cantilever = (flexible: FlexibleOptions, start: 'as drawn' | 'equilibrium') =>
  simulate(
    model({
      gravity: [0, -g, 0],
      contacts: false,
      bodies: {
        beam: body({
          shape: extrude(
            [
              [0, -0.05],
              [1, -0.05],
              [1, 0.05],
              [0, 0.05],
            ],
            0.01,
          ),
          material: { density, youngsModulus: E, poissonRatio: 0.3 },
          flexible: { grid: [40, 4], gauges: { root: { at: [0.05, 0.05] } }, ...flexible },
        }),
      },
      joints: { wall: fixed({ body: 'beam' }) },
      simulation: { start, stop: 0.05, interval: 0.001 },
    }),
  );

/** von Mises at (0.05, 0.05) by the whole mesh */
function wholeModel(): number {
  const material = { youngsModulus: E, poissonRatio: 0.3, density, thickness: 0.01 };
  const part = new PlanePart(stripMesh([0, -0.05], [1, 0.05], 40, 4), material);
  const { points, nodeCount } = part.mesh;
  const u = new Float64Array(part.size);
  applyMass(
    part.matrices,
    Float64Array.from({ length: part.size }, (_, i) => (i % 2 === 1 ? -g : 0)),
    u,
  );
  part.factor(Uint8Array.from({ length: part.size }, (_, i) => (points[2 * (i >> 1)] === 0 ? 0 : 1))).solve(u);
  const stress = nodalStress(part.mesh, material, u);
  const at = Array.from({ length: nodeCount }, (_, i) => i).find(
    (i) => Math.abs(points[2 * i] - 0.05) < 1e-9 && Math.abs(points[2 * i + 1] - 0.05) < 1e-9,
  )!;
  return vonMises(stress[3 * at], stress[3 * at + 1], stress[3 * at + 2]);
}

const span = (values: Float64Array): number => Math.max(...values) - Math.min(...values);

test('a start in equilibrium does not ring, one as drawn swings to twice the sag', () => {
  const rest = cantilever({ modes: 6 }, 'equilibrium').signal('beam.strainEnergy').values;
  // what the steps of the run, at 1e-6, make of rest
  expect(span(rest)).toBeLessThan(1e-7 * rest[0]);
  const drawn = cantilever({ modes: 6, damping: 0 }, 'as drawn').signal('beam.strainEnergy').values;
  // energy at twice the sag is four times that of rest; higher modes take part in it
  expect(Math.max(...drawn) / rest[0]).toBeGreaterThan(3.8);
  expect(Math.max(...drawn) / rest[0]).toBeLessThan(4.3);
});

describe('stress near the root', () => {
  const whole = wholeModel();
  const found = (flexible: FlexibleOptions) =>
    cantilever(flexible, 'equilibrium').signal('beam.stress.root.mises').values[0];
  test('Bernoulli: 3 ρ g (L − x)²/h', () => {
    expect(Math.abs(whole / ((3 * density * g * 0.95 * 0.95) / 0.1) - 1)).toBeLessThan(0.01);
  });
  test('one mode alone misses it, by mode acceleration it is that of the whole mesh', () => {
    expect(Math.abs(found({ modes: 1 }) / whole - 1)).toBeGreaterThan(0.05);
    // equilibrium is found to 1e-13 of the accelerations, stress of modes and of the rest add up exactly
    expect(Math.abs(found({ modes: 1, stress: 'mode acceleration' }) / whole - 1)).toBeLessThan(1e-7);
    expect(Math.abs(found({ modes: 4, stress: 'mode acceleration' }) / whole - 1)).toBeLessThan(1e-7);
  });
});

test('principal stresses: tension above, pressure below, and the gauge lies between', () => {
  const recording = cantilever({ modes: 4 }, 'equilibrium');
  const [major, minor] = ['major', 'minor'].map((which) => recording.signal(`beam.stress.${which}`).values[0]);
  expect(major).toBeGreaterThan(0);
  expect(Math.abs(minor / major + 1)).toBeLessThan(1e-6);
  expect(recording.signal('beam.stress.root.major').values[0]).toBeLessThan(major);
});

test('a gauge beside the part is refused', () => {
  expect(() => cantilever({ gauges: { tip: { at: [1.2, 0] } } }, 'as drawn')).toThrow(
    /bodies\.beam\.flexible\.gauges\.tip\.at: the nearest node of the mesh is 0\.200 m away/,
  );
});

// A hanging bar of rubber so soft that its weight stretches it by ρ g L/E = 26 %
test('strain beyond what small strain is good for makes a run doubtful', () => {
  const hung = (youngsModulus: number) =>
    simulate(
      model({
        gravity: [g, 0, 0],
        contacts: false,
        bodies: {
          bar: body({
            shape: extrude(
              [
                [0, -0.05],
                [1, -0.05],
                [1, 0.05],
                [0, 0.05],
              ],
              0.01,
            ),
            material: { density: 2700, youngsModulus, poissonRatio: 0 },
            flexible: { grid: [10, 1] },
          }),
        },
        joints: { wall: fixed({ body: 'bar' }) },
        simulation: { start: 'equilibrium', stop: 1e-3, interval: 1e-3 },
      }),
    ).trust.verdict!;
  expect(hung(1e5).word).toBe('doubtful');
  expect(hung(1e5).reasons[0].reason).toContain('bodies.bar is strained by 2');
  expect(hung(1e7).word).toBe('trusted');
});

// A thin disc that turns freely has (3 + ν)/8 ρ ω² R² in its middle, a bar about its end ρ ω² (L² − x²)/2 (Timoshenko & Goodier, §32). Their lowest modes only bend: none
// of them widens the disc or stretches the bar.
describe('what the modes do not have is told, and mode acceleration has it', () => {
  const [R, speed] = [0.1, 500];
  const disc = (flexible: FlexibleOptions) =>
    simulate(
      model({
        gravity: 'none',
        contacts: false,
        bodies: {
          disc: body({
            shape: extrude(circle(R), 0.005),
            material: { density, youngsModulus: E, poissonRatio: 0.3 },
            flexible: { meshSize: 0.02, gauges: { middle: { at: [0, 0] } }, ...flexible },
            angularVelocity: [0, 0, speed],
          }),
        },
        simulation: { stop: 1e-3, interval: 1e-3 },
      }),
    );
  test('a disc that spins', () => {
    const exact = (3.3 / 8) * density * speed ** 2 * R ** 2;
    const run = disc({});
    expect(run.signal('disc.stress.middle.major').values[1] / exact).toBeLessThan(0.01);
    expect(run.trust.verdict!.word).toBe('doubtful');
    expect(run.trust.verdict!.reasons[0].reason).toContain('in ways that its 4 modes do not have (stress.beyond)');
    expect(Math.abs(run.signal('disc.stress.beyond').values[1] / exact - 1)).toBeLessThan(0.05);
    const whole = disc({ stress: 'mode acceleration' });
    // 24 chords, sides of 20 mm
    expect(Math.abs(whole.signal('disc.stress.middle.major').values[1] / exact - 1)).toBeLessThan(0.02);
    expect(whole.trust.verdict!.word).toBe('trusted');
  });
  // A long cylinder: σr = σθ = (3 − 2 ν)/(8 (1 − ν)) ρ ω² R² in its middle (§32 with E/(1 − ν²) and ν/(1 − ν)), σz = 2 ν σr, so that von Mises stress is (1 − 2 ν) of that
  test('a disc of plane strain: what holds it across counts in von Mises stress', () => {
    const exact = (2.4 / 5.6) * density * speed ** 2 * R ** 2;
    const run = disc({ planeStrain: true });
    // as of the other disc
    expect(Math.abs(run.signal('disc.stress.beyond').values[1] / (0.4 * exact) - 1)).toBeLessThan(0.05);
    const whole = disc({ planeStrain: true, stress: 'mode acceleration' });
    expect(Math.abs(whole.signal('disc.stress.middle.major').values[1] / exact - 1)).toBeLessThan(0.02);
    expect(Math.abs(whole.signal('disc.stress.middle.mises').values[1] / (0.4 * exact) - 1)).toBeLessThan(0.02);
  });
  // 0.37 and 0.95 of its first frequency, 2π 16.7 rad/s
  test.each([
    [40, 'trusted', 'notes'],
    [100, 'doubtful', 'reasons'],
  ])('a bar of 1 m at %d rad/s turns too fast for linear strain', (w, word, where) => {
    const run = simulate(
      model({
        gravity: 'none',
        contacts: false,
        bodies: {
          bar: body({
            shape: extrude(
              [
                [0, -0.01],
                [1, -0.01],
                [1, 0.01],
                [0, 0.01],
              ],
              0.01,
            ),
            material: { density, youngsModulus: E, poissonRatio: 0.3 },
            flexible: { grid: [50, 1], stress: 'mode acceleration', gauges: { tenth: { at: [0.1, 0.01] } } },
          }),
        },
        joints: { hub: revolute({ body: 'bar', axis: [0, 0, 1], speed: w }) },
        simulation: { start: 'equilibrium', stop: 1e-3, interval: 1e-3 },
      }),
    );
    expect(Math.abs(run.signal('bar.stress.tenth.major').values[1] / ((density * w * w * 0.99) / 2) - 1)).toBeLessThan(
      2e-3,
    );
    expect(run.trust.verdict!.word).toBe(word);
    const told = where === 'notes' ? run.trust.notes! : run.trust.verdict!.reasons.map(({ reason }) => reason);
    expect(told.join()).toContain(`bodies.bar turns at up to ${w.toPrecision(3)} rad/s`);
  });
});

// What loads a part by inertia is recorded beside its coordinates: products of the angular velocity in the axes of its mesh, and 2 ω η of each coordinate
describe('inertia as recorded', () => {
  const bar = extrude(
    [
      [0, -0.05],
      [1, -0.05],
      [1, 0.05],
      [0, 0.05],
    ],
    0.05,
  );
  const material = { density: 1000, youngsModulus: 1e8, poissonRatio: 0.3 };
  test('of a solid that turns about all axes', () => {
    const run = simulate(
      model({
        gravity: 'none',
        contacts: false,
        bodies: {
          bar: body({
            shape: bar,
            material,
            flexible: { grid: [4, 1], layers: 1, modes: 1, stress: 'mode acceleration' },
            angularVelocity: [1, 2, 3],
          }),
        },
        simulation: { stop: 1e-4, interval: 1e-4 },
      }),
    );
    // ωx², ωy², ωz², ωx ωy, ωy ωz, ωz ωx
    const told = [7, 8, 9, 10, 11, 12].map((k) => run.signal(`bar.inertia.${k}`).values[0]);
    [1, 4, 9, 2, 6, 3].forEach((square, k) => {
      expect(told[k]).toBeCloseTo(square, 9);
    });
  });
  test('of a planar part that bends as it turns', () => {
    const [speed, interval] = [20, 1e-5];
    const run = simulate(
      model({
        gravity: [0, -g, 0],
        contacts: false,
        bodies: {
          bar: body({ shape: bar, material, flexible: { grid: [10, 1], modes: 1, stress: 'mode acceleration' } }),
        },
        joints: { hub: revolute({ body: 'bar', axis: [0, 0, 1], speed }) },
        simulation: { stop: 2e-3, interval },
      }),
    );
    const { values } = run.signal('bar.deformation.1');
    const coriolis = run.signal('bar.inertia.6').values;
    const most = Math.max(...coriolis.map(Math.abs));
    expect(most).toBeGreaterThan(0.01);
    // rates by central differences over two rows, wrong by ω² h²/6 of the mode
    for (let k = 20; k < values.length - 1; k += 20)
      expect(Math.abs((2 * speed * (values[k + 1] - values[k - 1])) / (2 * interval) - coriolis[k])).toBeLessThan(
        1e-3 * most,
      );
    expect(run.signal('bar.inertia.4').values[5]).toBeCloseTo(speed * speed, 9);
  });
});
