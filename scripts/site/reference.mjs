// A page for each entry point of the package: every public name with its comment, signature and example.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportsOf } from './declarations.mjs';

const KINDS = { value: 'Functions and values', class: 'Classes', interface: 'Types', type: 'Types', enum: 'Types' };

/** @returns [{ path, title, markdown }] */
export function referencePages(root) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const pages = [];
  const seen = new Map();
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target !== 'object' || !target.types) continue;
    const name = entry === '.' ? 'tippetop' : `tippetop/${entry.slice(2)}`;
    const declarations = [...exportsOf(join(root, target.types), seen).values()];
    pages.push({
      path: `reference/${entry === '.' ? 'tippetop' : entry.slice(2)}.html`,
      title: name,
      markdown: pageOf(name, declarations),
      names: declarations.map((declaration) => declaration.name),
    });
  }
  return pages;
}

function pageOf(entry, declarations) {
  const rooms = new Map();
  for (const declaration of declarations) {
    const room = KINDS[declaration.kind];
    rooms.set(room, [...(rooms.get(room) ?? []), declaration]);
  }
  const order = ['Functions and values', 'Classes', 'Types'].filter((room) => rooms.has(room));
  const parts = [`# ${entry}`, `\`import { … } from '${entry}'\`: ${declarations.length} names.`];
  for (const room of order) {
    parts.push(`## ${room}`);
    for (const declaration of rooms.get(room).sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1)))
      parts.push(entryOf(declaration));
  }
  return parts.join('\n\n');
}

function entryOf({ name, signature, comment }) {
  const of = (tag) => comment.tags.filter((found) => found.tag === tag).map(({ text }) => text);
  const parameters = of('param').map((text) => {
    const [, parameter, meaning] = /^(\S+)\s*([\s\S]*)$/.exec(text);
    return `- \`${parameter}\` ${meaning.replace(/\s+/g, ' ')}`;
  });
  return [
    `### ${name}`,
    described(comment.text),
    `\`\`\`ts\n${signature.replace(/\n\s*private[^\n]*|\n\s*#private;/g, '')}\n\`\`\``,
    parameters.join('\n'),
    ...of('returns').map((text) => `Gives ${text.replace(/\s+/g, ' ')}`),
    ...of('throws').map((text) => `Throws ${text.replace(/\s+/g, ' ')}`),
    of('example').length > 0 ? `\`\`\`ts\n${of('example').join('\n')}\n\`\`\`` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Formulas stand indented in comments, and stay as they are. */
const described = (text) =>
  text
    .split(/\n\s*\n/)
    .map((block) => (/^ {2,}/m.test(block) && !/^[-*] /m.test(block) ? `\`\`\`\n${block}\n\`\`\`` : block))
    .join('\n\n');
