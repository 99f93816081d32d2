import { test } from 'vitest';
import { body, halfSpace, model, sphere, steel, concrete, box, simulate, revolute } from '../../index.js';
import { explain } from './explanation.js';
import { explanationText } from './text.js';
const ballOnFloor = () => model({ bodies: { floor: body({ shape: halfSpace(), fixed: true, material: concrete }), ball: body({ shape: sphere(0.1), material: steel, position: [0,0,0.2] }) } });
test('explain', () => {
  console.log(explanationText(explain('x', ballOnFloor(), {}), []).join('\n'));
});
test('run', () => {
  const t0 = performance.now();
  const r = simulate(ballOnFloor(), { stopTime: 2 });
  console.log(performance.now() - t0, r.signals.map(s => s.name).join(' '), JSON.stringify(r.trust, null, 1), r.signal('ball.contact.force.z').at(-1));
});
test('box', () => {
  const t0 = performance.now();
  const r = simulate(model({ bodies: { floor: body({ shape: halfSpace(), fixed: true, material: concrete }), ball: body({ shape: box(0.1), material: steel, position: [0,0,0.06], velocity: [1,0,0] }) } }), { stopTime: 1 });
  console.log(performance.now() - t0, r.signal('ball.contact.force.z').at(-1), r.signal('ball.position.x').at(-1));
  const c = r.table('contacts'); console.log(c.rows, c.labels);
});
