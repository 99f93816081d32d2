/** What is known about a mesh as a solid, and the same in words. */
import type { Vec3 } from '../math/vec3.js';
import type { SelfIntersections } from './self-intersection.js';

export interface EdgeDefect {
  /**
   * open: one triangle, the border of a hole; flipped: two triangles that run the same way along it, so that one of
   * them is the wrong way round; non-manifold: more than two triangles
   */
  readonly kind: 'open' | 'flipped' | 'non-manifold';
  /** from → to, the direction used more often */
  readonly vertices: readonly [number, number];
  /** m */
  readonly from: Vec3;
  /** m */
  readonly to: Vec3;
  readonly triangles: readonly number[];
}

export interface ShellReport {
  readonly triangles: number;
  /** m³, positive if triangles face outward; meaningless if open */
  readonly volume: number;
  /**
   * solid, cavity: as it should be; inside-out: should face outward; nested: faces outward but lies inside material;
   * flat: without thickness; open: not closed, or with triangles the wrong way round
   */
  readonly kind: 'solid' | 'cavity' | 'inside-out' | 'nested' | 'flat' | 'open';
  /** index of the shell right around this one, −1 if there is none */
  readonly inside: number;
}

export interface MeshReport {
  /** The mesh bounds a solid. */
  readonly ok: boolean;
  readonly vertices: number;
  readonly triangles: number;
  /** Every edge has an even number of triangles. */
  readonly closed: boolean;
  /** Neighbours run opposite ways along every edge between them. */
  readonly oriented: boolean;
  /** m³; the sum over shells */
  readonly volume: number;
  /** edges with other than two triangles, or with two that run the same way; the list holds the first of each kind */
  readonly edges: {
    readonly open: number;
    readonly flipped: number;
    readonly nonManifold: number;
    readonly list: readonly EdgeDefect[];
  };
  /** triangles without area */
  readonly degenerate: { readonly count: number; readonly list: readonly number[] };
  /** triangles with the same vertices as an earlier one, as [earlier, later] */
  readonly duplicate: { readonly count: number; readonly list: readonly (readonly [number, number])[] };
  /** vertices where fans of triangles touch in nothing but this vertex */
  readonly pinched: { readonly count: number; readonly list: readonly { vertex: number; at: Vec3 }[] };
  readonly unusedVertices: number;
  /** vertices at the place of an earlier one */
  readonly duplicateVertices: number;
  readonly shells: {
    readonly count: number;
    readonly kinds: Readonly<Record<ShellReport['kind'], number>>;
    readonly list: readonly ShellReport[];
  };
  /** null if it was not looked for */
  readonly selfIntersections: SelfIntersections | null;
}

const count = (n: number, thing: string, things = `${thing}s`): string => `${n} ${n === 1 ? thing : things}`;
const short = (x: number): string => String(Number(x.toPrecision(6)));
const place = (p: Vec3): string => `(${p.map(short).join(', ')})`;
const edge = ({ from, to }: EdgeDefect): string => `${place(from)} – ${place(to)} m`;

/** At most three examples: `(0, 0, 0) – (1, 0, 0) m; … and 9 more`. */
function examples<T>(list: readonly T[], say: (item: T) => string, total: number): string {
  const shown = list.slice(0, 3).map(say).join('; ');
  return total > 3 ? `${shown} and ${total - 3} more` : shown;
}

/**
 * The report line by line: first the verdict, then what is wrong, where and what to do, then what is unusual but does
 * no harm.
 */
export function describeReport(report: MeshReport): string[] {
  const { kinds } = report.shells;
  const size = `${count(report.triangles, 'triangle')}, ${count(report.vertices, 'vertex', 'vertices')}`;
  if (report.triangles === 0) return [`not a solid: ${size}`, 'there are no triangles; is the file empty?'];
  const parts = [
    ...(kinds.solid > 0 ? [count(kinds.solid, 'solid shell')] : []),
    ...(kinds.cavity > 0 ? [count(kinds.cavity, 'cavity', 'cavities')] : []),
  ];
  const verdict = report.ok
    ? `a solid: ${size}, ${parts.join(', ')}, volume ${short(report.volume)} m³`
    : `not a solid: ${size}, ${count(report.shells.count, 'shell')}`;
  return [verdict, ...describeDefects(report), ...oddities(report)];
}

/** What keeps the mesh from being a solid. */
export function describeDefects(report: MeshReport): string[] {
  const lines: string[] = [];
  const { edges, shells, selfIntersections: self } = report;
  const ofKind = (kind: EdgeDefect['kind']) => edges.list.filter((defect) => defect.kind === kind);
  if (edges.open > 0) {
    const advice =
      report.duplicateVertices > 0
        ? `${count(report.duplicateVertices, 'vertex repeats', 'vertices repeat')} another: weld them (repair)`
        : 'weld vertices that nearly coincide (repair with weld: tolerance in m) or fill the holes (repair with fillHoles)';
    lines.push(
      `${count(edges.open, 'edge has', 'edges have')} a triangle on one side only: ${examples(ofKind('open'), edge, edges.open)}. The surface has a hole; ${advice}`,
    );
  }
  if (edges.flipped > 0)
    lines.push(
      `${count(edges.flipped, 'edge lies', 'edges lie')} between triangles that face opposite ways: ${examples(ofKind('flipped'), edge, edges.flipped)}. Orient the triangles (repair)`,
    );
  const unbalanced = !report.oriented || !report.closed;
  if (edges.nonManifold > 0 && unbalanced)
    lines.push(
      `${count(edges.nonManifold, 'edge has', 'edges have')} more than two triangles: ${examples(ofKind('non-manifold'), edge, edges.nonManifold)}. Look for inner walls and for parts that were joined without a union`,
    );
  if (report.duplicate.count > 0)
    lines.push(
      `${count(report.duplicate.count, 'triangle repeats', 'triangles repeat')} another: ${examples(report.duplicate.list, ([a, b]) => `${b} repeats ${a}`, report.duplicate.count)}. Remove them (repair)`,
    );
  const { kinds } = shells;
  if (kinds['inside-out'] > 0)
    lines.push(
      `${count(kinds['inside-out'], 'shell faces', 'shells face')} inward: shell ${examples(numbered(report, 'inside-out'), String, kinds['inside-out'])}. Turn it inside out (repair)`,
    );
  if (kinds.nested > 0)
    lines.push(
      `${count(kinds.nested, 'shell lies', 'shells lie')} inside another and both face outward, so that their common part counts twice: shell ${examples(numbered(report, 'nested'), String, kinds.nested)}. Make it a cavity (repair) or remove it`,
    );
  if (kinds.flat > 0)
    lines.push(
      `${count(kinds.flat, 'shell has', 'shells have')} no thickness: shell ${examples(numbered(report, 'flat'), String, kinds.flat)}. Remove it or give it a thickness`,
    );
  if (self && self.crossing + self.overlapping > 0) {
    const total = self.crossing + self.overlapping;
    lines.push(
      `${self.complete ? '' : 'at least '}${count(total, 'pair', 'pairs')} of triangles run through each other (${self.crossing} crossing, ${self.overlapping} overlapping in one plane): ${examples(
        self.list,
        ({ triangles, at }) => `${triangles[0]} and ${triangles[1]} at ${place(at)} m`,
        total,
      )}. Unite the parts (CSG union) or correct them where they were drawn`,
    );
  }
  return lines;
}

const numbered = (report: MeshReport, kind: string): number[] =>
  report.shells.list.flatMap((shell, s) => (shell.kind === kind ? [s] : []));

function oddities(report: MeshReport): string[] {
  const lines: string[] = [];
  if (report.edges.nonManifold > 0 && report.oriented && report.closed)
    lines.push(
      `${count(report.edges.nonManifold, 'edge has', 'edges have')} more than two triangles: ${examples(
        report.edges.list.filter(({ kind }) => kind === 'non-manifold'),
        edge,
        report.edges.nonManifold,
      )}. The solid touches itself there; it does no harm`,
    );
  if (report.degenerate.count > 0)
    lines.push(
      `${count(report.degenerate.count, 'triangle has', 'triangles have')} no area: ${examples(report.degenerate.list, String, report.degenerate.count)}. Harmless for volume and contact; repair removes them`,
    );
  if (report.pinched.count > 0)
    lines.push(
      `${count(report.pinched.count, 'vertex joins', 'vertices join')} parts that touch in this point only: ${examples(report.pinched.list, ({ at }) => `${place(at)} m`, report.pinched.count)}. It does no harm`,
    );
  if (report.selfIntersections && report.selfIntersections.touching > 0)
    lines.push(
      `${count(report.selfIntersections.touching, 'pair', 'pairs')} of triangles touch in a point without sharing a vertex. It does no harm`,
    );
  if (report.unusedVertices > 0)
    lines.push(`${count(report.unusedVertices, 'vertex is', 'vertices are')} used by no triangle; repair removes them`);
  if (report.duplicateVertices > 0 && report.edges.open === 0)
    lines.push(`${count(report.duplicateVertices, 'vertex repeats', 'vertices repeat')} another. It does no harm`);
  return lines;
}
