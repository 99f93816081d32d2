// Puts the command line into few files, dist/command: Node reads and compiles some five hundred modules in 0.8 s, these in a third of that.
// Models import `tippetop`: the package's entries lie in the bundle, too, so that a model and the command share one set of modules
// (src/node/model-files/typescript-loader.ts). What a program of the user's imports stays as TypeScript made it, module by module, for bundlers to shake.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const { exports } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));

const input = {
  main: `${root}/dist/cli/main.js`,
  'run-child': `${root}/dist/cli/studies/run-child.js`,
  'typescript-loader': `${root}/dist/node/model-files/typescript-loader.js`,
};
for (const [path, { default: file }] of Object.entries(exports))
  if (file) input[path === '.' ? 'index' : path.slice(2)] = `${root}/${file}`;

const bundle = await rolldown({
  input,
  platform: 'node',
  // Packages stay packages; the vendored CSG library comes in
  external: (id) => !/^[./]/.test(id),
  checks: { pluginTimings: false },
});
await bundle.write({ dir: `${root}/dist/command`, cleanDir: true, format: 'esm' });
writeFileSync(`${root}/dist/cli/main.js`, "#!/usr/bin/env node\nimport '../command/main.js';\n");
