// Builds the studio's page with vite, from source, after TypeScript and the viewer's page:
//   index.html, assets/                 the page that `tippetop studio` serves, and any web server can; addresses are relative
//   assets/house-worker-*.js            builds and runs models; the server gives worker files a policy of their own
//   gallery.json, gallery/<name>.png    the examples: title, parameters, small picture; gallery/<name>.txt has the program
//   sandbox.html, sandbox-library.js    the frame that programs of the user's run in, and the library for it
//   types.json, model-schema.json       declarations and schema for the editor
//   viewer/inline.js, inline.css        for reports that are made in the page
//   occt-import-js.wasm, assets/worker-occt.js   Open CASCADE, loaded when a STEP or IGES file is opened
//   LICENSES.txt                        of the packages inside
// `node scripts/build-studio.mjs [folder]`; default dist/studio/page.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { BundledLicences } from './bundled-licences.mjs';
import { copyOcct } from './studio-occt.mjs';
import { studioTypes } from './studio-types.mjs';
import { thumbnail } from './thumbnail.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src/studio/page');
const examples = join(root, 'examples');

/** @param {string} folder emptied first */
export async function buildStudio(folder) {
  const entries = await galleryEntries();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const define = {
    STUDIO_VERSION: JSON.stringify(version),
    STUDIO_PARAMETERS: JSON.stringify(Object.fromEntries(entries.map(({ name, parameters }) => [name, parameters]))),
  };
  const alias = [
    // ts-blank-space asks for it by this name; the compiler of this house has no programming interface
    { find: /^typescript$/, replacement: 'typescript6' },
    { find: /^tippetop$/, replacement: join(root, 'src/index.ts') },
    { find: /^tippetop\/node$/, replacement: join(root, 'src/studio/run/no-files.ts') },
    { find: /^tippetop\/([\w-]+)$/, replacement: join(root, 'src/$1/index.ts') },
  ];
  const rolldownOptions = { checks: { pluginTimings: false } };
  const licences = new BundledLicences();
  await build({
    plugins: [licences.plugin()],
    configFile: false,
    root: source,
    base: './',
    logLevel: 'error',
    publicDir: false,
    define,
    resolve: { alias },
    worker: {
      format: 'es',
      plugins: () => [licences.plugin()],
      rolldownOptions: {
        ...rolldownOptions,
        output: { entryFileNames: 'assets/worker-[name]-[hash].js', chunkFileNames: 'assets/worker-[name]-[hash].js' },
      },
    },
    build: {
      target: 'es2022',
      outDir: folder,
      emptyOutDir: true,
      minify: true,
      sourcemap: false,
      chunkSizeWarningLimit: 4000,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions,
    },
  });
  await buildSandbox(folder, define, alias, licences);
  writeFileSync(join(folder, 'LICENSES.txt'), licences.text() + copyOcct(folder));
  writeFileSync(join(folder, 'gallery.json'), JSON.stringify(entries));
  writeFileSync(join(folder, 'types.json'), JSON.stringify(studioTypes()));
  const schema = JSON.parse(readFileSync(join(root, 'schema/model.schema.json'), 'utf8'));
  writeFileSync(join(folder, 'model-schema.json'), JSON.stringify(schema));
  mkdirSync(join(folder, 'gallery'), { recursive: true });
  mkdirSync(join(folder, 'viewer'), { recursive: true });
  for (const { name, file } of exampleFiles()) {
    const picture = join(examples, name, `${name}.png`);
    if (existsSync(picture)) writeFileSync(join(folder, 'gallery', `${name}.png`), thumbnail(readFileSync(picture)));
    copyFileSync(file, join(folder, 'gallery', `${name}.txt`));
  }
  for (const file of ['inline.js', 'inline.css']) {
    const made = join(root, 'dist/viewer/page', file);
    if (existsSync(made)) copyFileSync(made, join(folder, 'viewer', file));
  }
}

/** The frame that programs run in, its script named by its hash, and the library as one text that is posted into it. */
async function buildSandbox(folder, define, alias, licences) {
  await build({
    plugins: [licences.plugin()],
    configFile: false,
    root: join(root, 'src/studio/code'),
    logLevel: 'error',
    publicDir: false,
    define,
    resolve: { alias },
    build: {
      target: 'es2022',
      outDir: folder,
      emptyOutDir: false,
      minify: true,
      chunkSizeWarningLimit: 4000,
      lib: {
        entry: join(root, 'src/studio/code/sandbox-library.ts'),
        formats: ['es'],
        fileName: () => 'sandbox-library.js',
      },
      rolldownOptions: { checks: { pluginTimings: false }, output: { codeSplitting: false } },
    },
  });
  const script = readFileSync(join(root, 'src/studio/code/sandbox-boot.js'), 'utf8');
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; script-src 'sha256-${hash}' blob: 'wasm-unsafe-eval'; worker-src blob:`;
  const page = readFileSync(join(root, 'src/studio/code/sandbox.html'), 'utf8');
  writeFileSync(
    join(folder, 'sandbox.html'),
    page.replace('POLICY', () => policy).replace('SCRIPT', () => script),
  );
}

const exampleFiles = () =>
  readdirSync(examples)
    .map((name) => ({ name, file: join(examples, name, `${name}.model.ts`) }))
    // Those that give solids have nothing to run.
    .filter(({ name, file }) => existsSync(file) && !givesSolids(name));

const givesSolids = (name) => {
  const expected = join(examples, name, 'expected.json');
  return existsSync(expected) && 'solids' in JSON.parse(readFileSync(expected, 'utf8'));
};

/** What each example says of itself; read by the command line's own loader. */
async function galleryEntries() {
  const { loadModel } = await import('../dist/node/model-files/load-model.js');
  const { parametersOf } = await import('../dist/model/parameters.js');
  const { headingOf, titleOf } = await import('../dist/node/model-files/example-texts.js');
  const entries = [];
  for (const { name, file } of exampleFiles()) {
    const parameters = parametersOf(await loadModel(file));
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
    entries.push({ name, title: headingOf(name), about: titleOf(name), parameters, hash });
  }
  return entries;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? join(root, 'dist/studio/page'));
  try {
    await buildStudio(folder);
  } catch (error) {
    rmSync(join(folder, 'index.html'), { force: true }); // half a page is none
    console.error(error);
    process.exit(1);
  }
}
