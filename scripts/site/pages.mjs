// The pages of the site: what is written in docs/, README and the examples, and what is generated.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { referencePages } from './reference.mjs';

/** In the order in which a reader wants them; what is not named comes behind, by name. */
const GUIDES = [
  'tutorial',
  'models',
  'solids',
  'contact',
  'motors',
  'programs',
  'viewer',
  'results',
  'time-stepping',
  'grains',
  'soil',
  'flexible-bodies',
  'cad-files',
  'tolerances',
  'from-other-tools',
  'benchmarks',
];

/** @returns [{ section, path (of the page in the site), source (of the text, from the root), title, markdown }] */
export function sitePages(root) {
  const written = (section, folder, path = (name) => `${folder.replace('docs/', '')}/${name}.html`) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => page(root, section, `${folder}/${file}`, path(basename(file, '.md'))));
  const rank = ({ source }) => {
    const place = GUIDES.indexOf(basename(source, '.md'));
    return place < 0 ? GUIDES.length : place;
  };
  const examples = readdirSync(join(root, 'examples'))
    .filter((name) => existsSync(join(root, 'examples', name, 'README.md')))
    .map((name) => page(root, 'Examples', `examples/${name}/README.md`, `examples/${name}/index.html`));
  return [
    page(root, '', 'README.md', 'index.html'),
    ...written('Guides', 'docs/guide').sort((a, b) => rank(a) - rank(b)),
    galleryOf(examples, root),
    ...examples,
    ...referencePages(root).map((found) => ({ section: 'Reference', source: '', ...found })),
    ...written('Reference', 'docs/reference'),
    ...written('Theory', 'docs/theory'),
    page(root, 'The house', 'CONTRIBUTING.md', 'contributing.html'),
    page(root, 'The house', 'CHANGELOG.md', 'changelog.html'),
  ];
}

/** All examples with their pictures. */
function galleryOf(examples, root) {
  const cards = examples.map(({ source, title, markdown }) => {
    const name = source.split('/')[1];
    const picture = `${name}/${name}.png`;
    const text = markdown.replace(/^# .*$/m, '').match(/^[A-Z].*(?:\n.+)*/m)?.[0] ?? '';
    const first = /^[\s\S]*?[.:](?=\s|$)/.exec(text)?.[0] ?? text;
    return [
      '<section>',
      `## [${title}](${name}/README.md)`,
      existsSync(join(root, 'examples', picture)) ? `![${title}](${picture})` : '',
      first.replace(/\]\((?!https?:)/g, `](${name}/`),
      `\`npx tippetop run ${name} --view\``,
      '</section>',
    ].join('\n\n');
  });
  const markdown = [
    '# Examples',
    'Each is a model file that runs by its name, with figures that `tippetop verify` checks.',
    ...cards,
  ].join('\n\n');
  return { section: 'Examples', path: 'examples/index.html', source: 'examples', title: 'All examples', markdown };
}

function page(root, section, source, path) {
  const markdown = readFileSync(join(root, source), 'utf8');
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? path;
  return { section, path, source, title: title.replace(/[`*]/g, ''), markdown };
}
