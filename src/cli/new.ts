/** `tippetop new`: a folder with a model that runs, a test against a closed form, and what to do with them. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Command } from 'commander';
import { ModelError } from '../errors.js';
import { writeBytes } from '../node/cad-files.js';
import { packageVersion } from '../node/versions.js';

export function newCommand(): Command {
  return new Command('new')
    .description('make a folder with a model, a test and a README to start from')
    .argument('<folder>', 'its name is the name of the model: letters, digits and -')
    .addHelpText('after', '\nExample:\n  tippetop new my-mechanism && cd my-mechanism && npm install && npm test')
    .action(make);
}

async function make(folder: string): Promise<void> {
  const name = basename(resolve(folder));
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new ModelError(
      'new',
      `expected a name of small letters, digits and -, beginning with a letter, got "${name}"`,
    );
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new ModelError('new', `${folder} exists and is not empty; choose another name`);
  for (const [file, text] of Object.entries(filesOf(name))) await writeBytes(join(folder, file), text);
  console.log(
    `made ${folder}: ${Object.keys(filesOf(name)).join(', ')}\n\n  cd ${folder} && npm install\n  npx tippetop run ${name}.model.ts --view\n  npm test`,
  );
}

/** Words of the files' imports, which are not this file's. */
const FROM_PACKAGE = ['from', "'tippetop'"].join(' ');
const MODEL = '.model.ts';

const filesOf = (name: string): Record<string, string> => ({
  [`${name}.model.ts`]: `// A steel rod swings about one end.
// npx tippetop run ${name}.model.ts --length 3 --view
import { body, cylinder, model, revolute, steel } ${FROM_PACKAGE};

export default ({ length = 1 /* m */, push = 0.1 /* rad */ } = {}) =>
  model({
    title: '${name}',
    bodies: {
      rod: body({ shape: cylinder({ radius: 0.01, height: length }), material: steel, position: [0, 0, -length / 2] }),
    },
    joints: { pivot: revolute({ body: 'rod', at: [0, 0, 0], axis: [0, 1, 0], initialAngle: push }) },
    simulation: { stop: 10 },
    plots: { swing: 'pivot.angle' },
  });
`,
  [`${name}.test.mjs`]: `// The period of a rod of length L and radius r that swings little about one end:
//   T = 2π √(I / (m g L/2)) (1 + φ²/16),   I = m (L²/3 + r²/4)
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } ${FROM_PACKAGE};
import swing from './${name}${MODEL}';

test('the rod swings as the formula says', () => {
  const length = 1;
  const push = 0.1;
  const inertia = length ** 2 / 3 + 0.01 ** 2 / 4; // per mass
  const period = 2 * Math.PI * Math.sqrt(inertia / ((9.80665 * length) / 2)) * (1 + push ** 2 / 16);
  const run = simulate(swing({ length, push }), { stopTime: period, rtol: 1e-9 });
  // After one period it is back where it began; what the formula leaves out is of the order φ⁴.
  assert.ok(Math.abs(run.signal('pivot.angle').at(-1) - push) < push ** 4);
});
`,
  'package.json': `${JSON.stringify(
    {
      name,
      private: true,
      type: 'module',
      scripts: { start: `tippetop run ${name}.model.ts --view`, test: 'node --import tippetop/register --test' },
      dependencies: { tippetop: `^${packageVersion()}` },
    },
    null,
    2,
  )}\n`,
  'tsconfig.json': `${JSON.stringify(
    {
      compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true },
      include: ['*.ts'],
    },
    null,
    2,
  )}\n`,
  '.gitignore': 'node_modules/\nout/\n',
  'README.md': `# ${name}

\`\`\`
npm install
npx tippetop run ${name}.model.ts --view      simulate it and look at it in the browser; --length 3 changes a parameter
npx tippetop explain ${name}.model.ts         what its numbers mean
npm test                                      the model against a closed form
\`\`\`
`,
});
