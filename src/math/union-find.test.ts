import { expect, test } from 'vitest';
import { random } from './random.js';
import { findRoot, identity, unite } from './union-find.js';

test('sets are those that a walk over the links finds, each led by its first member', () => {
  const numbers = random(3);
  for (let trial = 0; trial < 200; trial++) {
    const n = 1 + Math.floor(30 * numbers.uniform());
    const links = Array.from({ length: Math.floor(n * numbers.uniform()) }, () =>
      [0, 1].map(() => Math.floor(n * numbers.uniform())),
    );
    const parent = identity(n);
    for (const [a, b] of links) unite(parent, a, b);
    // labels spread over links until nothing changes
    const label = Array.from({ length: n }, (_, i) => i);
    for (let changed = true; changed; ) {
      changed = false;
      for (const [a, b] of links) {
        const least = Math.min(label[a], label[b]);
        if (label[a] !== least || label[b] !== least) changed = true;
        label[a] = label[b] = least;
      }
    }
    for (let i = 0; i < n; i++) expect(findRoot(parent, i)).toBe(label[i]);
  }
});
