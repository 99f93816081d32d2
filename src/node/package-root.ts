/** Where the package lies: examples, pages and the program itself are found from here. This file stays one folder below `src` and `dist`. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PACKAGE_ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The program that a process of its own is started with */
export const MAIN = join(PACKAGE_ROOT, 'dist/cli/main.js');
/** and one that computes runs of a study */
export const RUN_CHILD = join(PACKAGE_ROOT, 'dist/command/run-child.js');
