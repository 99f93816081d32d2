// Draws the pictures in the examples' READMEs: npm run pictures (after a build). Solids as built; models at a telling moment of a run.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireSolids } from '../dist/cli/build.js';
import { exampleNames, findModel, loadModel } from '../dist/cli/load-model.js';
import { encodePng } from '../dist/cli/png.js';
import { writeBytes } from '../dist/node/cad-files.js';
import { simulate } from '../dist/simulation/simulation.js';
import { partsAt } from '../dist/viewer/scene-parts.js';
import { drawStill } from '../dist/viewer/still.js';

/** Which part of the run shows most; a third of it where nothing is said. */
const MOMENTS = {
  'docking-release': 0.3,
  'robot-arm': 0.45,
  pendulum: 0.04,
  'slider-crank': 0.18,
  'andrews-squeezer': 0.1,
  'cylinder-tests': 0.45,
  'pool-table': 0.15,
  'newtons-cradle': 0,
  'sphere-on-cylinder': 0.1,
  'cylinder-on-disc': 0.2,
  'box-on-plane': 0.25,
  dominoes: 0.6,
};

const examples = fileURLToPath(new URL('../examples', import.meta.url));
const only = process.argv.slice(2);
for (const name of exampleNames()) {
  if (only.length > 0 && !only.includes(name)) continue;
  const file = findModel(join(examples, name));
  const built = await (await loadModel(file))();
  let parts;
  if (built.kind === 'model') {
    const recording = simulate(built);
    parts = partsAt(recording, Math.round((MOMENTS[name] ?? 1 / 3) * (recording.rows - 1)));
  } else
    parts = requireSolids(built, file).map(([part, { mesh, colour }]) => ({
      name: part,
      mesh,
      ...(colour && { colour }),
    }));
  // Where things fall along −y, y is up.
  const falls = Array.isArray(built.gravity) && built.gravity[1] < 0;
  const view = falls ? { up: [0, 1, 0], from: [0.55, 0.6, 0.75] } : {};
  const still = drawStill(parts, { width: 800, height: 520, ...view });
  await writeBytes(join(examples, name, `${name}.png`), encodePng(still));
  console.log(`examples/${name}/${name}.png`);
}
