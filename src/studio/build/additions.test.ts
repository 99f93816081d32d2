import { describe, expect, test } from 'vitest';
import { modelFromJson } from '../../model/json.js';
import { Simulation } from '../../simulation/simulation.js';
import type { DataRecord } from '../document/document.js';
import { bodyAdditions, bodyUnit, jointAdditions, jointUnit } from './additions.js';
import { unitOfKey } from './fields.js';

const heft = { mass: 2, size: 0.4 };
const arm = { shape: { box: { size: [0.4, 0.05, 0.01] }, translate: [0.2, 0, 0] }, material: 'steel' };

describe.each(['revolute', 'prismatic'])('what a %s joint may have', (kind) => {
  const joint: DataRecord = { kind, body: 'arm', axis: [0, 0, 1] };
  test.each(jointAdditions(joint, heft).map((addition) => [addition.label, addition] as const))(
    '%s',
    async (_, addition) => {
      const model = await modelFromJson({
        bodies: { arm },
        joints: { j: { ...joint, [addition.key]: addition.value } },
      });
      const run = new Simulation(model, { stopTime: 0.01 });
      run.advance(0.01);
      expect(run.finished).toBe(true);
      // once it is there it is not offered again, nor another way to drive the joint
      const left = jointAdditions({ ...joint, [addition.key]: addition.value }, heft).map(({ key }) => key);
      expect(left).not.toContain(addition.key);
      if (addition.key === 'speed') expect(left).not.toContain('motor');
    },
  );
});

test('units of turning and of sliding', () => {
  expect(jointUnit('revolute', 'speed')).toEqual({ unit: 'rad/s', factor: 1 });
  expect(jointUnit('prismatic', 'speed')).toEqual({ unit: 'm/s', factor: 1 });
  expect(jointUnit('prismatic', 'lower')).toEqual({ unit: 'mm', factor: 1000 });
  expect(jointUnit('revolute', 'kd')?.unit).toBe('N m s/rad');
  expect(jointUnit('revolute', 'axis')).toBeUndefined();
});

test('what a body may have; a fixed one has nothing of it', async () => {
  const more = Object.fromEntries(
    bodyAdditions(arm, heft).flatMap(({ key, value }) => (key === 'flexible' ? [] : [[key, value]])),
  );
  await expect(modelFromJson({ bodies: { arm: { ...arm, ...more } } })).resolves.toBeDefined();
  expect(bodyAdditions({ ...arm, fixed: true }, heft)).toEqual([]);
});

test('a box, a cylinder or an extrusion may deform, in its plane or every way; a ball may not', async () => {
  const ways = bodyAdditions(arm, heft).filter(({ key }) => key === 'flexible');
  expect(ways.map(({ label }) => label)).toEqual(['Flexible in its plane', 'Flexible every way']);
  for (const { value } of ways) {
    const model = await modelFromJson({
      bodies: { arm: { ...arm, flexible: value } },
      joints: { wall: { kind: 'fixed', body: 'arm' } },
    });
    expect(model.bodies.get('arm')!.flexible).toMatchObject(value as object);
    const left = bodyAdditions({ ...arm, flexible: value }, heft).map(({ key }) => key);
    expect(left).not.toContain('flexible');
    expect(left).not.toContain('mass'); // it has that of its mesh
  }
  expect(bodyAdditions({ shape: { sphere: { radius: 1 } } }, heft).map(({ key }) => key)).not.toContain('flexible');
  expect([bodyUnit('damping')?.unit, unitOfKey('meshSize').unit]).toEqual(['', 'mm']);
});
