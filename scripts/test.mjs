// `npm test`: format and lint, types, unit, verification and browser tests, ending with the line "N passed, N failed".
//   npm test -- --skip browser      leaves a stage out
//   npm test -- --only unit         runs one stage
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'tippetop-test-'));
const bin = (name, script) => join(root, 'node_modules', name, script);
let passed = 0;
let failed = 0;
let skipped = 0;
const failures = [];

const stages = {
  build: () => check('build', [join(root, 'scripts/build.mjs'), '--if-changed']),
  format: () =>
    check('format, lint, import cycles', [bin('@biomejs/biome', 'bin/biome'), 'check', '--error-on-warnings', '.']),
  types: () => check('types', [bin('typescript', 'bin/tsc'), '--noEmit']),
  unit: () => vitest('unit'),
  verification: () => vitest('verification'),
  browser: () => {
    try {
      process.env.CHROMIUM = ensureChromium();
    } catch (error) {
      console.error(`browser: ${error.message}`);
      return count('browser', false);
    }
    vitest('browser');
  },
};

const { only, skip } = options();
for (const [name, stage] of Object.entries(stages)) {
  if (skip.includes(name) || (only.length > 0 && !only.includes(name))) continue;
  const start = Date.now();
  console.log(`\n── ${name}`);
  stage();
  console.log(`   ${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
}
rmSync(scratch, { recursive: true, force: true });
forgetOldModules();
if (failures.length > 0) console.log(`\nfailed: ${failures.join(', ')}`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

function options() {
  const chosen = { only: [], skip: [] };
  const words = process.argv.slice(2);
  for (let i = 0; i < words.length; i += 2) {
    const key = words[i].replace(/^--/, '');
    if (!(key in chosen) || !(words[i + 1] in stages)) {
      console.error(
        `npm test: expected --only or --skip with one of ${Object.keys(stages).join(', ')}, got "${words.slice(i).join(' ')}"`,
      );
      process.exit(2);
    }
    chosen[key].push(words[i + 1]);
  }
  return chosen;
}

function count(name, ok) {
  if (ok) passed++;
  else {
    failed++;
    failures.push(name);
  }
}

/** Of the compiled modules that vitest.config.ts keeps, those of three days ago: each change of a file leaves one. */
function forgetOldModules() {
  const folder = join(tmpdir(), `tippetop-tests-${process.getuid?.() ?? 0}`);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(name.parentPath, name.name);
    if (name.isFile() && Date.now() - statSync(path).mtimeMs > 3 * 86_400_000) rmSync(path, { force: true });
  }
}

/** A check that passes when its command exits with 0. */
function check(name, args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  count(name, status === 0);
}

/** Where the time of a stage goes: its six longest files, in seconds. */
function dearest(files) {
  const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1000;
  return [...files]
    .sort((a, b) => seconds(b) - seconds(a))
    .slice(0, 6)
    .map((file) => `${file.name.slice(root.length)} ${seconds(file).toFixed(1)}`)
    .join(', ');
}

/** Runs one vitest project and adds its counts; a runner that died counts as one failure. */
function vitest(project) {
  const report = join(scratch, `${project}.json`);
  const args = [
    bin('vitest', 'vitest.mjs'),
    'run',
    '--project',
    project,
    '--passWithNoTests',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8'));
    passed += counts.numPassedTests;
    failed += counts.numFailedTests;
    skipped += counts.numPendingTests + counts.numTodoTests;
    for (const file of counts.testResults) if (file.status === 'failed') failures.push(file.name.slice(root.length));
    console.log(`   dearest files: ${dearest(counts.testResults)}`);
    if (status !== 0 && counts.numFailedTests === 0) count(`${project} (a test file could not run)`, false);
  } catch {
    count(`${project} (the test runner gave no result)`, false);
  }
}
