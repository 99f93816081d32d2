import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { body, box, disc, extrude, fixed, halfSpace, model, planar, prismatic, revolute, simulate, Simulation, sphere, type ModelOptions } from '../src/index.js';

const strip = (l: number, w: number, t: number) => extrude([[0, -w / 2], [l, -w / 2], [l, w / 2], [0, w / 2]], t);
const plastic = { density: 1200, youngsModulus: 2e9, poissonRatio: 0.35, friction: 0.3 };

const run = (m: any, o: any) => {
  const t0 = process.cpuUsage();
  try {
    const sim = new Simulation(m, o);
    sim.advance(); sim.finish();
    const c = process.cpuUsage(t0);
    return { r: sim.recording, sim, cpu: (c.user + c.system) / 1e6, step: (sim as any).trust?.() };
  } catch (e) { console.log('FAILED', (e as Error).message, (e as Error).stack?.split('\n').slice(0,6).join('\n')); return undefined; }
};
const word = (s: any) => { const { trust } = s.sim as any; return JSON.stringify(s.r.trust ?? s.r.header?.trust ?? trust ?? Object.keys(s.r)).slice(0, 500); };
const last = (r: any, s: string) => { return r.signal(s).at(-1)!; };

const ballOnBeam = (drop: number, extra: any = {}) => model({
  gravity: [0, -9.81, 0],
  bodies: {
    beam: body({ shape: strip(0.2, 0.01, 0.02), material: { ...plastic, ...extra.beam }, flexible: { grid: [40, 2], modes: 6, damping: 0.02 }, frames: { tip: { position: [0.2, 0, 0.01] } } }),
    ball: body({ shape: disc({ radius: 0.015, height: 0.02 }), material: { density: 2700, youngsModulus: 70e9, poissonRatio: 0.3, friction: 0 }, position: [0.15, 0.02 + drop, 0.01] }),
  },
  joints: { wall: fixed({ body: 'beam', at: [0, 0, 0.01] }), guide: planar({ body: 'ball', normal: [0, 0, 1] }) },
  contacts: { defaults: { friction: 0 } },
} as any);


const verdict = (s: any) => { const { verdict, energy } = s.r.trust; return verdict.word + ' | ' + verdict.reasons.map((r: any) => r.reason).join('; ').slice(0, 200) + ` | step ${energy.step?.toExponential(1)} kin ${energy.kinetic.toExponential(1)} diss ${energy.dissipated.toExponential(1)} err ${energy.error?.toExponential(1)}`; };
const compare = (name: string, m: any, stop: number, signals: string[], steps: number[], o: any = {}) => {
  const n = 30;
  const file = `/tmp/sup/${name}-${stop}.json`;
  let ref: any;
  if (existsSync(file)) ref = JSON.parse(readFileSync(file, 'utf8'));
  else {
    const e = run(m, { stopTime: stop, interval: stop / n, rtol: 1e-6, ...o });
    if (e) { ref = Object.fromEntries(signals.map((x) => [x, Array.from({ length: n + 1 }, (_, i) => (e.r.signal(x) as any).at(i))])); ref.say = 'cpu ' + e.cpu.toFixed(2) + ' ' + verdict(e); writeFileSync(file, JSON.stringify(ref)); }
  }
  if (ref) console.log(name, 'ref', signals.map((x) => ref[x].at(-1).toPrecision(7)).join(' '), ref.say);
  for (const step of steps) {
    const s = run(m, { stopTime: stop, interval: stop / n, integrator: 'time-stepping', step });
    if (!s) continue;
    const diffs = signals.map((x) => { let d = 0; if (ref) for (let i = 0; i <= n; i++) d = Math.max(d, Math.abs((s.r.signal(x) as any).at(i) - ref[x][i])); return d; });
    console.log(name, step, 'cpu', s.cpu.toFixed(2), signals.map((x, i) => last(s.r, x).toPrecision(7) + '(' + diffs[i].toExponential(1) + ')').join(' '), verdict(s), 'it', (s.sim as any).statistics?.linearisations);
  }
};
const only = process.env.ONLY ?? '';
const t = (name: string, f: () => void) => test.runIf(name.includes(only))(name, f, 600000);

t('drop', () => compare('drop', ballOnBeam(0.01), 0.05, ['ball.position.y', 'beam.tip.position.y'], [1e-3, 5e-4, 2.5e-4, 1e-4, 5e-5, 2.5e-5]));
t('statics', () => compare('statics', ballOnBeam(0, { beam: {} }), 0.5, ['ball.position.y', 'beam.tip.position.y', 'contacts.beam-ball.force.y'], [5e-3, 1e-3]));
const slope = (angle: number, mu: number) => model({
  gravity: [9.81 * Math.sin(angle), -9.81 * Math.cos(angle), 0],
  bodies: {
    plate: body({ shape: strip(0.2, 0.01, 0.02), material: plastic, flexible: { grid: [40, 2], modes: 6, damping: 0.02 }, frames: { tip: { position: [0.2, 0, 0.01] } } }),
    block: body({ shape: extrude([[-0.02, -0.01], [0.02, -0.01], [0.02, 0.01], [-0.02, 0.01]], 0.02), material: plastic, position: [0.1, 0.015, 0] }),
  },
  joints: { wall: fixed({ body: 'plate', at: [0, 0, 0.01] }), guide: planar({ body: 'block', normal: [0, 0, 1] }) },
  contacts: { defaults: { friction: mu } },
} as any);
t('slope', () => compare('slope', slope(0.2, 0.3), 0.2, ['block.position.x', 'block.position.y', 'block.velocity.x', 'plate.tip.position.y'], [1e-2, 1e-3]));
t('slide', () => compare('slide', slope(0.4, 0.2), 0.15, ['block.position.x', 'block.position.y', 'block.velocity.x', 'plate.tip.position.y'], [5e-3, 1e-3, 2.5e-4]));
const leaves = () => model({
  gravity: [0, -9.81, 0],
  bodies: {
    lower: body({ shape: strip(0.2, 0.004, 0.02), material: plastic, flexible: { grid: [40, 1], modes: 5, damping: 0.02 }, frames: { tip: { position: [0.2, 0, 0.01] } } }),
    upper: body({ shape: strip(0.25, 0.004, 0.02), material: plastic, position: [0, 0.0041, 0], flexible: { grid: [50, 1], modes: 5, damping: 0.02 }, frames: { tip: { position: [0.25, 0, 0.01] } } }),
    ball: body({ shape: disc({ radius: 0.015, height: 0.02 }), material: plastic, position: [0.23, 0.0241, 0.01] }),
  },
  joints: { w1: fixed({ body: 'lower', at: [0, 0, 0.01] }), w2: fixed({ body: 'upper', at: [0, 0.0041, 0.01] }), guide: prismatic({ body: 'ball', axis: [0, 1, 0] }) },
  contacts: { defaults: { friction: 0.2 } },
} as any);
t('leaves', () => compare('leaves', leaves(), 0.1, ['ball.position.y', 'lower.tip.position.y', 'upper.tip.position.y'], [2e-3, 1e-3]));
