/**
 * Which joints carry the tree and which are cut. A cut joint becomes constraint rows, so the tree takes the joints that would cost most
 * rows: Kruskal's algorithm on (must stay, start given, rows if cut, nearness to the ground, order written).
 */
import { findRoot, identity, unite } from '../math/union-find.js';
import { GROUND } from '../model/model.js';

export interface Link {
  readonly name: string;
  readonly body: string;
  readonly to: string;
  /** Rows the joint needs when it is cut. */
  readonly rows: number;
  /** The joint has coordinates that something needs: a motor, a spring, a gear, a prescribed motion. */
  readonly needsCoordinates: boolean;
  /** Its coordinates are given at the start; a cut joint has none to give. */
  readonly startGiven?: boolean;
  /** The joint may let go or take hold: always cut. */
  readonly switched: boolean;
}

export interface SpanningTree {
  /** Parent side first: bodies in an order in which each hangs on an earlier one, the joint between, and whether it runs from `to` to `body`. */
  readonly edges: readonly {
    readonly joint: string;
    readonly parent: string;
    readonly child: string;
    readonly forward: boolean;
  }[];
  /** Bodies that no tree joint ties to the ground: each is the root of a floating mechanism. */
  readonly roots: readonly string[];
  /** Joints that are cut, in the order written. */
  readonly cuts: readonly string[];
}

export function spanningTree(bodies: Iterable<string>, links: readonly Link[]): SpanningTree {
  const names = [GROUND, ...bodies];
  const depth = depths(names, links);

  // Kruskal
  const ranked = links
    .map((link, order) => ({ link, order, near: Math.min(depth.get(link.body)!, depth.get(link.to)!) }))
    .filter(({ link }) => !link.switched)
    .sort(
      (a, b) =>
        Number(b.link.needsCoordinates) - Number(a.link.needsCoordinates) ||
        Number(b.link.startGiven ?? false) - Number(a.link.startGiven ?? false) ||
        b.link.rows - a.link.rows ||
        a.near - b.near ||
        a.order - b.order,
    );
  const numberOf = new Map(names.map((name, i) => [name, i]));
  const group = identity(names.length);
  const kept = new Map<string, Link[]>(names.map((name) => [name, []]));
  const cuts = new Set(links.filter(({ switched }) => switched).map(({ name }) => name));
  for (const { link } of ranked) {
    const a = numberOf.get(link.body)!;
    const b = numberOf.get(link.to)!;
    if (findRoot(group, a) === findRoot(group, b)) cuts.add(link.name);
    else {
      unite(group, a, b);
      kept.get(link.body)!.push(link);
      kept.get(link.to)!.push(link);
    }
  }

  // Orient from the ground and from a root of each floating part
  const edges: SpanningTree['edges'][number][] = [];
  const roots: string[] = [];
  const reached = new Set<string>();
  for (const start of names) {
    if (reached.has(start)) continue;
    if (start !== GROUND) roots.push(start);
    reached.add(start);
    const queue = [start];
    for (let head = 0; head < queue.length; head++)
      for (const { name, body, to } of kept.get(queue[head])!) {
        const forward = to === queue[head];
        const child = forward ? body : to;
        if (reached.has(child)) continue;
        reached.add(child);
        edges.push({ joint: name, parent: queue[head], child, forward });
        queue.push(child);
      }
  }
  return { edges, roots, cuts: links.filter(({ name }) => cuts.has(name)).map(({ name }) => name) };
}

/** Joints between a body and the ground; Infinity if there is no way. */
function depths(names: readonly string[], links: readonly Link[]): Map<string, number> {
  const neighbours = new Map<string, string[]>(names.map((name) => [name, []]));
  for (const { body, to } of links) {
    neighbours.get(body)!.push(to);
    neighbours.get(to)!.push(body);
  }
  const depth = new Map<string, number>(names.map((name) => [name, name === GROUND ? 0 : Infinity]));
  const queue: string[] = [GROUND];
  for (let head = 0; head < queue.length; head++)
    for (const next of neighbours.get(queue[head])!)
      if (depth.get(next) === Infinity) {
        depth.set(next, depth.get(queue[head])! + 1);
        queue.push(next);
      }
  return depth;
}
