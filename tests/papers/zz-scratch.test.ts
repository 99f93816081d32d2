import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { simulate } from '../../src/simulation/simulation.js';
import one from '../../examples/sphere-on-cylinder/sphere-on-cylinder.model.js';
import two from '../../examples/cylinder-on-disc/cylinder-on-disc.model.js';
import three from '../../examples/box-on-plane/box-on-plane.model.js';
const ref = JSON.parse(readFileSync(new URL('../verification/references/oestersoetebier.json', import.meta.url), 'utf8'));
const cases: [string, any, string, number][] = [
  ['experiment1', one(), 'sphere', 0.5], ['experiment1AlongAxes', one({ perAxis: true }), 'sphere', 0.5],
  ['experiment2', two(), 'cylinder', 1], ['experiment3', three(), 'cuboid', 0.2], ['experiment3', three(), 'cuboid', 0.8], ['experiment3Laid', three({ laid: true }), 'cuboid', 0.6],
];
const only = process.env.ONLY ? process.env.ONLY.split(',').map(Number) : cases.map((_, i) => i);
const rtols = (process.env.RTOL ?? '1e-6,1e-9').split(',').map(Number);
test('x', () => {
  for (const i of only) for (const rtol of rtols) {
    const [name, model, b, stop] = cases[i];
    const interval = Number(process.env.INTERVAL ?? (ref[name].samples[1][0] - ref[name].samples[0][0]));
    const t0 = process.cpuUsage();
    let run: any;
    try { run = simulate(model, { stopTime: stop, rtol, interval, ...(process.env.METHOD && { integrator: process.env.METHOD as any }) }); } catch (e) { console.log(name, rtol, String(e)); continue; }
    const c = process.cpuUsage(t0);
    const worst: number[] = [0, 0, 0];
    const by: string[] = [];
    for (const s of ref[name].samples) {
      if (s[0] > stop + 1e-9) continue;
      let here = 0;
      ['position', 'velocity', 'angularVelocity'].forEach((q, k) => 'xyz'.split('').forEach((a, j) => {
        const e = Math.abs(run.signal(`${b}.${q}.${a}`).valueAt(s[0]) - s[1 + [0, 7, 10][k] + j]);
        worst[k] = Math.max(worst[k], e); if (k === 0) here = Math.max(here, e);
      }));
      by.push(here.toExponential(0));
    }
    const { trust } = run;
    console.log(name, stop, 'rtol', rtol, 'pos/vel/spin', worst.map((x) => x.toExponential(1)).join(' '), 'cpu', ((c.user + c.system) / 1e6).toFixed(3), JSON.stringify(trust.steps), 'maxF', run.signal(`${b}.contact.force.y`).max());
    console.log('   ', by.join(' '));
  }
}, 600000);
