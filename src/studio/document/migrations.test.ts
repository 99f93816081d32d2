import { expect, test } from 'vitest';
import { emptyDocument } from './document.js';
import { type Migrations, migrated } from './migrations.js';
import { readDocument } from './read.js';

// Steps as later versions will have them: 1 → 2 renames a field, 2 → 3 adds one.
const steps: Migrations = {
  1: ({ title, ...others }) => ({ ...others, name: title }),
  2: (data) => ({ ...data, unit: 'mm' }),
};

test('a document passes every step from its version to today', () => {
  expect(migrated({ version: 1, title: 'a' }, 'd', 3, steps)).toEqual({ version: 3, name: 'a', unit: 'mm' });
  expect(migrated({ version: 2, name: 'a' }, 'd', 3, steps)).toEqual({ version: 3, name: 'a', unit: 'mm' });
});

test('newer ones are refused by their number, and what is none', () => {
  const text = (version: unknown): string => JSON.stringify({ ...emptyDocument(), version });
  expect(() => readDocument(text(2))).toThrow('document.version: this studio reads documents up to version 1, got 2');
  for (const version of [0, 1.5, '1', null]) expect(() => readDocument(text(version))).toThrow('document.version');
  expect(readDocument(text(1)).version).toBe(1);
});
