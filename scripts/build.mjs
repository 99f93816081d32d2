// Builds dist/: kernels to WASM, the vendored CSG library, TypeScript, the pages of viewer and studio, the command line as one bundle. Runs on `npm install` in a clone (script "postprepare": with "prepare" npm would ask those who install a packed file to approve it) and before packing.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const generateOnly = process.argv.includes('--generate-only');

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
