// Copies the CSG library manifold-3d into src/geometry/vendor/, which git ignores and the build takes along into dist/.
//
// Why not depend on the package: of its 40 MB in 37 packages (an image library, a bundler) CSG needs two files.
// What is changed on the way: its loader is asynchronous, looks for manifold.wasm by path, and needs node:fs in Node.
// A model file should just call subtract(a, b), in Node, in a worker and in a bundled page alike. So everything that
// finds, fetches and waits is cut out; the loader hands out its imports and takes the instance made with them:
//
//   manifold.js        the loader: default export () => { imports, start(instance) }
//   manifold-wasm.js   the binary as base64: export const manifoldWasm
//   *.d.ts             their types
//   LICENSE            Apache-2.0, as the package has it
//   README             where it is from and what was changed, as the licence asks
//
// Each cut must find its text exactly once; a new version of manifold-3d that looks different stops the build here.
// The files depend on nothing but the package, and a file that would not change is not touched.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes the vendored files; returns the names of those that changed. */
export function vendorManifold(target = join(root, 'src/geometry/vendor')) {
  const source = dirname(createRequire(join(root, 'package.json')).resolve('manifold-3d/manifold.js'));
  const { version, license } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  if (license !== 'Apache-2.0') throw new Error(`manifold-3d ${version} is under ${license}, not Apache-2.0`);

  const files = {
    'manifold.js':
      `// manifold-3d ${version}, Copyright The Manifold Authors, Apache-2.0 (see LICENSE); changed, see README.\n` +
      makeSynchronous(readFileSync(join(source, 'manifold.js'), 'utf8')),
    'manifold.d.ts':
      '/** What `start` returns is described in src/geometry/csg/manifold.ts. */\n' +
      'export default function prepare(): {\n' +
      '  readonly imports: WebAssembly.Imports;\n' +
      '  readonly start: (instance: WebAssembly.Instance) => unknown;\n' +
      '};\n',
    'manifold-wasm.js':
      `// manifold.wasm of manifold-3d ${version}, Copyright The Manifold Authors, Apache-2.0 (see LICENSE), as base64.\n` +
      `export const manifoldWasm = '${readFileSync(join(source, 'manifold.wasm')).toString('base64')}';\n`,
    'manifold-wasm.d.ts': '/** base64 */\nexport declare const manifoldWasm: string;\n',
    LICENSE: readFileSync(join(source, 'LICENSE'), 'utf8'),
    README:
      `manifold.js and manifold-wasm.js are from the npm package manifold-3d ${version},\n` +
      'https://github.com/elalish/manifold, Copyright The Manifold Authors, licensed under Apache-2.0 (LICENSE).\n' +
      'Changed: the loader is synchronous, is given its WebAssembly.Instance, and contains no code that looks for or\n' +
      'fetches files; the binary is encoded as base64 and otherwise as it was.\n',
  };
  mkdirSync(target, { recursive: true });
  const changed = Object.entries(files).filter(([name, text]) => {
    const path = join(target, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === text) return false;
    writeFileSync(path, text);
    return true;
  });
  return changed.map(([name]) => name);
}

/** The loader without await, without paths, without Node. */
function makeSynchronous(loader) {
  let text = loader;
  const replace = (old, by) => {
    if (text.split(old).length !== 2) throw unexpected(`"${old}" ${text.split(old).length - 1} times`);
    text = text.replace(old, () => by);
  };
  /** From `first` up to, not including, `next`. */
  const cut = (first, next, by = '') => {
    const start = text.indexOf(first);
    const end = text.indexOf(next, start);
    if (start < 0 || end < 0) throw unexpected(`no text from "${first}" to "${next}"`);
    replace(text.slice(start, end), by);
  };

  replace('async function Module(', 'function Module(');
  cut('var ENVIRONMENT_IS_WEB=', 'var _ManifoldInitialized=');
  cut('var _scriptName=import.meta.url', 'var out=console.log');
  cut('var isFileURI=', 'var readyPromiseResolve');
  cut('var wasmBinaryFile;', 'function getWasmImports()');
  cut(
    'async function createWasm()',
    'class ExitStatus',
    'function receiveInstance(instance){wasmExports=applySignatureConversions(instance.exports);' +
      'assignWasmExports(wasmExports);updateMemoryViews()}',
  );
  // The end of the loader, where it waited: now it hands out its imports and goes on when it is given the instance.
  replace('wasmExports=await (createWasm());run();', '');
  cut(
    'if(runtimeInitialized){moduleRtn=Module}',
    ';return moduleRtn}',
    'moduleRtn={imports:getWasmImports(),start:instance=>{receiveInstance(instance);run();return Module}}\n',
  );
  // for tests that watch the memory
  replace(
    'Module["removeFunction"]=removeFunction;',
    'Module["removeFunction"]=removeFunction;Module["heapSize"]=()=>HEAPU8.length;',
  );

  const left =
    /\b(?:async|await|import|require|process|fetch|XMLHttpRequest|window|ENVIRONMENT_IS_\w+|readBinary|readAsync)\b/.exec(
      text,
    );
  if (left) throw unexpected(`"${left[0]}" left at ${left.index}`);
  return text;
}

const unexpected = (what) =>
  new Error(`vendor-manifold: manifold.js is not as this script knows it (${what}); adapt scripts/vendor-manifold.mjs`);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const changed = vendorManifold();
  if (changed.length > 0) console.log(`vendored manifold-3d: ${changed.join(', ')}`);
}
