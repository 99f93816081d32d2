// Measures the benchmarks of one file in a process of their own: node measure-file.js <module> <options as JSON>.
// Progress on stderr, the rows as JSON on the last line of stdout. Called by run.ts.
import { pathToFileURL } from 'node:url';
import { FULL, QUICK, type Row, registeredBenchmarks } from './harness.js';
import { matches } from './run.js';

const [module, optionsText] = process.argv.slice(2);
const { only, quick, list } = JSON.parse(optionsText) as { only?: string; quick?: boolean; list?: boolean };
await import(pathToFileURL(module).href);

const names: string[] = [];
const sources: [string, string][] = [];
const rows: Row[] = [];
for (const benchmark of registeredBenchmarks()) {
  names.push(benchmark.name);
  if (list || !matches(benchmark.name, only)) continue;
  sources.push([benchmark.name, benchmark.source]);
  rows.push(...(await benchmark.measure(quick ? QUICK : FULL, (text) => process.stderr.write(`  ${text}\n`))));
}
// A browser or a server that a scene started is still there; it ends with us.
process.stdout.write(`\n${JSON.stringify({ names, sources, rows })}\n`, () => process.exit(0));
