import { McapStreamReader } from '@mcap/core';
import { validateBytes } from 'gltf-validator';
import type { BufferGeometry } from 'three';
import { VTKLoader } from 'three/addons/loaders/VTKLoader.js';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { halfSpace } from '../../geometry/half-space.js';
import { box, sphere } from '../../geometry/primitives.js';
import { rotate as rotateBy } from '../../math/quaternion.js';
import type { Vec3 } from '../../math/vec3.js';
import { body } from '../../model/body.js';
import { model } from '../../model/model.js';
import { simulate } from '../../simulation/simulation.js';
import { CONTACT } from '../contact-records.js';
import { Recording } from '../recording.js';
import { filmRows } from './film.js';
import { glbBytes } from './gltf.js';
import { mcapBytes } from './mcap.js';
import { vtkFiles } from './vtk.js';

const material = { density: 1000, youngsModulus: 1e7, poissonRatio: 0.3 };
let recording: Recording;
beforeAll(() => {
  // A spinning box beside a ball that falls and touches the floor
  recording = simulate(
    model({
      title: 'fall',
      bodies: {
        floor: body({ shape: halfSpace(), fixed: true, material }),
        ball: body({ shape: sphere(0.05), material, position: [0.3, 0.1, 0.06], colour: [1, 0, 0, 1] }),
        twin: body({ shape: sphere(0.05), material, position: [-0.3, 0.1, 0.2], colour: [1, 0, 0, 1] }),
        die: body({ shape: box(0.1), material, position: [0, 0, 1], angularVelocity: [3, 20, 1] }),
      },
    }),
    { stopTime: 0.1, interval: 0.002 },
  );
});

const value = (name: string, row: number): number => recording.signal(name).values[row];
const positionOf = (name: string, row: number): Vec3 =>
  ['x', 'y', 'z'].map((axis) => value(`${name}.position.${axis}`, row)) as unknown as Vec3;
/** A point of a body, in the world. */
function pointOf(name: string, point: Vec3, row: number): Vec3 {
  const q = ['w', 'x', 'y', 'z'].map((part) => value(`${name}.orientation.${part}`, row));
  const at = positionOf(name, row);
  const turned = rotateBy(q as unknown as [number, number, number, number], point);
  return [at[0] + turned[0], at[1] + turned[1], at[2] + turned[2]];
}

describe('rows of a film', () => {
  test('all of a short recording, the ends included of a long one', () => {
    expect(filmRows(recording)).toHaveLength(recording.rows);
    const few = filmRows(recording, { instants: 7 });
    expect(few).toHaveLength(7);
    expect([few[0], few[6]]).toEqual([0, recording.rows - 1]);
    expect(filmRows(recording, { from: 0.0199, to: 0.0301 }).map((row) => recording.times[row])[0]).toBeCloseTo(
      0.02,
      12,
    );
  });

  test('of two rows at one time the later', () => {
    const jump = new Recording([{ name: 'x' }]);
    for (const [t, x] of [
      [0, 0],
      [1, 1],
      [1, 5],
      [2, 6],
    ])
      jump.append(t, [x]);
    expect(filmRows(jump)).toEqual([0, 2, 3]);
  });

  test('refuses what is empty or has no scene', async () => {
    expect(() => filmRows(recording, { from: 5 })).toThrow(/no rows from 5 s/);
    expect(() => filmRows(recording, { instants: 0.5 })).toThrow(/whole number ≥ 1/);
    await expect(glbBytes(new Recording([{ name: 'x' }]))).rejects.toThrow(/has no scene/);
  });
});

describe('glTF', () => {
  /** What the file says, with the numbers of its accessors. */
  function parse(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const length = view.getUint32(12, true);
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
    const start = bytes.byteOffset + 28 + length;
    const floats = (accessor: number): Float32Array => {
      const { bufferView, byteOffset = 0, count, type } = json.accessors[accessor];
      const at = start + (json.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
      const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type as 'SCALAR'];
      return new Float32Array(bytes.buffer.slice(at, at + 4 * width * count));
    };
    return { json, floats };
  }

  test('passes the Khronos validator without errors or warnings', async () => {
    const { issues, info } = await validateBytes(await glbBytes(recording));
    expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    expect(info).toMatchObject({ animationCount: 1 });
  });

  test('moves every body as recorded, y up', async () => {
    const { json, floats } = parse(await glbBytes(recording));
    const [world] = json.nodes.filter((node: { name: string }) => node.name === 'world');
    const [animation] = json.animations;
    const die = json.nodes.findIndex((node: { name: string }) => node.name === 'die');
    const track = (path: string): { times: Float32Array; values: Float32Array } => {
      const { sampler } = animation.channels.find(
        ({ target }: { target: { node: number; path: string } }) => target.node === die && target.path === path,
      );
      const { input, output } = animation.samplers[sampler];
      return { times: floats(input), values: floats(output) };
    };
    const places = track('translation');
    const turns = track('rotation');
    const upright = world.rotation as number[];
    for (const row of [0, 17, recording.rows - 1]) {
      expect(places.times[row]).toBeCloseTo(recording.times[row], 7);
      const [x, y, z, w] = turns.values.subarray(4 * row, 4 * row + 4);
      const corner = rotateBy([w, x, y, z], [0.05, -0.05, 0.05]);
      const inWorld = corner.map((c, k) => c + places.values[3 * row + k]) as unknown as Vec3;
      const seen = rotateBy([upright[3], upright[0], upright[1], upright[2]], inWorld);
      const [px, py, pz] = pointOf('die', [0.05, -0.05, 0.05], row);
      // 32-bit floats of numbers near 1: 6e-8 each, a few of them
      for (const [k, expected] of [px, pz, -py].entries()) expect(Math.abs(seen[k] - expected)).toBeLessThan(4e-7);
    }
    // Neighbouring orientations are on the same side, or a viewer would turn the long way round
    for (let row = 1; row < recording.rows; row++) {
      let product = 0;
      for (let k = 0; k < 4; k++) product += turns.values[4 * row + k] * turns.values[4 * row - 4 + k];
      expect(product).toBeGreaterThan(0);
    }
  });

  test('bodies that look alike share a mesh; what stands still has no channel', async () => {
    const { json } = parse(await glbBytes(recording));
    const mesh = (name: string): number => json.nodes.find((node: { name: string }) => node.name === name).mesh;
    expect(mesh('ball')).toBe(mesh('twin'));
    const floor = json.nodes.findIndex((node: { name: string }) => node.name === 'floor');
    expect(json.animations[0].channels.some(({ target }: { target: { node: number } }) => target.node === floor)).toBe(
      false,
    );
  });

  test('the same recording gives the same bytes', async () => {
    expect(await glbBytes(recording)).toEqual(await glbBytes(recording));
  });
});

describe('VTK', () => {
  const files = () =>
    new Map([...vtkFiles(recording, 'fall', { instants: 5 })].map(({ name, bytes }) => [name, bytes]));

  test('bodies stand where they were, by another reader', () => {
    const warning = vi.spyOn(console, 'warn').mockImplementation(() => undefined); // it is deprecated, and says so
    const loader = new VTKLoader();
    warning.mockRestore();
    const bytes = files().get('fall_0003.vtk')!;
    const geometry = loader.parse(bytes.slice().buffer as ArrayBuffer, '') as BufferGeometry;
    const row = filmRows(recording, { instants: 5 })[3];
    const points = geometry.getAttribute('position');
    const { scene } = recording;
    const vertexCounts = scene!.bodies.map(({ parts }) => scene!.shapes[parts[0].shape].vertices.length / 3);
    expect(points.count).toBe(vertexCounts.reduce((sum, n) => sum + n, 0));
    let at = 0;
    for (const [b, { name, parts }] of scene!.bodies.entries()) {
      const { vertices } = scene!.shapes[parts[0].shape];
      for (let i = 0; i < vertexCounts[b]; i += 7) {
        const expected = pointOf(name, [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]], row);
        // 32-bit floats: 6e-8 of the size
        expect(Math.abs(points.getX(at + i) - expected[0])).toBeLessThan(1e-6);
        expect(Math.abs(points.getY(at + i) - expected[1])).toBeLessThan(1e-6);
        expect(Math.abs(points.getZ(at + i) - expected[2])).toBeLessThan(1e-6);
      }
      at += vertexCounts[b];
    }
  });

  /** The numbers after a line of the header, big endian. */
  function floatsAfter(bytes: Uint8Array, line: string, count: number): number[] {
    const at = new TextDecoder('latin1').decode(bytes).indexOf(`${line}\n`) + line.length + 1;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    return Array.from({ length: count }, (_, i) => view.getFloat32(at + 4 * i));
  }

  test('velocities at the vertices are v + ω × r', () => {
    const bytes = files().get('fall_0004.vtk')!;
    const row = recording.rows - 1;
    const all = floatsAfter(bytes, 'VECTORS velocity float', 3 * 2000);
    const first = recording
      .scene!.bodies.slice(0, 3)
      .reduce((n, { parts }) => n + recording.scene!.shapes[parts[0].shape].vertices.length, 0);
    const { vertices } = recording.scene!.shapes[recording.scene!.bodies[3].parts[0].shape];
    const corner: Vec3 = [vertices[0], vertices[1], vertices[2]];
    const centre = positionOf('die', row);
    const p = pointOf('die', corner, row);
    const r = p.map((x, k) => x - centre[k]);
    const v = ['x', 'y', 'z'].map((axis) => value(`die.velocity.${axis}`, row));
    const w = ['x', 'y', 'z'].map((axis) => value(`die.angularVelocity.${axis}`, row));
    const expected = [
      v[0] + w[1] * r[2] - w[2] * r[1],
      v[1] + w[2] * r[0] - w[0] * r[2],
      v[2] + w[0] * r[1] - w[1] * r[0],
    ];
    for (let k = 0; k < 3; k++) expect(all[first + k]).toBeCloseTo(expected[k], 5);
  });

  test('contacts carry their forces, the series the times', () => {
    const all = files();
    const rows = filmRows(recording, { instants: 5 });
    const { files: list } = JSON.parse(new TextDecoder().decode(all.get('fall.vtk.series')));
    expect(list).toEqual(rows.map((row, k) => ({ name: `fall_000${k}.vtk`, time: recording.times[row] })));
    const contacts = rows.map((row) => recording.table('contacts').instant(row));
    const k = contacts.findIndex(({ count }) => count > 0);
    expect(k).toBeGreaterThan(0);
    const { values } = contacts[k];
    const [, , z] = floatsAfter(all.get(`fall-contacts_000${k}.vtk`)!, 'VECTORS normalForce float', 3);
    expect(z).toBeCloseTo(values[CONTACT.normalForce][0] * values[CONTACT.normal + 2][0], 5);
  });
});

test('MCAP holds scene, poses, contacts and signals at their times', async () => {
  const reader = new McapStreamReader();
  for await (const piece of mcapBytes(recording, { instants: 11 })) reader.append(piece);
  const topics = new Map<number, string>();
  const schemas = new Map<number, string>();
  // biome-ignore lint/suspicious/noExplicitAny: what JSON holds
  const messages = new Map<string, { time: number; content: any }[]>();
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
    if (record.type === 'Schema') schemas.set(record.id, record.name);
    if (record.type === 'Channel') topics.set(record.id, `${record.topic} ${schemas.get(record.schemaId)}`);
    if (record.type !== 'Message') continue;
    const topic = topics.get(record.channelId)!;
    const list = messages.get(topic) ?? [];
    list.push({ time: Number(record.logTime) / 1e9, content: JSON.parse(new TextDecoder().decode(record.data)) });
    messages.set(topic, list);
  }
  expect(reader.done()).toBe(true);
  const [shown] = messages.get('/scene foxglove.SceneUpdate')!;
  expect(shown.content.entities.map(({ id }: { id: string }) => id)).toEqual(['floor', 'ball', 'twin', 'die']);
  const rows = filmRows(recording, { instants: 11 });
  const poses = messages.get('/tf foxglove.FrameTransforms')!;
  expect(poses).toHaveLength(11);
  const { transforms } = poses[7].content;
  expect(poses[7].time).toBeCloseTo(recording.times[rows[7]], 9);
  const die = transforms.find(({ child_frame_id }: { child_frame_id: string }) => child_frame_id === 'die');
  expect([die.translation.x, die.translation.y, die.translation.z]).toEqual(positionOf('die', rows[7]));
  expect(messages.get('/signals/ball tippetop.ball')![7].content.position.z).toBe(value('ball.position.z', rows[7]));
  const pushed = messages.get('/contacts foxglove.SceneUpdate')!.flatMap(({ content }) => content.entities[0].arrows);
  expect(pushed.length).toBeGreaterThan(0);
  // Identity points along +x; the floor pushes up: +x turns to +z
  const { w, x, y, z } = pushed[0].pose.orientation;
  expect(rotateBy([w, x, y, z], [1, 0, 0])[2]).toBeCloseTo(1, 6);
});
