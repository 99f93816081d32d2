// A gate on a hinge strikes the edge of a free box, with friction: one blow, within a step, as rigid bodies have it. Impulses P along the normal n and −µ P along the face t (the edge slides all
// the while), mobilities W(a, b) = a·b/m + (r × a)(r × b)/I_box + (c × a)(c × b)/I_gate:
//
//   u_n' = −e u_n   gives   P = −(1 + e) u_n / (W(n, n) − µ W(n, t))
//
// W(n, t)/W(n, n) is a half here: the load that friction assumes and the load that comes out depend on each other, and have to be closed.
import { describe, expect, test } from 'vitest';
import { body, box, type Model, model, oak, revolute, simulate } from '../../src/index.js';

const [length, thickness, height] = [0.8, 0.04, 0.1];
const [gateMass, boxMass, speed] = [3, 1, 2];
const edge = [0.65, 0.07]; // of the box, that is struck
const half = 0.05;

interface Blow {
  readonly e: number;
  readonly mu: number;
  readonly driven: boolean;
}

const gate = ({ e, mu, driven }: Blow): Model =>
  model({
    gravity: [0, 0, 0],
    bodies: {
      gate: body({
        shape: box([length, thickness, height]),
        material: oak,
        mass: gateMass,
        position: [length / 2, 0, 0],
      }),
      box: body({
        shape: box([2 * half, 2 * half, height]),
        material: oak,
        mass: boxMass,
        position: [edge[0] - half, edge[1] + half, 0],
      }),
    },
    joints: {
      hinge: revolute({
        body: 'gate',
        axis: [0, 0, 1],
        at: [0, 0, 0],
        ...(driven ? { speed } : { initialSpeed: speed }),
      }),
    },
    contacts: { defaults: { friction: mu, restitution: e } },
  });

const cross = (a: readonly number[], b: readonly number[]): number => a[0] * b[1] - a[1] * b[0];
const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1];

/** Speed of the hinge, velocity and turn of the box after the blow */
function rigid({ e, mu, driven }: Blow): number[] {
  // the face, half the thickness off the hinge, comes to the edge at the angle θ
  let angle = 0;
  for (let again = 0; again < 30; again++)
    angle += (edge[1] * Math.cos(angle) - edge[0] * Math.sin(angle) - thickness / 2) / Math.hypot(edge[0], edge[1]);
  const n = [-Math.sin(angle), Math.cos(angle)];
  const t = [Math.cos(angle), Math.sin(angle)];
  const r = [half, -half];
  const boxInertia = (boxMass * (2 * half) ** 2) / 6;
  const gateInertia = (gateMass * (length ** 2 + thickness ** 2)) / 12 + (gateMass * length ** 2) / 4;
  const yields = driven ? 0 : 1 / gateInertia;
  const mobility = (a: number[], b: number[]): number =>
    dot(a, b) / boxMass + (cross(r, a) * cross(r, b)) / boxInertia + cross(edge, a) * cross(edge, b) * yields;
  const approach = speed * cross(edge, n);
  const impulse = ((1 + e) * approach) / (mobility(n, n) - mu * mobility(n, t));
  const p = [impulse * (n[0] - mu * t[0]), impulse * (n[1] - mu * t[1])];
  return [speed - cross(edge, p) * yields, p[0] / boxMass, p[1] / boxMass, cross(r, p) / boxInertia];
}

const struck = (blow: Blow, step: number) =>
  simulate(gate(blow), { integrator: 'time-stepping', step, stopTime: 0.0425, interval: 0.0425 });

describe('a gate strikes the edge of a box', () => {
  test.each([
    { e: 0.5, mu: 0, driven: false },
    { e: 0.5, mu: 0.3, driven: false },
    { e: 0.9, mu: 0.3, driven: false },
    { e: 0.2, mu: 0.15, driven: false },
    { e: 0.5, mu: 0.3, driven: true },
  ])('e = $e, µ = $mu, driven: $driven', (blow) => {
    const exact = rigid(blow);
    for (const step of [1e-3, 1e-4]) {
      const run = struck(blow, step);
      const after = ['hinge.speed', 'box.velocity.x', 'box.velocity.y', 'box.angularVelocity.z'].map(
        (name) => run.signal(name).at(-1)!,
      );
      // loads are closed to 3e-3; the face may have turned by ω h beyond the edge, which turns the impulse: v_x by ω h v_y, 2.6 times its part
      for (const [i, value] of after.entries())
        expect(Math.abs(value - exact[i]) / Math.max(Math.abs(exact[i]), 0.3)).toBeLessThan(3e-3 + 2.6 * speed * step);
    }
  });

  test('friction in the blow is told with its amount', () => {
    const rubbed = (blow: Blow): string | undefined =>
      struck(blow, 1e-3).trust.notes?.find((note) => note.startsWith('friction in blows'));
    expect(rubbed({ e: 0.5, mu: 0.3, driven: false })).toMatch(/J into heat, 0\.0\d+ of the energy that moved/);
    expect(rubbed({ e: 0.5, mu: 0, driven: false })).toBeUndefined();
  });
});
