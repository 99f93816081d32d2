// Builds dist/: kernels to WASM, the vendored CSG library, TypeScript, the pages of viewer and studio, the command line as one bundle. Runs on `npm install` in a clone (script "postprepare": with "prepare" npm would ask those who install a packed file to approve it) and before packing.
//   --generate-only   kernels and the CSG library alone
//   --if-changed      nothing where dist/ was made from the same inputs: `npm test` just after `npm install`
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const generateOnly = process.argv.includes('--generate-only');
const stamp = `${root}/dist/inputs.sha256`;
if (process.argv.includes('--if-changed') && existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs()) {
  console.log('build: dist/ is up to date');
  process.exit(0);
}

run('node', ['scripts/build-kernels.mjs']);
run('node', ['scripts/vendor-manifold.mjs']);
if (!generateOnly) {
  rmSync(`${root}/dist`, { recursive: true, force: true });
  cpSync(`${root}/src/geometry/vendor`, `${root}/dist/geometry/vendor`, { recursive: true });
  run('node', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']);
  run('node', ['scripts/build-page.mjs']); // takes the place of what TypeScript made of its sources
  run('node', ['scripts/build-studio.mjs']);
  run('node', ['scripts/build-command.mjs']); // dist/cli/main.js becomes the door to it
  chmodSync(`${root}/dist/cli/main.js`, 0o755);
  linkProgram();
  writeFileSync(stamp, inputs());
}

/** What a build reads, by content: sources, scripts, examples (the studio's gallery), schema, and the versions of Node and of the packages. Tests are not built. */
function inputs() {
  const hash = createHash('sha256').update(process.version);
  const files = ['src', 'scripts', 'examples', 'schema'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const manifests = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'].map((name) =>
    join(root, name),
  );
  for (const file of [...files.sort(), ...manifests])
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

/** In a clone `npx tippetop` is this program; without the link npm would build the package again into its cache. Windows needs a file that npm alone writes. */
function linkProgram() {
  const link = `${root}/node_modules/.bin/tippetop`;
  if (process.platform === 'win32' || !existsSync(`${root}/node_modules/.bin`)) return;
  rmSync(link, { force: true });
  symlinkSync('../../dist/cli/main.js', link);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw error;
  if (status !== 0) {
    console.error(`build: "${command} ${args.join(' ')}" failed with exit code ${status}`);
    process.exit(1);
  }
}
