// Compiles src/kernels/*.kernel.ts with AssemblyScript into one WebAssembly module and embeds it, as base64, in
// src/kernels/wasm.generated.ts, so that Node, a bundler and a static page load it like any other module.
// Must run before tsc and vitest. Same sources, same file; nothing is done if the sources have not changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'src/kernels');
const output = join(folder, 'wasm.generated.ts');
const MAXIMUM_PAGES = 65536; // 4 GiB; an arena may have less

export async function buildKernels() {
  const kernels = readdirSync(folder)
    .filter((name) => name.endsWith('.kernel.ts'))
    .sort();
  const read = (name) => readFileSync(join(folder, name), 'utf8');

  // The files as AssemblyScript sees them. In a kernel the imports from the prelude lose what is built into the language
  // or needs no mark there: f64 and i32, and the word `type`.
  const adapted = (text) =>
    text
      .replace(/^import (?:type )?\{([^}]*)\} from '(\.\/prelude\.js)';$/gm, (_, names, from) => {
        const kept = names.split(',').map((item) => item.trim().replace(/^type /, ''));
        return `import { ${kept.filter((item) => item && item !== 'f64' && item !== 'i32').join(', ')} } from '${from}';`;
      })
      // A function that says so in the comment above it becomes part of whoever calls it
      .replace(/^(\/\/ inline\n)((?:export )?function )/gm, '$1@inline\n$2');
  const sources = new Map(
    ['prelude', 'pairs-by-two', 'walls-by-two', 'leap-by-two', 'six-blocks'].map((name) => [
      `${name}.js.ts`,
      adapted(read(`assembly/${name}.ts`)),
    ]),
  );
  for (const name of kernels) sources.set(`${name.slice(0, -3)}.js.ts`, adapted(read(name))); // as other kernels import it
  sources.set(
    'entry.ts',
    [
      "export { setTable } from './prelude.js';",
      ...kernels.map((name) => `export * from './${name.slice(0, -3)}.js';`),
    ].join('\n'),
  );

  const args = ['entry.ts', '--outFile', 'kernels.wasm', '--runtime', 'stub', '--importMemory', '--noExportMemory'];
  args.push('-O3', '--noAssert', '--enable', 'simd', '--initialMemory', '1', '--maximumMemory', String(MAXIMUM_PAGES));

  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/assemblyscript/package.json'), 'utf8'));
  const hash = createHash('sha256');
  hash.update(JSON.stringify([version, args, readFileSync(fileURLToPath(import.meta.url), 'utf8'), [...sources]]));
  const header = `// Made by scripts/build-kernels.mjs from sources ${hash.digest('hex').slice(0, 32)}`;
  if (existsSync(output) && readFileSync(output, 'utf8').startsWith(`${header}\n`)) return;

  const { default: asc } = await import('assemblyscript/asc');
  let wasm;
  const { error, stderr } = await asc.main(args, {
    readFile: (name) => sources.get(name) ?? null,
    writeFile: (_, contents) => {
      wasm = contents;
    },
    listFiles: () => [],
  });
  if (error || !wasm) {
    console.error(String(stderr));
    throw error ?? new Error('AssemblyScript wrote nothing');
  }

  // The module imports its memory as unshared. A shared one is asked for by a single bit, which the loader sets when it
  // has shared memory; so one module serves both. The import reads 3 "env" 6 "memory" 2 (a memory) flags minimum maximum.
  const importOfMemory = Buffer.from('\x03env\x06memory\x02', 'latin1');
  const at = Buffer.from(wasm).indexOf(importOfMemory);
  const flags = at + importOfMemory.length;
  if (at < 0 || wasm[flags] !== 1) throw new Error('the import of the memory is not where it should be');

  const part = `${output}.${process.pid}`;
  writeFileSync(
    part,
    `${header}
/** The kernels as a WebAssembly module, base64. */
export const WASM_BASE64 =
  '${Buffer.from(wasm).toString('base64')}';
/** Offset of the byte that says how the memory is imported: 1 unshared, 3 shared. */
export const WASM_MEMORY_FLAGS = ${flags};
`,
  );
  renameSync(part, output); // never half a file, whoever reads meanwhile
  console.log(`kernels: ${kernels.length} in ${wasm.length} bytes of WebAssembly`);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await buildKernels();
