// Draws the pictures in the examples' READMEs: npm run pictures (after a build).
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireSolids } from '../dist/cli/build.js';
import { exampleNames, findModel, loadModel } from '../dist/cli/load-model.js';
import { encodePng } from '../dist/cli/png.js';
import { writeBytes } from '../dist/node/cad-files.js';
import { drawStill } from '../dist/viewer/still.js';

const examples = fileURLToPath(new URL('../examples', import.meta.url));
for (const name of exampleNames()) {
  const file = findModel(join(examples, name));
  const solids = requireSolids(await (await loadModel(file))(), file);
  const parts = solids.map(([part, { mesh, colour }]) => ({ name: part, mesh, ...(colour && { colour }) }));
  await writeBytes(join(examples, name, `${name}.png`), encodePng(drawStill(parts, { width: 800, height: 520 })));
  console.log(`examples/${name}: ${readdirSync(join(examples, name)).join(', ')}`);
}
