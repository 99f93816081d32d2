import { expect, test } from 'vitest';
import { traced } from '../../../examples/traced-pallet/traced-pallet.model.js';
import { scale } from '../../geometry/transform.js';
import { modelFromJson } from '../../model/json.js';
import { simulate } from '../../simulation/simulation.js';
import { fromOutline } from '../sketch/outline.js';
import { bodyOf } from '../sketch/solid.js';
import { BEAT_ANGLE, watchWith } from './watch-scene.js';

// The balance starts at −280° and passes the middle after a quarter of its period of 0.25 s: one beat by 0.07 s.
const ofLibrary = { shape: { leverEscapement: { part: 'pallet', height: 0.15e-3 } }, material: 'steel' };
const sketch = { outlines: { lever: fromOutline(scale(1e-3, traced)) } };
test.each([
  ['traced', bodyOf(sketch, { kind: 'extrude', height: 0.15e-3, material: 'steel' })],
  ['of the library', ofLibrary],
])('a watch with the lever %s ticks', async (_, lever) => {
  const run = simulate(await modelFromJson(watchWith(lever, { stop: 0.07 })));
  const angle = run.signal('wheelArbor.angle');
  // The wheel rests on the other stone: half a pitch on, give or take what the lever still runs to its banking and recoils, 0.5°
  const went = ((angle.at(-1)! - angle.at(0)!) * 180) / Math.PI;
  expect(Math.abs(went + BEAT_ANGLE)).toBeLessThan(0.6);
});
