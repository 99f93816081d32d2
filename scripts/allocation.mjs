// Bytes allocated per evaluation of the rates and per step, once the code is compiled: should be none.
//
//   node scripts/allocation.mjs              a table
//   node scripts/allocation.mjs --sites      and where they come from, by the sampling heap profiler
//   node scripts/allocation.mjs --only chain --json
//
// Counted is what the heap and the array buffers grow by over a block of calls. Blocks in which the garbage collector ran are
// dropped, the median of the rest is told. Code that is not compiled yet keeps every number in a heap object of its own, so there is a
// warm-up before.
import { spawnSync } from 'node:child_process';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    sites: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});

// A young generation large enough that it is hardly ever collected
const FLAGS = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256'];
if (!globalThis.gc) {
  const self = fileURLToPath(import.meta.url);
  const { status } = spawnSync(process.execPath, [...FLAGS, self, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exit(status ?? 1);
}

const { body, box, halfSpace, model, revolute, sphere, torus, translate } = await import('../dist/index.js');
const { assemble } = await import('../dist/assembly/assemble.js');
const { findModel, loadModel } = await import('../dist/node/model-files/load-model.js');
const { initialise, MechanicalSystem } = await import('../dist/dynamics/index.js');
const { ContactSystem } = await import('../dist/contact/index.js');
const { Integration } = await import('../dist/integration/index.js');
const { Simulation } = await import('../dist/simulation/index.js');

const example = async (name) => (await loadModel(findModel(name)))({});

/** Links of 1 m on hinges about y and x in turn */
const chain = (count) => {
  const names = Array.from({ length: count }, (_, i) => `link${i}`);
  return model({
    bodies: Object.fromEntries(
      names.map((name, i) => [
        name,
        body({ mass: 1, inertia: [0.02, 0.09, 0.1], centreOfMass: [0.5, 0, 0], position: [i, 0, 0] }),
      ]),
    ),
    joints: Object.fromEntries(
      names.map((name, i) => [
        `hinge${i}`,
        revolute({
          body: name,
          ...(i > 0 && { to: names[i - 1] }),
          axis: i % 2 ? [1, 0, 0] : [0, 1, 0],
          at: [i, 0, 0],
          initialAngle: 0.1,
        }),
      ]),
    ),
  });
};

const freeBodies = (count) =>
  model({
    bodies: Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `body${i}`,
        body({
          shape: translate([0, 0, 0], box([0.1, 0.2, 0.3])),
          mass: 1,
          position: [i, 0, 0],
          angularVelocity: [1, 5, 0.1 * i],
        }),
      ]),
    ),
  });

const soft = { name: 'soft', density: 1000, youngsModulus: 1e7, poissonRatio: 0.4 };
/** Things on a floor that touch it and slide, roll or stand */
const onFloor = (things) =>
  model({
    bodies: {
      floor: body({ shape: halfSpace(), fixed: true, material: soft }),
      ...Object.fromEntries(things.map((thing, i) => [`thing${i}`, body({ material: soft, ...thing })])),
    },
    contacts: { defaults: { friction: 0.3, restitution: 0.3 } },
  });
const balls = Array.from({ length: 10 }, (_, i) => ({
  shape: sphere(0.1),
  position: [0, i, 0.1],
  velocity: [1, 0, 0],
  angularVelocity: [0, 3 * i, 0],
}));
const stack = Array.from({ length: 4 }, (_, i) => ({ shape: box(0.1), position: [0.01 * i, 0, 0.05 + 0.1 * i] }));
const rings = Array.from({ length: 3 }, (_, i) => ({
  shape: torus({ majorRadius: 0.1, minorRadius: 0.03, segments: 16, minorSegments: 8 }),
  position: [0, i, 0.03],
  velocity: [2, 0, 0],
}));

/** `until` s: where a run begins anew */
const scenes = [
  { name: 'pendulum', model: await example('pendulum'), until: 1000 },
  { name: 'chain of 20', model: chain(20), until: 5 },
  { name: "Andrews' squeezer", model: await example('andrews-squeezer'), until: 0.03 },
  { name: '100 free bodies', model: freeBodies(100), until: 1000 },
  { name: 'robot arm', model: await example('robot-arm'), until: 1.4 },
  { name: 'balls that roll', model: onFloor(balls), until: 2 },
  { name: 'stack of boxes', model: onFloor(stack), until: 2 },
  { name: 'rings that slide', model: onFloor(rings), until: 1 },
];

// What asking costs itself
let OVERHEAD = 0;
for (let i = 0; i < 1000; i++) inUse();
OVERHEAD = -(inUse() - inUse());

const columns = ['rates', 'dopri5', 'dop853', 'rodas4', 'simulation'];
const rows = [];
const sites = [];
for (const scene of scenes) {
  if (!scene.name.includes(options.only)) continue;
  const bytes = {};
  for (const column of columns) {
    const work =
      column === 'rates' ? ratesOf(scene) : column === 'simulation' ? simulationOf(scene) : stepsOf(scene, column);
    bytes[column] = measure(work);
    if (options.sites && bytes[column] > 0) sites.push({ scene: scene.name, column, top: await profile(work) });
  }
  rows.push({ scene: scene.name, ...bytes });
}
print();

/** One evaluation of f(t, y) */
function ratesOf({ model: described }) {
  const { mechanics, y } = started(described);
  const out = new Float64Array(mechanics.size);
  let time = 0; // changes, for poses that are there already are not computed again
  const once = () => {
    time = 1 - time;
    mechanics.rates(time, y, out);
  };
  return { begin() {}, once };
}

/** One accepted step of an integrator */
function stepsOf({ model: described, until }, method) {
  let contacts;
  let integration;
  const begin = () => {
    if (integration && integration.t <= 0.5 * until) return;
    const { mechanics, contacts: fresh, y } = started(described);
    contacts = fresh;
    mechanics.linear.exact = contacts !== undefined;
    integration = new Integration(mechanics, { t0: 0, y0: y, method, rtol: 1e-6 });
  };
  begin();
  const once = () => {
    integration.step(2 * until);
    if (contacts?.update(integration.t, integration.y)) integration.revise();
  };
  return { begin, once };
}

/** One step of a whole simulation with its energy ledger, no rows recorded */
function simulationOf({ model: described }) {
  let simulation;
  const begin = () => {
    if (!simulation || simulation.time > 0.5 * simulation.stopTime)
      simulation = new Simulation(described, { interval: 1e6 });
  };
  begin();
  const pause = () => true;
  return { begin, once: () => simulation.advance(simulation.stopTime, pause) };
}

function started(described) {
  const system = assemble(described);
  const mechanics = new MechanicalSystem(system, {
    tolerance: { relative: 1e-6, contact: 1e-2 },
    ...(system.contacts && { reservedStates: 300 }),
  });
  const y = new Float64Array(mechanics.size);
  y.set(system.initial);
  initialise(mechanics, 0, y);
  const contacts = system.contacts && new ContactSystem(system, mechanics);
  contacts?.start(0, y);
  mechanics.guard = contacts;
  return { mechanics, contacts, y };
}

function inUse() {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Bytes per call */
function measure({ begin, once }) {
  const start = performance.now();
  for (let i = 0; i < 200 || (i < 20_000 && performance.now() - start < 1500); i++) {
    if (i % 20 === 0) begin();
    once();
  }
  const block = 20;
  const found = [];
  for (let round = 0; round < 60; round++) {
    begin();
    const before = inUse();
    for (let i = 0; i < block; i++) once();
    const grown = inUse() - before - OVERHEAD;
    if (grown > -4 * OVERHEAD) found.push(Math.max(0, grown) / block); // less: the collector ran
  }
  found.sort((a, b) => a - b);
  return found[found.length >> 1] ?? Number.NaN;
}

/** Who allocates, by the sampling heap profiler: bytes per call and place, the largest first */
async function profile({ begin, once }) {
  const calls = 400;
  const session = new Session();
  session.connect();
  begin();
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: 256,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  for (let i = 0; i < calls; i++) {
    if (i % 20 === 0) begin();
    once();
  }
  const { profile } = await session.post('HeapProfiler.stopSampling');
  session.disconnect();
  const places = new Map();
  const visit = ({ callFrame: { functionName, url, lineNumber }, selfSize, children }) => {
    const place = `${functionName || '(anonymous)'} ${url.replace(/^.*\/(dist|examples)\//, '')}:${lineNumber + 1}`;
    if (selfSize > 0 && /\/(dist|examples)\//.test(url)) places.set(place, (places.get(place) ?? 0) + selfSize / calls);
    children.forEach(visit);
  };
  visit(profile.head);
  return [...places].sort(([, a], [, b]) => b - a).slice(0, 12);
}

function print() {
  if (options.json) {
    console.log(JSON.stringify({ unit: 'bytes per call', rows, ...(options.sites && { sites }) }, null, 1));
    return;
  }
  const line = (cells) => cells.map((cell, i) => (i === 0 ? cell.padEnd(20) : cell.padStart(12))).join('');
  console.log(line(['bytes per', ...columns]));
  for (const row of rows) console.log(line([row.scene, ...columns.map((column) => String(Math.round(row[column])))]));
  for (const { scene, column, top } of sites) {
    console.log(`\n${scene}, ${column}:`);
    for (const [place, size] of top) console.log(`${String(Math.round(size)).padStart(10)}  ${place}`);
  }
}
