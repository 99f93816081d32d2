// A strip in three pieces, on a hub that is turned by 2 rad and pulled aside at its end, drawn f times bent: v(L) = F L³/(3 E I) + 6/5 F L/(G b h)
// (Timoshenko, Strength of Materials, 1955), across where the undeformed strip lies.
import { expect, test } from 'vitest';
import { extrude } from '../../geometry/extrude.js';
import { body } from '../../model/body.js';
import { applied } from '../../model/forces.js';
import { fixed } from '../../model/joints.js';
import { model } from '../../model/model.js';
import { simulate } from '../../simulation/simulation.js';
import { readScene, sceneBytes } from './scene-bytes.js';
import { SurfaceReader } from './surface-frames.js';

const [L, h, b, F, turn] = [0.3, 0.01, 0.01, 5, 2];
const material = { density: 2700, youngsModulus: 70e9, poissonRatio: 0.33 };

test('pieces of one part stay together, however often their deformation is drawn', () => {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const recording = simulate(
    model({
      gravity: 'none',
      bodies: {
        strip: body({
          shape: extrude(
            [
              [0, -h / 2],
              [L, -h / 2],
              [L, h / 2],
              [0, h / 2],
            ],
            b,
          ),
          material,
          position: [1, 2, 3],
          orientation: [Math.cos(turn / 2), 0, 0, Math.sin(turn / 2)],
          flexible: { substructures: 3, modes: 0 },
        }),
      },
      joints: { wall: fixed({ body: 'strip', at: [1, 2, 3] }) },
      forces: {
        end: applied({ on: { body: 'strip', at: [1 + L * c, 2 + L * s, 3] }, force: [F * s, -F * c, 0] }),
      },
      simulation: { start: 'equilibrium', stop: 1e-3, interval: 1e-3 },
    }),
  );
  // as a recording has it
  const scene = readScene(sceneBytes(recording.scene!), 'scene');
  const reader = new SurfaceReader(scene, recording.signals);
  const I = (b * h ** 3) / 12;
  const shear = material.youngsModulus / (2 * (1 + material.poissonRatio));
  const sinks = (F * L ** 3) / (3 * material.youngsModulus * I) + (1.2 * F * L) / (shear * b * h);
  for (const f of [0, 1, 50]) {
    const frames = reader.frames(recording.samples.row(0), [], undefined, f);
    expect(frames.length).toBe(3);
    // along and across the undeformed strip
    const own = frames.map(({ vertices }) =>
      Array.from({ length: vertices.length / 3 }, (_, i) => {
        const [x, y] = [vertices[3 * i] - 1, vertices[3 * i + 1] - 2];
        return { along: c * x + s * y, across: c * y - s * x, up: vertices[3 * i + 2] };
      }),
    );
    const rest = reader.frames(recording.samples.row(0), [], undefined, 0).map(({ vertices }) => vertices);
    const alongOf = (piece: number, i: number): number =>
      c * (rest[piece][3 * i] - 1) + s * (rest[piece][3 * i + 1] - 2);
    // seams: every node at the end of a piece is where one at the beginning of the next is, but for the turn θ of an end, which is linear in one
    // piece and exact as the frame of the next: h/2 · θ²/2, and rounding at some metres; apart by their sag they would be 0.1 mm, f times
    const slope = (F * L ** 2) / (2 * material.youngsModulus * I);
    const seamed = 1e-14 + f * ((h / 4) * slope ** 2 + 1e-14);
    for (const piece of [0, 1]) {
      const seam = ((piece + 1) * L) / 3;
      const [ends, begins] = [piece, piece + 1].map((which) =>
        own[which].filter((_, i) => Math.abs(alongOf(which, i) - seam) < 1e-9),
      );
      expect(ends.length).toBeGreaterThan(4);
      for (const { along, across, up } of ends)
        expect(Math.min(...begins.map((p) => Math.hypot(p.along - along, p.across - across, p.up - up)))).toBeLessThan(
          seamed,
        );
    }
    // the end sags f times; the clamped edge keeps its Poisson strain: 0.2 %
    const tip = own[2].filter((_, i) => Math.abs(alongOf(2, i) - L) < 1e-9);
    const middle = tip.reduce((sum, { across }) => sum + across, 0) / tip.length;
    expect(Math.abs(-middle - f * sinks)).toBeLessThan(2e-3 * f * sinks + 1e-12);
    expect(Math.max(...tip.map(({ up }) => up)) - 3).toBeCloseTo(b, 12);
  }
});
