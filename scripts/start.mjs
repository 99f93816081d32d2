// `npm start`: runs the show-piece and says which page to open.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = resolve(root, 'dist/cli/main.js');
if (!existsSync(main)) spawnSync(process.execPath, [resolve(root, 'scripts/build.mjs')], { stdio: 'inherit' });
console.log(
  'A robot arm picks a part and puts it down: 5 s, four driven joints, two joints that take hold and let go.\n',
);
const { status } = spawnSync(process.execPath, [main, 'run', 'robot-arm', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
if (status === 0) console.log(`\nOpen this page in a browser: ${resolve(root, 'out/robot-arm/report.html')}`);
process.exit(status ?? 1);
