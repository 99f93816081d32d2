// Finds Chromium for the browser tests, and installs Debian's when it is missing and we are permitted to.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of an installed Chromium, or undefined. The environment variable CHROMIUM goes first. */
export function findChromium() {
  return [process.env.CHROMIUM, ...PLACES].find((path) => path && existsSync(path));
}

/** Path of Chromium, installing Debian's package if need be. Throws with what to do when that is not possible. */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const permitted =
    existsSync('/usr/bin/apt-get') && (sudo.length === 0 || spawnSync('sudo', ['-n', 'true']).status === 0);
  if (permitted) {
    console.log('Chromium is not installed; installing the Debian package "chromium" …');
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    for (const args of [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
    ]) {
      const [command, ...rest] = [...sudo, 'apt-get', ...args];
      spawnSync(command, rest, { stdio: ['ignore', 'ignore', 'inherit'], env: environment });
    }
  }
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(
    `the browser tests need Chromium, looked for in ${PLACES.join(', ')}.\n` +
      '  Install it (Debian or Ubuntu: sudo apt-get install chromium), or set CHROMIUM=/path/to/chrome,\n' +
      '  or leave these tests out: npm test -- --skip browser',
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(ensureChromium());
