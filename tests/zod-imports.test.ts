/** `import { z } from 'zod'` brings the messages of every language into a bundle, 360 kB of them; `import * as z` only what is used. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const WHOLE = /import\s+(?:\{[^}]*\bz\b[^}]*\}|z)\s+from\s+['"]zod['"]/;

test('zod is imported as a namespace', () => {
  const src = fileURLToPath(new URL('../src/', import.meta.url));
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  expect(files.filter((name) => WHOLE.test(readFileSync(src + name, 'utf8')))).toEqual([]);
  expect(WHOLE.test("import { z } from 'zod';")).toBe(true);
});
