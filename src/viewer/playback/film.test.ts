import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { mutate } from '../../../tests/fuzz/mutate.js';
import { FileError } from '../../errors.js';
import { extrude } from '../../geometry/extrude.js';
import { halfSpace } from '../../geometry/half-space.js';
import { box } from '../../geometry/primitives.js';
import { sphere } from '../../geometry/sphere.js';
import { body } from '../../model/body.js';
import { revolute } from '../../model/joints.js';
import { steel } from '../../model/materials.js';
import { model } from '../../model/model.js';
import { surface } from '../../model/surfaces.js';
import { addContactTable, CONTACT } from '../../results/contact-records.js';
import { Recording } from '../../results/recording.js';
import { sceneOf } from '../../results/scene/scene-of.js';
import { SurfaceReader } from '../../results/scene/surface-frames.js';
import { simulate } from '../../simulation/simulation.js';
import { filmBytes } from './film.js';
import { openFilm } from './film-playback.js';
import { float24, fromFloat24, fromRangeCoded, rangeCoded, unzigzag, zigzag } from './number-coding.js';
import type { Playback } from './playback.js';
import { codeOrientation, codePosition, decodeOrientation, decodePosition, motionBox } from './pose-coding.js';

const SEED = { seed: 7 };

describe('numbers in few bits', () => {
  test('float24: within 2⁻¹⁶ of the value; NaN, ±∞ and 0 stay', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e30, max: 1e30, noNaN: true }), (value) => {
        // below 1e-35 floats of 32 bits have fewer digits
        expect(Math.abs(fromFloat24(float24(value)) - value)).toBeLessThanOrEqual(2 ** -16 * Math.abs(value) + 1e-35);
      }),
      SEED,
    );
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0])
      expect(fromFloat24(float24(value))).toBe(value);
    expect(float24(-1)).toBeLessThan(2 ** 24);
  });

  test('zigzag: every difference comes back, small ones are small', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 30), max: 2 ** 30 - 1 }), (x) => {
        expect(unzigzag(zigzag(x))).toBe(x);
      }),
      SEED,
    );
    expect([0, -1, 1, -2, 2].map(zigzag)).toEqual([0, 1, 2, 3, 4]);
  });

  test('a range: within half a step, (greatest − least)/2²⁵; what is no number stays none; a constant is exact', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constant(Number.NaN)), { minLength: 1 }),
        (list) => {
          const values = Float64Array.from(list);
          const { range, bytes } = rangeCoded(values);
          const back = fromRangeCoded(range, bytes);
          const known = list.filter((x) => !Number.isNaN(x));
          const extent = known.length > 0 ? Math.max(...known) - Math.min(...known) : 0;
          list.forEach((value, i) => {
            if (Number.isNaN(value)) expect(back[i]).toBeNaN();
            // the last term: rounding of least + code · step
            else
              expect(Math.abs(back[i] - value)).toBeLessThanOrEqual(
                extent * 2 ** -24.99 + 3e-16 * Math.abs(value) + 1e-300,
              );
          });
        },
      ),
      SEED,
    );
  });

  test.each([16, 20, 24])('a position in %i bits: within extent/(2 (2^bits − 1))', (bits) => {
    const place = fc.double({ min: -1e4, max: 1e4, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(place, place, place), { minLength: 1, maxLength: 20 }), (points) => {
        const least = Float64Array.from([0, 1, 2], (k) => Math.min(...points.map((p) => p[k])));
        const greatest = Float64Array.from([0, 1, 2], (k) => Math.max(...points.map((p) => p[k])));
        const own = motionBox(least, greatest);
        const codes = new Int32Array(3);
        const back = new Float64Array(7);
        for (const point of points) {
          codePosition(Float64Array.from(point), 0, own, 0, bits, codes);
          expect(codes.every((code) => code >= 0 && code < 2 ** bits)).toBe(true);
          decodePosition(codes, own, 0, bits, back, 0);
          for (let k = 0; k < 3; k++)
            // The box is wider than the motion by rounding to floats of 32 bits: 2⁻²² of where it lies
            expect(Math.abs(back[k] - point[k])).toBeLessThanOrEqual(
              (greatest[k] - least[k] + 2 ** -22 * (Math.abs(least[k]) + greatest[k] - least[k])) /
                (2 * (2 ** bits - 1)) +
                4e-16 * Math.abs(point[k]) +
                1e-40,
            );
        }
      }),
      SEED,
    );
  });

  test('an orientation: within 7.5e-5 rad, see pose-coding.ts; q and −q are the same', () => {
    const part = fc.double({ min: -1, max: 1, noNaN: true });
    const quaternion = fc
      .tuple(part, part, part, part)
      .filter((q) => Math.hypot(...q) > 0.1)
      .map((q) => q.map((x) => x / Math.hypot(...q)));
    const codes = new Int32Array(3);
    const [back, other] = [new Float64Array(4), new Float64Array(4)];
    fc.assert(
      fc.property(quaternion, (q) => {
        const largest = codeOrientation(Float64Array.from(q), 0, codes);
        decodeOrientation(codes, largest, back, 0);
        const sign = q.reduce((sum, x, k) => sum + x * back[k], 0) < 0 ? -1 : 1;
        const apart = Math.hypot(...q.map((x, k) => sign * x - back[k]));
        expect(4 * Math.asin(apart / 2)).toBeLessThan(7.5e-5);
        expect(Math.hypot(...back)).toBeCloseTo(1, 14);
        // unless two parts are equally large, when the choice is free
        decodeOrientation(
          codes,
          codeOrientation(
            Float64Array.from(q, (x) => -x),
            0,
            codes,
          ),
          other,
          0,
        );
        expect(Math.hypot(...back.map((x, k) => x - other[k]))).toBeLessThan(1e-4);
      }),
      { ...SEED, numRuns: 500 },
    );
  });
});

const rubber = { density: 1100, youngsModulus: 5e6, poissonRatio: 0.45, restitution: 0.5, friction: 0.5 };
const bouncing = () =>
  model({
    title: 'bounce',
    bodies: {
      floor: body({ shape: halfSpace(), material: steel, fixed: true }),
      // rolls: in contact at every row
      ball: body({ shape: sphere(0.1), material: rubber, position: [0, 0, 0.1], velocity: [1, 0, 0] }),
      brick: body({ shape: box([0.1, 0.2, 0.3]), material: steel, position: [3, 0, 1], angularVelocity: [1, 5, 2] }),
    },
    plots: { heights: '*.position.z' },
    events: { end: { at: 0.35, stop: true } },
    surfaces: {
      wave: surface({
        triangles: [[0, 1, 2]],
        vertices: (t) => [0, 0, t, 1, 0, t * t, 0, 1, 3],
        values: (t) => [t, 2 * t, 5],
        unit: 'Pa',
      }),
    },
  });

describe('a film of a run', () => {
  const recording = simulate(bouncing(), { stopTime: 0.4, interval: 0.005 });
  const open = (): Promise<Playback> => openFilm(filmBytes(recording));

  test('has every instant of a short one, bodies where they were', async () => {
    const film = await open();
    expect(film.times).toEqual(recording.times);
    for (let i = 0; i < film.times.length; i++) {
      const { poses, velocities } = await film.frame(i);
      film.scene.bodies.forEach(({ name }, b) => {
        const value = (signal: string): number => recording.signal(`${name}.${signal}`).values[i];
        ['x', 'y', 'z'].forEach((axis, k) => {
          // 24 bits of motion over 3 m: 0.1 µm
          expect(Math.abs(poses[7 * b + k] - value(`position.${axis}`))).toBeLessThan(1e-7);
          expect(Math.abs(velocities[6 * b + k] - value(`velocity.${axis}`))).toBeLessThan(1e-4);
        });
        const q = ['w', 'x', 'y', 'z'].map((part) => value(`orientation.${part}`));
        const cosine = q.reduce((sum, x, k) => sum + x * poses[7 * b + 3 + k], 0);
        expect(2 * Math.acos(Math.min(1, Math.abs(cosine)))).toBeLessThan(8e-5);
      });
    }
  });

  test('has signals, contacts, surfaces and all that is told of the run', async () => {
    const film = await open();
    const heights = await film.signal('ball.position.z');
    const truth = recording.signal('ball.position.z');
    heights.values.forEach((value, i) => {
      expect(value).toBeCloseTo(truth.values[i], 7);
    });
    expect([film.title, film.state, film.hash]).toEqual(['bounce', 'finished', recording.hash]);
    expect(film.trust).toEqual(JSON.parse(JSON.stringify(recording.trust)));
    expect(film.events).toEqual(recording.events);
    const contacts = recording.table('contacts');
    expect(contacts.rows).toBeGreaterThan(0);
    const forces = await film.contactForces();
    const first = await film.contactForces(new Set([0]));
    for (let i = 0; i < film.times.length; i++) {
      const [own, kept] = [contacts.instant(i), await film.contacts(i)];
      expect(kept.count).toBe(own.count);
      for (let row = 0; row < own.count; row++) {
        expect(film.pairs[kept.column('pair')[row]]).toBe(contacts.labels[own.column('pair')[row]]);
        expect(kept.column('region')[row]).toBe(own.column('region')[row]);
        for (const name of ['depth', 'normalForce', 'point.x', 'normal.z', 'secondMoments.xx']) {
          const value = own.column(name)[row];
          expect(Math.abs(kept.column(name)[row] - value)).toBeLessThanOrEqual(2e-5 * Math.abs(value));
        }
      }
      const sum = Float64Array.from(own.column('normalForce')).reduce((total, force) => total + force, 0);
      expect(Math.abs(forces[i] - sum)).toBeLessThanOrEqual(1e-7 * sum);
    }
    expect(first.some((force) => force > 0)).toBe(true);
    const [wave] = await film.surfaces(40);
    const t = film.times[40];
    [0, 0, t, 1, 0, t * t, 0, 1, 3].forEach((x, k) => {
      expect(wave.vertices[k]).toBeCloseTo(x, 4);
    });
    expect(wave.values[1]).toBeCloseTo(2 * t, 4);
  });

  test('says what it does not have', async () => {
    const film = await open();
    await expect(film.signal('ball.position.zz')).rejects.toThrow('did you mean "ball.position.z"?');
    await expect(film.frame(1e6)).rejects.toThrow('expected an instant from 0 to');
  });

  test('foreign, cut and damaged bytes are refused, or give what can be shown', async () => {
    const bytes = filmBytes(recording);
    await expect(openFilm(new Uint8Array(5), 'a.html')).rejects.toThrow('a.html: expected "ttfilm02" at its start');
    for (let run = 0; run < 60; run++)
      try {
        const film = await openFilm(mutate([bytes], 3, run).bytes);
        if (film.times.length === 0) continue;
        await film.frame(film.times.length - 1);
        await film.contacts(0);
        await film.surfaces(0);
        await film.signal(film.signals[0].name);
      } catch (error) {
        expect(error).toBeInstanceOf(FileError);
      }
  });
});

/** Balls that fly and fall, each its own way; a spike of contact force at one row. */
function crowd(count: number, rows: number, spike: number): Recording {
  const shape = sphere(0.5);
  const scene = sceneOf(
    model({ bodies: { ball: Array.from({ length: count }, () => body({ shape, material: steel })) } }),
  );
  const parts = [
    'position.x',
    'position.y',
    'position.z',
    'orientation.w',
    'orientation.x',
    'orientation.y',
    'orientation.z',
  ];
  const names = scene.bodies.flatMap(({ name }) => parts.map((part) => ({ name: `${name}.${part}` })));
  const recording = new Recording([...names, { name: 'energy.total', unit: 'J' }], { title: 'crowd', scene });
  const table = addContactTable(recording);
  const row = new Float64Array(names.length + 1);
  const record = new Float64Array(CONTACT.width);
  for (let i = 0; i < rows; i++) {
    const t = i / 100;
    for (let b = 0; b < count; b++) {
      const angle = t * (1 + (b % 7));
      const chaos = Math.sin(b * 12.9898 + i * 78.233) * 1e-3; // what no guess finds
      row.set(
        [b + t + chaos, Math.sin(angle + b), 5 - 4.9 * t * t, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)],
        7 * b,
      );
    }
    row[7 * count] = 100 + 1e-6 * Math.sin(t);
    record[CONTACT.pair] = table.label('a – b');
    record[CONTACT.normalForce] = i === spike ? 1000 : 1;
    table.append(t, record);
    recording.append(t, row);
  }
  recording.state = 'finished';
  return recording;
}

describe('a film that has to be short', () => {
  const recording = crowd(200, 400, 123);

  test.each([100_000, 300_000])('of %i bytes: fewer instants, within the budget', async (budget) => {
    const bytes = filmBytes(recording, { budget });
    expect(bytes.length).toBeLessThanOrEqual(budget);
    expect(bytes.length).toBeGreaterThan(0.5 * budget);
    const film = await openFilm(bytes);
    expect(film.times.length).toBeLessThan(400);
    expect([film.times[0], film.times.at(-1)]).toEqual([0, 3.99]);
    const last = await film.frame(film.times.length - 1);
    // 16 bits of 78 m: 0.6 mm
    expect(last.poses[2]).toBeCloseTo(5 - 4.9 * 3.99 ** 2, 3);
    // Velocities are told from the poses: the ball falls with 9.8 t, to the length of a step
    const middle = film.times.length >> 1;
    const { time, velocities } = await film.frame(middle);
    expect(Math.abs(velocities[2] + 9.8 * time)).toBeLessThan(9.8 * (film.times[middle + 1] - film.times[middle - 1]));
    expect(velocities[5]).toBeGreaterThan(0.5);
    expect(velocities[5]).toBeLessThan(1.5);
  });

  test('the spike of force is there, and a drift of a millionth is still a curve', async () => {
    const film = await openFilm(filmBytes(recording, { budget: 100_000 }));
    const forces = await film.contactForces();
    expect(Math.max(...forces)).toBe(1000);
    expect(film.times[forces.indexOf(1000)]).toBe(1.23);
    const { values, times } = await film.signal('energy.total');
    times.forEach((t, i) => {
      expect(Math.abs(values[i] - 100 - 1e-6 * Math.sin(t))).toBeLessThan(1e-12);
    });
  });

  test('the strongest contacts stay where all are too many', async () => {
    const many = new Recording([{ name: 'x' }]);
    const table = addContactTable(many);
    const record = new Float64Array(CONTACT.width);
    for (let i = 0; i < 10; i++) {
      for (let c = 0; c < 300; c++) {
        record[CONTACT.pair] = table.label(`${c}`);
        record[CONTACT.normalForce] = (c * 7) % 300;
        table.append(i, record);
      }
      many.append(i, [0]);
    }
    const film = await openFilm(filmBytes(many, { budget: 40_000 }));
    const { count, values } = await film.contacts(3);
    expect(count).toBeLessThan(300);
    expect(count).toBeGreaterThan(5);
    const kept = [...values[CONTACT.normalForce]].sort((a, b) => b - a);
    expect(kept).toEqual(Array.from({ length: count }, (_, i) => 299 - i));
    expect((await film.contactForces())[3]).toBe((299 * 300) / 2);
    const number = film.pairs.indexOf('257'); // 257 · 7 mod 300 = 299
    expect((await film.contactForces(new Set([number])))[3]).toBe(299);
  });
});

test('a recording without rows, and one that does not say what it shows', async () => {
  const empty = new Recording([{ name: 'x' }], { title: 'empty' });
  expect((await openFilm(filmBytes(empty))).times.length).toBe(0);
  const bare = new Recording(['w', 'x', 'y', 'z'].map((part) => ({ name: `rod.orientation.${part}` })));
  bare.append(0, [1, 0, 0, 0]);
  const film = await openFilm(filmBytes(bare));
  expect(film.scene.bodies.map(({ name }) => name)).toEqual(['rod']);
  expect([...(await film.frame(0)).poses]).toEqual([0, 0, 0, 1, 0, 0, 0]);
});

// A strip of 0.5 m that a hinge turns by 3 rad while it bends by less than a millimetre
describe('a film of what deforms', () => {
  const recording = simulate(
    model({
      gravity: 'none',
      contacts: false,
      bodies: {
        strip: body({
          shape: extrude(
            [
              [0, -0.01],
              [0.5, -0.01],
              [0.5, 0.01],
              [0, 0.01],
            ],
            0.01,
          ),
          material: steel,
          flexible: { grid: [8, 1], modes: 2, damping: 0.02, membrane: false },
        }),
      },
      joints: { hinge: revolute({ body: 'strip', axis: [0, 0, 1], angle: (t) => 3 * t * t }) },
    }),
    { stopTime: 1, interval: 0.0025 },
  );
  const reader = new SurfaceReader(recording.scene!, recording.signals);

  test('draws it as often as is asked for, with the scale of the whole run', async () => {
    const film = await openFilm(filmBytes(recording));
    expect(film.deforms).toBe(true);
    const k = film.times.length >> 1;
    const row = recording.samples.row(recording.times.indexOf(film.times[k]));
    for (const factor of [0, 1, 50]) {
      const [truth] = reader.frames(row, [], undefined, factor);
      const [shown] = await film.surfaces(k, factor);
      // it bends by less than 0.4 mm, which 12 bits have to 0.1 µm; places are floats of 32 bits
      for (const [i, x] of shown.vertices.entries())
        expect(Math.abs(x - truth.vertices[i])).toBeLessThan(1e-7 + 1e-7 * factor);
    }
    const { 'von Mises stress': range } = await film.surfaceRanges();
    expect(range[1] / recording.signal('strip.stress.largest').max()).toBeCloseTo(1, 2);
  });

  // All instants of a mesh of 100 000 nodes at once took 9 GB before it was seen that a tenth of them fit
  test('tries no more instants than may fit', () => {
    const frames = vi.spyOn(SurfaceReader.prototype, 'frames');
    filmBytes(recording, { budget: 5e3 });
    expect(recording.rows).toBe(401);
    expect(frames.mock.calls.length).toBeLessThan(401);
    frames.mockRestore();
  });
});
