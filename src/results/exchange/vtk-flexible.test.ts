// What ParaView gets of a part that deforms, read back by the format's own words: a strip of length L, height h, thickness b, clamped at x = 0 and
// pulled down at its end, at rest. Timoshenko, Strength of Materials (1955): v = F L³/(3 E I) + 6/5 F L/(G b h), σ(x) = F (L − x) h/(2 I).
import { expect, test } from 'vitest';
import { extrude } from '../../geometry/extrude.js';
import { body } from '../../model/body.js';
import { applied } from '../../model/forces.js';
import { fixed } from '../../model/joints.js';
import { model } from '../../model/model.js';
import { simulate } from '../../simulation/simulation.js';
import { vtkFiles } from './vtk.js';

const [L, h, b, F] = [0.2, 0.01, 0.01, 100];
const material = { density: 2700, youngsModulus: 70e9, poissonRatio: 0.33 };

/** Arrays of a legacy file in binary PolyData, by name: line by line, numbers big endian behind the lines that announce them. */
function read(bytes: Uint8Array): Map<string, number[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const arrays = new Map<string, number[]>();
  let at = 0;
  let count = 0;
  const line = (): string => {
    const end = bytes.indexOf(10, at);
    const text = new TextDecoder().decode(bytes.subarray(at, end));
    at = end + 1;
    return text;
  };
  const take = (name: string, n: number, type: string): void => {
    arrays.set(
      name,
      Array.from({ length: n }, (_, i) => (type === 'int' ? view.getInt32(at + 4 * i) : view.getFloat32(at + 4 * i))),
    );
    at += 4 * n;
  };
  while (at < bytes.length) {
    const [word, name, size] = line().split(' ');
    if (word === 'POINTS') take(word, 3 * Number(name), size);
    else if (word === 'POLYGONS') take(word, Number(size), 'int');
    else if (word.endsWith('_DATA')) count = Number(name);
    else if (word === 'VECTORS') take(name, 3 * count, size);
    else if (word === 'SCALARS') {
      line(); // LOOKUP_TABLE
      take(name, count, size);
    }
  }
  return arrays;
}

test('a bent strip: mesh, displacement and stress', () => {
  const shape = extrude(
    [
      [0, -h / 2],
      [L, -h / 2],
      [L, h / 2],
      [0, h / 2],
    ],
    b,
  ); // prettier-ignore
  const recording = simulate(
    model({
      gravity: [0, 0, 0],
      bodies: { strip: body({ shape, material, flexible: { grid: [40, 4], modes: 2 } }) },
      joints: { wall: fixed({ body: 'strip' }) },
      forces: { end: applied({ on: { body: 'strip', at: [L, 0, 0] }, force: [0, -F, 0] }) },
      simulation: { start: 'equilibrium', stop: 1e-3, interval: 1e-3 },
    }),
  );
  const files = new Map([...vtkFiles(recording, 'strip')].map(({ name, bytes }) => [name, bytes]));
  const arrays = read(files.get('strip-surfaces_0001.vtk')!);
  expect([...arrays.keys()].sort()).toEqual(['POINTS', 'POLYGONS', 'displacement', 'surface', 'von_Mises_stress_Pa']);
  const [points, polygons, displacement, stress] = ['POINTS', 'POLYGONS', 'displacement', 'von_Mises_stress_Pa'].map(
    (name) => arrays.get(name)!,
  );
  const rest = points.map((x, i) => x - displacement[i]);
  expect(points.length).toBe(3 * stress.length);

  // the undeformed mesh is the whole surface of the bar, closed: its area, and its volume by the divergence theorem; 32 bits
  let [area, volume] = [0, 0];
  for (let p = 0; p < polygons.length; p += 4) {
    expect(polygons[p]).toBe(3);
    const [u, v, w] = [1, 2, 3].map((k) => rest.slice(3 * polygons[p + k], 3 * polygons[p + k] + 3));
    const [s, t] = [v, w].map((corner) => corner.map((x, k) => x - u[k]));
    const normal = [s[1] * t[2] - s[2] * t[1], s[2] * t[0] - s[0] * t[2], s[0] * t[1] - s[1] * t[0]];
    area += Math.hypot(...normal) / 2;
    volume += (u[0] * normal[0] + u[1] * normal[1] + u[2] * normal[2]) / 6;
  }
  expect(area / (2 * (L * h + L * b + h * b))).toBeCloseTo(1, 5);
  expect(volume / (L * h * b)).toBeCloseTo(1, 5);

  const I = (b * h ** 3) / 12;
  const shear = material.youngsModulus / (2 * (1 + material.poissonRatio));
  const sinks = (F * L ** 3) / (3 * material.youngsModulus * I) + (1.2 * F * L) / (shear * b * h);
  for (let i = 0; i < stress.length; i++) {
    const [x, y] = [rest[3 * i], rest[3 * i + 1]];
    // the clamped edge keeps its Poisson strain: 1e-3
    if (x > L - 1e-6) expect(-displacement[3 * i + 1] / sinks).toBeCloseTo(1, 2);
    if (x < 1e-6) expect(Math.hypot(...displacement.slice(3 * i, 3 * i + 3))).toBeLessThan(1e-8);
    // far from both ends, on the outside: one stress alone, averaged over elements of h/2 along: 0.5 %
    if (Math.abs(x - L / 2) < 1e-6 && Math.abs(y) > h / 2 - 1e-6)
      expect(stress[i] / ((F * (L - x) * h) / (2 * I))).toBeCloseTo(1, 2);
  }
});
