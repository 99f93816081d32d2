/**
 * Union–find with path halving, over an array of parents. The smaller index becomes the root, so that roots are the first members of their sets and
 * nothing depends on the order in which things are united. Tarjan & van Leeuwen (1984), doi 10.1145/62.2160.
 */
type Parents = Int32Array | Uint32Array;

/** Everything alone */
export function identity(n: number): Uint32Array<ArrayBuffer> {
  const parent = new Uint32Array(n);
  for (let i = 0; i < n; i++) parent[i] = i;
  return parent;
}

export function findRoot(parent: Parents, i: number): number {
  let k = i;
  while (parent[k] !== k) k = parent[k] = parent[parent[k]];
  return k;
}

export function unite(parent: Parents, a: number, b: number): void {
  const rootA = findRoot(parent, a);
  const rootB = findRoot(parent, b);
  if (rootA < rootB) parent[rootB] = rootA;
  else parent[rootA] = rootB;
}

/** The sets, ordered by their first members, each ascending */
export function setsOf(parent: Parents): number[][] {
  const sets = new Map<number, number[]>();
  for (let i = 0; i < parent.length; i++) {
    const root = findRoot(parent, i);
    const set = sets.get(root);
    if (set) set.push(i);
    else sets.set(root, [i]);
  }
  return [...sets.values()];
}
