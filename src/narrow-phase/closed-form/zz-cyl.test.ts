import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { random } from '../../math/random.js';
import { simulate } from '../../simulation/index.js';
import { body, model } from '../../model/index.js';
import { cylinder, halfSpace } from '../../geometry/index.js';
import { quaternion, vec3, solidMassProperties, cos, sin } from '../../index.js';
import { CylinderSection } from './cylinder-section.js';
test('dump', () => {
  const draw = random('acc'); const rows: number[][] = [];
  for (let i = 0; i < 120; i++) {
    const H = [0.02, 0.8, 20][i % 3];
    const theta = [draw.uniformBetween(0, Math.PI / 2), 10 ** draw.uniformBetween(-12, -1), Math.PI / 2 - 10 ** draw.uniformBetween(-12, -1)][Math.floor(i / 3) % 3];
    const s = Math.sin(theta), c = Math.cos(theta);
    const top = 1 * s + H * c;
    const d = top * (i % 2 ? draw.uniformBetween(0, 1) : 10 ** draw.uniformBetween(-12, 0));
    const k = new CylinderSection(0.5, H);
    k.cut(d, s, c);
    rows.push([H, s, c, d, k.volume, k.volumeT, k.volumeZ, k.area, k.areaYY, k.areaByT, k.areaByZ, k.areaByTurn]);
  }
  writeFileSync('/tmp/cyl/rows.json', JSON.stringify(rows));
});
const g = 9.81;
const T = (run: unknown) => JSON.stringify((run as { trust: { steps: unknown } }).trust.steps);
test('coin', () => {
  const radius = 0.1, thickness = 0.008, lean = 25, trackRadius = 0.3;
  const material = { name: 'm', density: 8500, youngsModulus: 1e11, poissonRatio: 0.34, restitution: 0.6, friction: 0.5 };
  const shape = cylinder({ radius, height: thickness });
  const { mass, inertia } = solidMassProperties(shape, material.density);
  const [A, C] = [inertia[0], inertia[8]];
  // contact at the rim of the lower cap: offset h/2 along the axis is neglected by taking a thin disc
  const theta = ((90 - lean) * Math.PI) / 180;
  const rolling = trackRadius * (C + mass * radius * radius) + radius * A * cos(theta);
  const turn = Math.sqrt((mass * radius * radius * g * cos(theta)) / (sin(theta) * rolling));
  const spin = (-turn * trackRadius) / radius;
  const axis = [sin(theta), 0, cos(theta)] as const;
  const up = [-cos(theta), 0, sin(theta)] as const;
  const angularVelocity = vec3.add(vec3.scale(spin, axis), vec3.scale(turn * sin(theta), up));
  for (const E of [1e11, 1e8]) {
    const t0 = Date.now();
    const run = simulate(model({ gravity: [0, 0, -g], bodies: { floor: body({ shape: halfSpace(), material: { ...material, youngsModulus: E }, fixed: true }),
      coin: body({ shape, material: { ...material, youngsModulus: E }, position: [trackRadius, 0, radius * sin(theta) + 0.5 * thickness * cos(theta)], orientation: quaternion.between([0, 0, 1], axis), angularVelocity, velocity: vec3.cross(angularVelocity, vec3.add(vec3.scale(radius, up), vec3.scale(thickness / 2, axis))) }) } }), { stopTime: 10, interval: 0.5 });
    const r = (i: number) => Math.hypot(run.signal('coin.position.x').values[i], run.signal('coin.position.y').values[i]);
    console.log(E, r(0), r(1), r(10), r(20), run.signal('coin.position.z').values.join(' '), run.signal('energy.total').values.at(0), run.signal('energy.total').values.at(-1), run.signal('energy.dissipated').values.at(-1), T(run), Date.now() - t0);
  }
});
test('fall', () => {
  const material = { name: 'm', density: 1000, youngsModulus: 1e8, poissonRatio: 0.4, restitution: 0.4, friction: 0.5 };
  for (const [h, tilt] of [[0.02, 0.3], [0.02, 1.2], [0.3, 0.7], [0.3, 1.57]] as const) {
    const t0 = Date.now();
    const run = simulate(model({ gravity: [0, 0, -g], bodies: { floor: body({ shape: halfSpace(), material, fixed: true }),
      disc: body({ shape: cylinder({ radius: 0.1, height: h }), material, position: [0, 0, 0.3], orientation: { axis: [0.6, 0.8, 0], angle: tilt }, angularVelocity: [0.1, 0.3, 1] } as never) } }), { stopTime: 10, interval: 0.5 });
    console.log(h, tilt, run.signal('disc.position.z').values.join(' '), run.signal('disc.velocity.z').values.at(-1), run.signal('disc.angularVelocity.z').values.at(-1), run.signal('energy.total').values.at(0)! - run.signal('energy.total').values.at(-1)!, T(run), Date.now() - t0);
  }
});
