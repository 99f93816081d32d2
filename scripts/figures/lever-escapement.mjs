// Figures and tables of docs/guide/lever-escapement.md: node scripts/figures/lever-escapement.mjs (after a build; takes some minutes)
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const dist = process.argv[2] ? pathToFileURL(`${process.argv[2]}/`) : new URL('../../dist/', import.meta.url);
const guide = (file) => fileURLToPath(new URL(`../../docs/guide/${file}`, import.meta.url));
const { loadModel } = await import(new URL('node/model-files/load-model.js', dist).href);
const { steadyState } = await import(new URL('verify/escapement-beats.js', dist).href);
const { simulate } = await import(new URL('simulation/simulation.js', dist).href);

const build = await loadModel(
  fileURLToPath(new URL('../../examples/lever-escapement/lever-escapement.model.ts', import.meta.url)),
);
const degree = Math.PI / 180;
const watch = { inertia: 1.2e-9, quality: 200, omega: 8 * Math.PI };

// ---- amplitude, rate and efficiency over the torque ----------------------------------------------------------------------------
const rows = [];
for (const micro of [0.3, 0.5, 0.8, 1.1, 1.3, 1.6, 1.8]) {
  const torque = micro * 1e-6;
  const found = await steadyState((amplitude) => build({ torque, amplitude }), { ...watch, torque }, { rtol: 1e-5 });
  rows.push({ micro, amplitude: found.amplitude / degree, rate: found.rate, efficiency: found.efficiency });
  console.log(
    `| ${micro.toFixed(1)} | ${(found.amplitude / degree).toFixed(1)} | ${found.rate.toFixed(2)} | ${((found.rate * found.amplitude) / degree).toFixed(0)} | ${found.efficiency.toFixed(3)} |`,
  );
}

// ---- where the energy of a beat goes -------------------------------------------------------------------------------------------
const run = simulate(await build({}), { stopTime: 0.625, interval: 0.125e-3, rtol: 1e-5 });
const over = (name, from, to) => run.signal(name).valueAt(to) - run.signal(name).valueAt(from);
const perBeat = (name) => (over(name, 0.125, 0.625) / 4) * 1e9;
const viscous = (() => {
  const { values, times } = run.signal('balanceStaff.speed');
  let sum = 0;
  for (let i = 1; i < times.length; i++)
    if (times[i] > 0.125) sum += 0.5 * (values[i] ** 2 + values[i - 1] ** 2) * (times[i] - times[i - 1]);
  return ((sum * watch.inertia * watch.omega) / watch.quality / 4) * 1e9;
})();
console.log(
  'nJ a beat: supplied',
  perBeat('energy.supplied').toFixed(2),
  'dissipated',
  perBeat('energy.dissipated').toFixed(2),
);
console.log('viscous', viscous.toFixed(2));
for (const pair of ['wheel-entryStone', 'wheel-exitStone', 'lever-impulsePin', 'banking[0]-lever', 'banking[1]-lever'])
  console.log(pair, perBeat(`contacts.${pair}.heat`).toFixed(2));

// ---- plots ---------------------------------------------------------------------------------------------------------------------
/** One plot: lines and dots over common axes; all numbers in the units of the labels */
function plot({ file, x, y, xRange, yRange, xTicks, yTicks, lines = [], dots = [], notes = [] }) {
  const [width, height, left, right, top, bottom] = [640, 320, 66, 14, 18, 46];
  const px = (value) => left + ((value - xRange[0]) / (xRange[1] - xRange[0])) * (width - left - right);
  const py = (value) => height - bottom - ((value - yRange[0]) / (yRange[1] - yRange[0])) * (height - top - bottom);
  const at = (point) => `${px(point[0]).toFixed(1)} ${py(point[1]).toFixed(1)}`;
  const colours = ['#0072b2', '#d55e00', '#009e73'];
  const parts = [
    ...xTicks.map(
      (tick) =>
        `<path class="g" d="M${at([tick, yRange[0]])}L${at([tick, yRange[1]])}"/><text x="${px(tick).toFixed(1)}" y="${height - bottom + 16}" text-anchor="middle">${tick}</text>`,
    ),
    ...yTicks.map(
      (tick) =>
        `<path class="g" d="M${at([xRange[0], tick])}L${at([xRange[1], tick])}"/><text x="${left - 6}" y="${(py(tick) + 4).toFixed(1)}" text-anchor="end">${tick}</text>`,
    ),
    ...lines.map(
      (line, i) => `<path fill="none" stroke="${colours[i]}" stroke-width="1.6" d="M${line.map(at).join('L')}"/>`,
    ),
    ...dots.map(
      (point) => `<circle cx="${px(point[0]).toFixed(1)}" cy="${py(point[1]).toFixed(1)}" r="4" fill="#d55e00"/>`,
    ),
    ...notes.map(
      ([text, ...point]) => `<text x="${px(point[0]).toFixed(1)}" y="${py(point[1]).toFixed(1)}">${text}</text>`,
    ),
    `<text x="${(left + width - right) / 2}" y="${height - 8}" text-anchor="middle">${x}</text>`,
    `<text transform="translate(16 ${(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">${y}</text>`,
  ];
  writeFileSync(
    guide(file),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${y} over ${x}"><style>text{font:12px system-ui,sans-serif;fill:#555}.g{stroke:#888;stroke-opacity:.25}</style>${parts.join('')}</svg>\n`,
  );
  console.log(`docs/guide/${file}`);
}
const range = (from, to, step) =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => Number((from + i * step).toFixed(6)));
const reference = rows.find(({ micro }) => micro === 1.3);

plot({
  file: 'lever-escapement-amplitude.svg',
  x: 'torque on the escape wheel, µN m',
  y: 'amplitude, degrees',
  xRange: [0, 2],
  yRange: [0, 360],
  xTicks: range(0, 2, 0.5),
  yTicks: range(0, 360, 60),
  lines: [range(0, 2, 0.02).map((t) => [t, reference.amplitude * Math.sqrt(t / 1.3)])],
  dots: rows.map(({ micro, amplitude }) => [micro, amplitude]),
  notes: [['A ~ √τ', 0.55, 150]],
});
plot({
  file: 'lever-escapement-isochronism.svg',
  x: 'amplitude, degrees',
  y: 'rate, s a day',
  xRange: [100, 340],
  yRange: [-16, 0],
  xTicks: range(100, 340, 40),
  yTicks: range(-16, 0, 4),
  lines: [range(110, 340, 5).map((a) => [a, (reference.rate * reference.amplitude) / a])],
  dots: rows.map(({ amplitude, rate }) => [amplitude, rate]),
  notes: [['rate ~ 1/A', 190, -11.5]],
});
const beat = simulate(await build({}), { stopTime: 0.075, interval: 2e-5, rtol: 1e-5 });
const trace = (name, factor, shift) =>
  [...beat.times].flatMap((t, i) =>
    t >= 0.056 && t <= 0.071 ? [[1e3 * t, beat.signal(name).values[i] * factor + shift]] : [],
  );
plot({
  file: 'lever-escapement-beat.svg',
  x: 'time, ms',
  y: 'angle, degrees',
  xRange: [56, 71],
  yRange: [-14, 8],
  xTicks: range(56, 71, 1),
  yTicks: range(-14, 8, 2),
  lines: [
    trace('leverArbor.angle', 1 / degree, 0),
    trace('wheelArbor.angle', 1 / degree, -beat.signal('wheelArbor.angle').values[1000] / degree),
    trace('balanceStaff.angle', 0.1 / degree, 0),
  ],
  notes: [
    ['lever', 57, 6],
    ['wheel', 66.8, -11],
    ['balance / 10', 68.6, 5.2],
  ],
});
