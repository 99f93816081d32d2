// `npm start`: builds the show-piece and says which page to open.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = resolve(root, 'dist/cli/main.js');
if (!existsSync(main)) spawnSync(process.execPath, [resolve(root, 'scripts/build.mjs')], { stdio: 'inherit' });
const { status } = spawnSync(process.execPath, [main, 'build', 'geneva-wheel', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
if (status === 0) console.log(`\nOpen this page in a browser: ${resolve(root, 'out/geneva-wheel/report.html')}`);
process.exit(status ?? 1);
