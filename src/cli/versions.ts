/** The versions that made a result. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../node/package-root.js';

export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as { version: string }).version;

export const versions = (): Record<string, string> => ({ tippetop: packageVersion(), node: process.versions.node });
