/**
 * Closed loops of lines and arcs as lists of short edges: an arc is its chord with the bulge b = tan(sweep/4) of DXF. Arcs beyond a
 * quarter turn are cut into equal parts, on which the kernel's tests of places and boxes rely; the cuts leave all results as they are.
 */
import type { Outline } from '../../geometry/profile.js';
import { atan, cos, PI, sin } from '../../math/elementary.js';

/** Vertices of one loop and the edge that begins at each */
export interface LoopEdges {
  /** m */
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Cosine and sine of half the sweep: 1 and 0 for a line; sine > 0 turns left and bulges to the right */
  readonly cosine: readonly number[];
  readonly sine: readonly number[];
  /** Number of the edge in the loop as given */
  readonly source: readonly number[];
}

export function loopEdges(outline: Outline): LoopEdges {
  const edges = { x: [] as number[], y: [] as number[], cosine: [] as number[], sine: [] as number[] };
  const source: number[] = [];
  const add = (x: number, y: number, cosine: number, sine: number, edge: number): void => {
    edges.x.push(x);
    edges.y.push(y);
    edges.cosine.push(cosine);
    edges.sine.push(sine);
    source.push(edge);
  };
  outline.forEach(([x, y, b = 0], i) => {
    const [qx, qy] = outline[(i + 1) % outline.length];
    const dx = qx - x;
    const dy = qy - y;
    if (b === 0 || (dx === 0 && dy === 0)) {
      add(x, y, 1, 0, i);
      return;
    }
    const half = 2 * atan(b); // half the sweep
    const parts = Math.max(1, Math.ceil(Math.abs(half) / (0.25 * PI) - 1e-9));
    if (parts === 1) {
      add(x, y, (1 - b * b) / (1 + b * b), (2 * b) / (1 + b * b), i);
      return;
    }
    // the chord to the point after the sweep 2α is that of the arc turned by α − half, its length to that of the chord as sin α to sin half
    const step = half / parts;
    const whole = (2 * b) / (1 + b * b);
    for (let k = 0; k < parts; k++) {
      const c = cos(k * step - half) * (sin(k * step) / whole);
      const s = sin(k * step - half) * (sin(k * step) / whole);
      add(x + c * dx - s * dy, y + s * dx + c * dy, cos(step), sin(step), i);
    }
  });
  return { ...edges, source };
}

/** The loop seen from behind, mirrored in x: edges run backwards, and bulges keep their sign. */
export function mirrored({ x, y, cosine, sine, source }: LoopEdges): LoopEdges {
  const n = x.length;
  const edge = (k: number): number => (2 * n - 2 - k) % n; // the edge that ended where the new one begins
  return {
    x: x.map((_, k) => x[n - 1 - k]),
    y: y.map((_, k) => -y[n - 1 - k]),
    cosine: x.map((_, k) => cosine[edge(k)]),
    sine: x.map((_, k) => sine[edge(k)]),
    source: x.map((_, k) => source[edge(k)]),
  };
}
