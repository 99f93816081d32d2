import { test } from 'vitest';
import {
  body,
  box,
  capsule,
  concrete,
  cylinder,
  extrude,
  glass,
  halfSpace,
  model,
  revolute,
  rubber,
  sphere,
  steel,
  torus,
} from '../../index.js';
import { explain } from './explanation.js';
import { explanationText } from './text.js';

const show = (m: any) => console.log(explanationText(explain('x', m, {}), []).join('\n'));
const floor = body({ shape: halfSpace(), fixed: true, material: concrete });
test('explain', () => {
  show(model({ bodies: { floor, ball: body({ shape: sphere(0.1), material: steel, position: [0, 0, 0.2] }) } }));
});
test('rack', () => {
  show(
    model({
      gravity: 'none',
      bodies: {
        rack: Array.from({ length: 10 }, (_, i) =>
          body({ shape: sphere(0.5), material: rubber, position: [1.1 * i, 0, 0] }),
        ),
        cue: body({ shape: sphere(0.5), material: rubber, position: [-5, 0, 0], velocity: [1, 0, 0] }),
        table: body({ shape: box([100, 100, 1]), position: [0, 0, -1.01], fixed: true }),
      },
    }),
  );
});
test('many', () => {
  const t0 = performance.now();
  const e = explain(
    'x',
    model({
      gravity: 'none',
      bodies: {
        rack: Array.from({ length: 3000 }, (_, i) =>
          body({ shape: sphere(0.5), material: rubber, position: [1.1 * i, 0, 0] }),
        ),
      },
    }),
    {},
  );
  console.log(performance.now() - t0, e.contact?.pairs, e.contact?.kinds.length);
});
test('mixed', () => {
  show(
    model({
      bodies: {
        floor,
        box: body({ shape: box(0.1), material: { density: 1000 }, position: [0, 0, 0.05] }),
        tor: body({ shape: torus({ majorRadius: 0.1, minorRadius: 0.02 }), material: glass, position: [1, 0, 0.5] }),
        arm: body({
          shape: [capsule({ radius: 0.01, height: 0.2 }), sphere(0.02)],
          material: steel,
          position: [2, 0, 0.5],
        }),
        arm2: body({
          shape: cylinder({ radius: 0.01, height: 0.2 }),
          material: steel,
          position: [2, 0, 0.3],
          contact: { group: 'tools', touches: 'default' },
        }),
      },
      joints: { hinge: revolute({ body: 'arm2', to: 'arm', at: [2, 0, 0.4], axis: [1, 0, 0] }) },
      contacts: {
        exclude: [['tor', 'box']],
        pairs: [
          { between: ['box', 'floor'], normalLaw: ({ depth }) => 1e5 * depth, friction: 0.2 },
          {
            between: ['tor', 'floor'],
            normalLaw: { kind: 'hofmann', stiffness: 1e5, damping: 3 },
            frictionLaw: { kind: 'tanh' },
          },
        ],
      },
    }),
  );
});
