// Open CASCADE for the studio's workers: occt-import-js as a module that builds no functions from text. Emscripten's glue makes one per bound function with `new Function`, which
// the workers' policy refuses; what such a function does is written down here instead: wire the arguments, call, let go of what was allocated, unwire the result.
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const MADE =
  'let[args,invokerFnBody]=createJsInvoker(argTypes,isClassMethodFunc,returns,isAsync);args.push(invokerFnBody);var invokerFn=newFunc(Function,args)(...closureArgs);';
const WRITTEN = `var invokerFn = function (...given) {
  var kept = needsDestructorStack ? [] : null;
  var wired = [cppTargetFunc];
  if (isClassMethodFunc) wired.push(argTypes[1].toWireType(kept, this));
  for (var i = 2; i < argCount; ++i) wired.push(argTypes[i].toWireType(kept, given[i - 2]));
  var result = cppInvokerFunc(...wired);
  if (needsDestructorStack) runDestructors(kept);
  else
    for (var i = isClassMethodFunc ? 1 : 2, k = 1; i < argCount; ++i, ++k)
      if (argTypes[i].destructorFunction !== null) argTypes[i].destructorFunction(wired[k]);
  if (returns) return argTypes[0].fromWireType(result);
};
`;

const CALLER = 'var invokerFunction=newFunc(Function,params)(...args);';
const CALLS = `var invokerFunction = function (obj, func, kept, at) {
  var given = types.map((type) => {
    var value = type.readValueFromPointer(at);
    at += type.argPackAdvance;
    return value;
  });
  var result = kind === 1 ? new func(...given) : kind === 0 ? func.call(obj, ...given) : func.call(...given);
  if (!retType.isVoid) return emval_returnValue(retType, kept, result);
};
`;

/** The package's folder; undefined where it is not installed: the page then says that it reads no STEP */
export function occtFolder() {
  try {
    return dirname(createRequire(import.meta.url).resolve('occt-import-js'));
  } catch {
    return undefined;
  }
}

/** @param {string} folder of the page. @returns licences, as text */
export function copyOcct(folder) {
  const from = occtFolder();
  if (!from) return '';
  const glue = readFileSync(join(from, 'occt-import-js.js'), 'utf8');
  let script = glue;
  for (const [made, written] of [
    [MADE, WRITTEN],
    [CALLER, CALLS],
  ]) {
    if (script.split(made).length !== 2)
      throw new Error('occt-import-js: its glue is not the one scripts/studio-occt.mjs knows');
    script = script.replace(made, () => written);
  }
  writeFileSync(
    join(folder, 'assets/worker-occt.js'),
    `${script}
export default occtimportjs;
`,
  );
  copyFileSync(join(from, 'occt-import-js.wasm'), join(folder, 'occt-import-js.wasm'));
  const licences = ['license.occt-import-js.txt', 'license.occt.txt']
    .map((file) => join(from, file))
    .filter(existsSync);
  if (licences.length !== 2) throw new Error('occt-import-js: goes beside the page, and its licences are missing');
  return licences
    .map((file) => `\n${'-'.repeat(80)}\n\nocct-import-js\n\n${readFileSync(file, 'utf8').trim()}\n`)
    .join('');
}
