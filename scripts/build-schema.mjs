// Writes schema/model.schema.json and docs/reference/model-json.md from the schemas that check models. Run after `npm run build`.
//   node scripts/build-schema.mjs
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { modelJsonSchema } from '../dist/model/json-schema.js';
import { schemaPage } from './schema-page.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const schema = modelJsonSchema();
write('schema', 'model.schema.json', `${JSON.stringify(schema, null, 2)}\n`);
write('docs/reference', 'model-json.md', schemaPage(schema));
// Laid out as the formatter wants it, so that the formatter has nothing to say
const { status } = spawnSync('node', ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', 'schema'], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

function write(folder, name, text) {
  mkdirSync(`${root}${folder}`, { recursive: true });
  writeFileSync(`${root}${folder}/${name}`, text);
  console.log(`wrote ${folder}/${name}`);
}
