/**
 * Regions of negative volume are cavities of others: their surface faces inward. Each is added to the smallest region of
 * positive volume whose bounds contain it.
 */
import type { OverlapCurves } from './overlap-curves.js';
import { type RegionSums, SUM } from './region-sums.js';

let bounds = new Float64Array(24);

/** Rare, and therefore simple. The cavity keeps a volume of zero, its nodes go to the region around it. */
export function mergeCavities(regions: RegionSums, curves: OverlapCurves): void {
  const { sums, count } = regions;
  if (bounds.length < 6 * count) bounds = new Float64Array(12 * count);
  for (let i = 0; i < 6 * count; i++) bounds[i] = i % 6 < 3 ? Infinity : -Infinity;
  for (let node = 0; node < curves.nodeCount; node++)
    for (let k = 0; k < 3; k++) {
      const at = 6 * curves.region[node] + k;
      const x = curves.points[3 * node + k];
      if (x < bounds[at]) bounds[at] = x;
      if (x > bounds[at + 3]) bounds[at + 3] = x;
    }
  for (let cavity = 0; cavity < count; cavity++) {
    if (!(sums[SUM.length * cavity + SUM.volume] < 0)) continue;
    let host = -1;
    let least = Infinity;
    for (let at = 0; at < count; at++) {
      const volume = sums[SUM.length * at + SUM.volume];
      if (volume > 0 && volume < least && volume > -sums[SUM.length * cavity + SUM.volume] && holds(at, cavity)) {
        host = at;
        least = volume;
      }
    }
    if (host < 0) continue; // a region of no volume, negative by rounding
    addShifted(sums, SUM.length * host, SUM.length * cavity);
    const { features } = regions;
    if (features[2 * host] < 0)
      for (let side = 0; side < 2; side++) features[2 * host + side] = features[2 * cavity + side];
    for (let node = 0; node < curves.nodeCount; node++) if (curves.region[node] === cavity) curves.region[node] = host;
  }
}

function holds(outer: number, inner: number): boolean {
  for (let k = 0; k < 3; k++) {
    if (bounds[6 * outer + k] > bounds[6 * inner + k]) return false;
    if (bounds[6 * outer + 3 + k] < bounds[6 * inner + 3 + k]) return false;
  }
  return true;
}

/** Adds the sums of one region, moved to the origin of the other, and clears its volume. */
function addShifted(sums: Float64Array, to: number, from: number): void {
  const [x, y, z] = [0, 1, 2].map((k) => sums[from + SUM.origin + k] - sums[to + SUM.origin + k]);
  const area = sums[from + SUM.area];
  const [fx, fy, fz] = [0, 1, 2].map((k) => sums[from + SUM.first + k]);
  const second = [
    2 * fx * x + area * x * x,
    2 * fy * y + area * y * y,
    2 * fz * z + area * z * z,
    fx * y + fy * x + area * x * y,
    fx * z + fz * x + area * x * z,
    fy * z + fz * y + area * y * z,
  ];
  for (let k = 0; k < 6; k++) sums[to + SUM.second + k] += sums[from + SUM.second + k] + second[k];
  const shift = [x, y, z];
  for (let k = 0; k < 3; k++) {
    sums[to + SUM.first + k] += sums[from + SUM.first + k] + area * shift[k];
    sums[to + SUM.volumeFirst + k] += sums[from + SUM.volumeFirst + k] + sums[from + SUM.volume] * shift[k];
    const [l, m] = [(k + 1) % 3, (k + 2) % 3];
    for (const [moment, vector] of [
      [SUM.momentA, SUM.vectorA],
      [SUM.momentB, SUM.vectorB],
    ]) {
      const turned = shift[l] * sums[from + vector + m] - shift[m] * sums[from + vector + l];
      sums[to + moment + k] += sums[from + moment + k] + turned;
    }
  }
  for (let k = 0; k < 3; k++) {
    sums[to + SUM.vectorA + k] += sums[from + SUM.vectorA + k];
    sums[to + SUM.vectorB + k] += sums[from + SUM.vectorB + k];
  }
  sums[to + SUM.area] += area;
  sums[to + SUM.areaB] += sums[from + SUM.areaB];
  sums[to + SUM.volume] += sums[from + SUM.volume];
  sums[from + SUM.volume] = 0;
}
