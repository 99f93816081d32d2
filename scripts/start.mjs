// `npm start`: runs the show-piece and says which page to open. `npm start -- --gallery`, `npm run gallery`: all examples.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = resolve(root, 'dist/cli/main.js');
if (!existsSync(main)) spawnSync(process.execPath, [resolve(root, 'scripts/build.mjs')], { stdio: 'inherit' });

const words = process.argv.slice(2);
const gallery = words[0] === '--gallery';
const page = gallery ? 'out/gallery/index.html' : 'out/geneva-mechanism/report.html';
console.log(
  gallery
    ? 'All examples on one page, with picture, figures and replay. This takes some minutes; Ctrl-C keeps what is there.\n'
    : 'A Geneva mechanism: a pin drives a slotted wheel by a sixth of a turn, a disc locks it in between; contact does it all.\n',
);
const command = gallery ? ['gallery', ...words.slice(1)] : ['run', 'geneva-mechanism', ...words];
const { status } = spawnSync(process.execPath, [main, ...command], { cwd: root, stdio: 'inherit' });
if (status === 0) console.log(`\nOpen this page in a browser: ${resolve(root, page)}`);
process.exit(status ?? 1);
