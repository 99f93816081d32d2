/** `tippetop list`: the examples that come with the package, with the first sentence of what each says about itself. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { exampleNames } from '../node/model-files/load-model.js';
import { PACKAGE_ROOT } from '../node/package-root.js';

export function listCommand(): Command {
  return new Command('list')
    .description('list the examples')
    .option('--json', 'print one JSON document and nothing else')
    .action((options: { json?: boolean }) => {
      const examples = exampleNames().map((name) => ({ name, title: titleOf(name) }));
      if (options.json) console.log(JSON.stringify({ examples }, null, 2));
      else {
        const width = Math.max(...examples.map(({ name }) => name.length));
        for (const { name, title } of examples) console.log(`${name.padEnd(width)}  ${title}`);
      }
    });
}

/** The first sentence below the heading of the example's README, without links. */
export function titleOf(name: string): string {
  const readme = join(PACKAGE_ROOT, 'examples', name, 'README.md');
  if (!existsSync(readme)) return '';
  const paragraphs = readFileSync(readme, 'utf8').split(/\n\s*\n/);
  const text = paragraphs.flatMap(
    (paragraph) =>
      paragraph
        .split('\n')
        .filter((line) => !/^\s*[#!<|`]/.test(line))
        .join(' ') || [],
  );
  const plain = (text[0] ?? '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim();
  return /^.*?[.:](?=\s|$)/.exec(plain)?.[0] ?? plain;
}
