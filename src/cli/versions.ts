/** The versions that made a result. */
import { readFileSync } from 'node:fs';

export const packageVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

export const versions = (): Record<string, string> => ({ tippetop: packageVersion(), node: process.versions.node });
