// `npm run site`: the documentation as a folder of pages with search, which any web server or a file share can host: docs, examples, and a
// reference of every public name generated from the source, and the studio under studio/ (a browser wants it from a server, not from disk). Nothing comes from the network, and a page opens from disk.
//   npm run site -- out/pages        elsewhere than out/site
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Marked } from 'marked';
import { sitePages } from './pages.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OWN = fileURLToPath(new URL('.', import.meta.url));

/** @returns the pages that were written, by their path in the site */
export function buildSite(folder, root = ROOT) {
  const pages = sitePages(root);
  const bySource = new Map(pages.filter(({ source }) => source).map((page) => [page.source, page]));
  const pictures = new Map(); // path in the site → file
  const index = [];
  rmSync(folder, { recursive: true, force: true });
  for (const page of pages) {
    const { html, headings, text } = rendered(page, bySource, pictures, root);
    index.push({ title: page.title, path: page.path, section: page.section, headings, text });
    write(join(folder, page.path), document(page, html, headings, pages));
  }
  for (const [path, file] of pictures) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(file, join(folder, path));
  }
  for (const file of ['site.css', 'search.js']) cpSync(join(OWN, file), join(folder, file));
  // The studio as it is served by the command; made by the build
  const studio = join(root, 'dist/studio/page');
  if (existsSync(join(studio, 'index.html'))) cpSync(studio, join(folder, 'studio'), { recursive: true });
  // A script and not a file to fetch: pages opened from disk may not fetch.
  write(join(folder, 'search-index.js'), `globalThis.SEARCH_INDEX = ${JSON.stringify(index)};\n`);
  return pages.map(({ path }) => path);
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Markdown to HTML: links between sources become links between pages, what is linked or shown and no page comes along as a file. */
function rendered(page, bySource, pictures, root) {
  const headings = [];
  const anchors = new Set();
  const words = [];
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const plain = text.replace(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
        let anchor = slug(plain);
        for (let i = 1; anchors.has(anchor); i++) anchor = `${slug(plain)}-${i}`;
        anchors.add(anchor);
        if (depth > 1) headings.push({ text: plain, anchor, depth });
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escaped(target(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escaped(target(href))}" alt="${escaped(text)}" loading="lazy">`;
      },
    },
  });
  const target = (href) => {
    if (/^(?:[a-z]+:|#)/i.test(href)) return href;
    const [path, anchor] = href.split('#');
    const source = posix
      .normalize(posix.join(page.source === 'examples' ? 'examples' : posix.dirname(page.source), path))
      .replace(/\/$/, '');
    const found = bySource.get(source) ?? bySource.get(`${source}/README.md`);
    const here = posix.dirname(page.path);
    if (found) return posix.relative(here, found.path) + (anchor ? `#${anchor}` : '');
    const file = join(root, source);
    if (!existsSync(file)) throw new Error(`${page.source}: links to ${href}, which is not there`);
    // A folder of sources is for those who have the package.
    if (statSync(file).isDirectory()) return posix.relative(here, 'contributing.html');
    const place = posix.join('files', source);
    pictures.set(place, file);
    return posix.relative(here, place);
  };
  const html = marked.parse(page.markdown);
  for (const line of page.markdown.replace(/```[\s\S]*?```/g, ' ').split('\n'))
    words.push(line.replace(/[#*`|[\]]/g, ' '));
  return { html, headings, text: words.join(' ').replace(/\s+/g, ' ') };
}

/** As GitHub makes anchors, which the links in the sources use. */
export const slug = (text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

function document(page, html, headings, pages) {
  const up = posix.relative(posix.dirname(page.path), '.') || '.';
  const sections = [...new Set(pages.map(({ section }) => section))].filter(Boolean);
  const list = (section) =>
    pages
      .filter((other) => other.section === section)
      .map((other) => {
        const here = other === page ? ' aria-current="page"' : '';
        return `<li><a href="${posix.relative(posix.dirname(page.path), other.path)}"${here}>${escaped(other.title)}</a></li>`;
      })
      .join('\n');
  const outline = headings
    .filter(({ depth }) => depth === 2)
    .map(({ text, anchor }) => `<li><a href="#${anchor}">${escaped(text)}</a></li>`)
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page.title)} · tippetop</title>
<link rel="stylesheet" href="${up}/site.css">
</head>
<body data-root="${up}">
<header>
<a class="name" href="${up}/index.html">tippetop</a>
<label>Search <input type="search" id="search" placeholder="a word, a name" autocomplete="off" aria-controls="found"></label>
<ol id="found" hidden></ol>
</header>
<nav aria-label="Pages">
${sections
  .map(
    (section) =>
      `<details${section === page.section || (page.section === '' && section === 'Guides') ? ' open' : ''}><summary>${section}</summary><ul>${list(section)}</ul></details>`,
  )
  .join('\n')}
</nav>
<main>
${html}
</main>
${outline ? `<aside aria-label="On this page"><ul>${outline}</ul></aside>` : ''}
<script src="${up}/search-index.js" defer></script>
<script src="${up}/search.js" defer></script>
</body>
</html>
`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = process.argv[2] ?? join(ROOT, 'out/site');
  const pages = buildSite(folder);
  console.log(`${pages.length} pages in ${folder}; open ${join(folder, 'index.html')}`);
}
