/** What the README of an example says of it: its heading and its first sentence. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../package-root.js';

/** First heading of the example's README. */
export function headingOf(name: string): string {
  const readme = join(PACKAGE_ROOT, 'examples', name, 'README.md');
  return (existsSync(readme) && /^# (.+)$/m.exec(readFileSync(readme, 'utf8'))?.[1]) || name;
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
  return /^.*?(?<!\b(?:al|e\.g|i\.e|Fig|cf))[.:](?=\s|$)/.exec(plain)?.[0] ?? plain;
}
