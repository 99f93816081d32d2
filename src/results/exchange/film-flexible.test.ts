// What glTF viewers and robotics viewers get of parts that deform: a strip in two pieces on a hub that turns, and a solid clamped at one end, both pulled
// aside. Read back by the words of the formats, vertices are held beside frames of the bodies, whose signals the run itself has written.
import { McapStreamReader } from '@mcap/core';
import { validateBytes } from 'gltf-validator';
import { beforeAll, expect, test } from 'vitest';
import { extrude } from '../../geometry/extrude.js';
import { multiply, type Quaternion, rotate } from '../../math/quaternion.js';
import type { Vec3 } from '../../math/vec3.js';
import { body } from '../../model/body.js';
import { applied } from '../../model/forces.js';
import { fixed, revolute } from '../../model/joints.js';
import { model } from '../../model/model.js';
import { simulate } from '../../simulation/simulation.js';
import type { Recording } from '../recording.js';
import { SurfaceReader } from '../scene/surface-frames.js';
import { glbBytes } from './gltf.js';
import { mcapBytes } from './mcap.js';

const material = { density: 1200, youngsModulus: 2e9, poissonRatio: 0.3 };
const bar = (length: number) =>
  extrude(
    [
      [0, -0.005],
      [length, -0.005],
      [length, 0.005],
      [0, 0.005],
    ],
    0.01,
  );
let recording: Recording;
beforeAll(() => {
  recording = simulate(
    model({
      title: 'bent',
      gravity: 'none',
      contacts: false,
      bodies: {
        strip: body({
          shape: bar(0.3),
          material,
          position: [1, 0, 0],
          frames: { tip: { position: [0.3, 0, 0] } },
          flexible: { substructures: 2, modes: 1, damping: 0.05 },
        }),
        block: body({
          shape: bar(0.1),
          material,
          position: [0, 1, 0],
          frames: { tip: { position: [0.1, -0.005, 0] } },
          flexible: { grid: [6, 1], layers: 1, modes: 2, damping: 0.05 },
        }),
      },
      joints: {
        hub: revolute({ body: 'strip', at: [1, 0, 0], axis: [0, 0, 1], angle: (t) => 200 * t * t }),
        wall: fixed({ body: 'block', at: [0, 1, 0] }),
      },
      forces: { end: applied({ on: { body: 'block', at: [0.1, 1, 0.005] }, force: [0, -20, 30] }) },
    }),
    { stopTime: 0.05, interval: 0.005 },
  );
});

const SURFACES = ['strip', 'strip[1]', 'block'];
const recorded = (name: string, row: number): number => recording.signal(name).values[row];
const tipOf = (name: string, row: number): Vec3 =>
  ['x', 'y', 'z'].map((axis) => recorded(`${name}.tip.position.${axis}`, row)) as unknown as Vec3;
/** Of the vertices the one that is where the frame is */
const nearest = (vertices: ArrayLike<number>, to: Vec3): number => {
  let least = Infinity;
  for (let i = 0; i < vertices.length; i += 3)
    least = Math.min(least, Math.hypot(vertices[i] - to[0], vertices[i + 1] - to[1], vertices[i + 2] - to[2]));
  return least;
};

test('glTF: morph targets with weights over time', async () => {
  const bytes = await glbBytes(recording);
  const { issues } = await validateBytes(bytes);
  expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  const floats = (accessor: number): Float32Array => {
    const { bufferView, count, type } = json.accessors[accessor];
    const at = bytes.byteOffset + 28 + length + (json.bufferViews[bufferView].byteOffset ?? 0);
    return new Float32Array(bytes.buffer.slice(at, at + 4 * count * { SCALAR: 1, VEC3: 3, VEC4: 4 }[type as 'SCALAR']));
  };
  const names: string[] = json.nodes.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['world', 'strip', 'block', 'strip[1]']);
  const [wx, wy, wz, ww] = json.nodes[0].rotation;
  const reader = new SurfaceReader(recording.scene!, recording.signals);
  for (const row of [0, 3, recording.rows - 1]) {
    for (const [s, name] of SURFACES.entries()) {
      const node = names.indexOf(name);
      const { primitives, extras } = json.meshes[json.nodes[node].mesh];
      expect(extras).toMatchObject({ unit: 'Pa', low: 0 });
      const { attributes, targets } = primitives[0];
      const track = (path: string, width: number): number[] => {
        const channel = json.animations[0].channels.find(
          ({ target }: { target: { node: number; path: string } }) => target.node === node && target.path === path,
        );
        if (!channel) return json.nodes[node][path];
        const { input, output } = json.animations[0].samplers[channel.sampler];
        expect(floats(input)[row]).toBeCloseTo(recording.times[row], 6);
        return [...floats(output).subarray(width * row, width * (row + 1))];
      };
      const weights = track('weights', targets.length);
      expect(weights).toHaveLength(targets.length);
      for (const weight of weights) expect(Math.abs(weight)).toBeLessThanOrEqual(1);
      const shift = track('translation', 3);
      const [x, y, z, w] = track('rotation', 4);
      const turn = multiply([ww, wx, wy, wz] as Quaternion, [w, x, y, z]);
      const moved = targets.map(({ POSITION }: { POSITION: number }) => floats(POSITION));
      const vertices = floats(attributes.POSITION).map(
        (rest, i) => rest + weights.reduce((sum, weight, m) => sum + weight * moved[m][i], 0),
      );
      // as a viewer places them, y up, and back to the axes of the run
      const back: Quaternion = [ww, -wx, -wy, -wz];
      const placed: number[] = [];
      for (let i = 0; i < vertices.length; i += 3) {
        const [a, b, c] = rotate(turn, [vertices[i], vertices[i + 1], vertices[i + 2]]);
        const origin = rotate([ww, wx, wy, wz], shift as unknown as Vec3);
        placed.push(...rotate(back, [a + origin[0], b + origin[1], c + origin[2]]));
      }
      // single precision at a metre
      const [own] = [reader.frames(recording.samples.row(row))[s].vertices];
      for (let i = 0; i < own.length; i++) expect(Math.abs(placed[i] - own[i])).toBeLessThan(1e-6);
      if (name !== 'strip') expect(nearest(placed, tipOf(name.replace('[1]', ''), row))).toBeLessThan(1e-6);
    }
  }
  // it bends: far more than single precision at a metre
  const sags = Array.from({ length: recording.rows }, (_, row) => Math.abs(tipOf('block', row)[2]));
  expect(Math.max(...sags)).toBeGreaterThan(1e-3);
});

test('MCAP: triangles at instants, coloured', async () => {
  const reader = new McapStreamReader();
  for await (const piece of mcapBytes(recording)) reader.append(piece);
  let channel = -1;
  const shown: { time: number; entities: { id: string; triangles: { points: object[]; colors: object[] }[] }[] }[] = [];
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
    if (record.type === 'Channel' && record.topic === '/flexible') channel = record.id;
    if (record.type !== 'Message' || record.channelId !== channel) continue;
    const { entities } = JSON.parse(new TextDecoder().decode(record.data));
    shown.push({ time: Number(record.logTime) / 1e9, entities });
  }
  expect(shown).toHaveLength(recording.rows);
  for (const [row, { time, entities }] of shown.entries()) {
    expect(time).toBeCloseTo(recording.times[row], 9);
    expect(entities.map(({ id }) => id)).toEqual(SURFACES);
    for (const [s, name] of ['strip', 'block'].entries()) {
      const [{ points, colors }] = entities[1 + s].triangles;
      expect(colors).toHaveLength(points.length);
      const flat = points.flatMap((point) => Object.values(point) as number[]);
      // seven digits at a metre
      expect(nearest(flat, tipOf(name, row))).toBeLessThan(1e-6);
    }
  }
  // dark blue without stress, light yellow at the largest of the run
  const all = shown.flatMap(({ entities }) => entities.flatMap(({ triangles }) => triangles[0].colors)) as {
    r: number;
  }[];
  expect(all[0].r).toBeLessThan(0.2);
  expect(Math.max(...all.map(({ r }) => r))).toBeGreaterThan(0.9);
});
