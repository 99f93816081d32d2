// Builds the viewer's page with vite, from source:
//   index.html, assets/           the page that `tippetop view` serves; addresses are relative, nothing comes from elsewhere
//   inline.js, inline.css         the same as one script and one style sheet, to be put into a report
//   study.js, study.css           the page of a study, to be put into its report
//   LICENSES.txt                  of the packages inside
// `node scripts/build-page.mjs [folder]`; default dist/viewer/page, where scripts/build.mjs calls it after TypeScript.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { BundledLicences } from './bundled-licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src/viewer/page');
const entry = join(source, 'main.ts');
const studyEntry = join(root, 'src/viewer/study-page/main.ts');

/** @param {string} folder emptied first */
export async function buildPage(folder) {
  const licences = new BundledLicences();
  const common = {
    configFile: false,
    root: source,
    base: './',
    logLevel: 'warn',
    publicDir: false,
  };
  const output = {
    target: 'es2022',
    outDir: folder,
    minify: true,
    sourcemap: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { checks: { pluginTimings: false } },
  };
  await build({
    ...common,
    plugins: [licences.plugin()],
    worker: { plugins: () => [licences.plugin()] },
    build: {
      ...output,
      emptyOutDir: true,
      // The preload script that vite adds would be of use on slow networks only.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  });
  for (const [name, start] of [
    ['inline', entry],
    ['study', studyEntry],
  ]) {
    await build({
      ...common,
      plugins: [withStyles(start), licences.plugin()],
      build: {
        ...output,
        emptyOutDir: false,
        cssCodeSplit: false,
        assetsInlineLimit: Number.MAX_SAFE_INTEGER,
        lib: {
          entry: start,
          formats: ['iife'],
          name: 'tippetopViewer',
          fileName: () => `${name}.js`,
          cssFileName: name,
        },
      },
    });
    const script = join(folder, `${name}.js`);
    writeFileSync(script, safeInElement(readFileSync(script, 'utf8')));
  }
  writeFileSync(join(folder, 'LICENSES.txt'), licences.text());
}

/** The script with its style sheet, as index.html names them. */
function withStyles(start) {
  return {
    name: 'with-styles',
    transform: (code, id) => (id === start ? `import './styles.css';\n${code}` : null),
  };
}

/** A script element ends at the first `</script`, also inside a string, and `<!--` changes how the rest is read. */
function safeInElement(script) {
  return script.replace(/<\/(?=script)/gi, '<\\/').replace(/<!--/g, '<\\!--');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? join(root, 'dist/viewer/page'));
  try {
    await buildPage(folder);
  } catch (error) {
    rmSync(join(folder, 'index.html'), { force: true }); // half a page is none
    console.error(error);
    process.exit(1);
  }
}
