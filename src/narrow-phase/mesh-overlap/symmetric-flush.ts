/**
 * Flush faces without a preferred side. Where faces that look the same way lie in one plane, V has a kink like h − |s| and the vector
 * area jumps; at exactly s = 0 the infinitesimal shift of B decides which of the two values is taken. With the option `symmetricFlush` both
 * are computed, for the shift and for the opposite one, and S, Q, the patch and their derivatives are the mean: that of the
 * two one-sided derivatives of V. Volume and centroid are the same for both. Costs a second evaluation, and only where features coincide
 * exactly.
 */
import { type ContactPatches, type DepthMeasure, GRADIENT, PATCH } from '../contact-patches.js';

/** Volumes that agree to this fraction may be the same region. */
const SAME = 1e-6;

/**
 * Averages rows `first` … `first + count − 1` with those of the opposite shift, which follow them and are taken off again. A region that the
 * other evaluation does not know, or that gives no direction, keeps its row.
 */
export function averageFlush(
  patches: ContactPatches,
  first: number,
  count: number,
  depth: DepthMeasure,
  gradients: boolean,
): void {
  for (let i = first; i < first + count; i++) {
    const j = twin(patches, i, first + count);
    if (j >= 0 && ((patches.flags[i] | patches.flags[j]) & PATCH.contained) === 0)
      averageRows(patches, i, j, depth, gradients);
  }
  patches.count = first + count;
}

/** The row from `from` on with the same volume and the nearest centroid, −1 if there is none. */
function twin({ volume, centroid, count }: ContactPatches, i: number, from: number): number {
  let best = -1;
  let least = Infinity;
  for (let j = from; j < count; j++) {
    if (!(Math.abs(volume[j] - volume[i]) <= SAME * volume[i])) continue;
    let gap = 0;
    for (let k = 0; k < 3; k++) gap += Math.abs(centroid[3 * j + k] - centroid[3 * i + k]);
    if (gap < least) {
      least = gap;
      best = j;
    }
  }
  return best;
}

function averageRows(patches: ContactPatches, i: number, j: number, measure: DepthMeasure, gradients: boolean): void {
  const { vectorArea: s, moment, normal, area, volume, extent, depth } = patches;
  const sx = 0.5 * (s[3 * i] + s[3 * j]);
  const sy = 0.5 * (s[3 * i + 1] + s[3 * j + 1]);
  const sz = 0.5 * (s[3 * i + 2] + s[3 * j + 2]);
  const size = Math.sqrt(sx * sx + sy * sy + sz * sz);
  if (!(size > 1e-12 * (area[i] + area[j]))) return;
  if (gradients) averageGradient(patches, i, j, sx, sy, sz);
  averagePatch(patches, i, j);
  s[3 * i] = sx;
  s[3 * i + 1] = sy;
  s[3 * i + 2] = sz;
  normal[3 * i] = sx / size;
  normal[3 * i + 1] = sy / size;
  normal[3 * i + 2] = sz / size;
  for (let k = 3 * i, l = 3 * j; k < 3 * i + 3; k++, l++) moment[k] = 0.5 * (moment[k] + moment[l]);
  extent[i] = 0.5 * (extent[i] + extent[j]);
  const ratio = (2 * volume[i]) / size;
  const byVolume = measure === 'volume' && ratio <= 2 * extent[i];
  depth[i] = byVolume ? ratio : 0.5 * (depth[i] + depth[j]);
  if (!gradients) return;
  const { gradient } = patches;
  const g = 54 * i;
  for (let l = 0; l < 6; l++) {
    gradient[g + l] = l < 3 ? 0 - s[3 * i + l] : 0 - moment[3 * i + l - 3];
    gradient[g + GRADIENT.depth + l] = byVolume
      ? (2 * gradient[g + l] - ratio * gradient[g + GRADIENT.vectorArea + l]) / size
      : 0.5 * (gradient[g + GRADIENT.depth + l] + gradient[54 * j + GRADIENT.depth + l]);
  }
}

/** Rows of |S|, normal and centroid: dS = n d|S| + |S| dn of either, averaged, and back. */
function averageGradient(patches: ContactPatches, i: number, j: number, sx: number, sy: number, sz: number): void {
  const { gradient, normal, vectorArea } = patches;
  const size = Math.sqrt(sx * sx + sy * sy + sz * sz);
  const nx = sx / size;
  const ny = sy / size;
  const nz = sz / size;
  const sizeI = length3(vectorArea, 3 * i);
  const sizeJ = length3(vectorArea, 3 * j);
  const g = 54 * i + GRADIENT.vectorArea;
  const h = 54 * j + GRADIENT.vectorArea;
  const rows = GRADIENT.normal - GRADIENT.vectorArea;
  for (let l = 0; l < 6; l++) {
    const change = (k: number): number =>
      0.5 *
      (normal[3 * i + k] * gradient[g + l] +
        sizeI * gradient[g + rows + 6 * k + l] +
        normal[3 * j + k] * gradient[h + l] +
        sizeJ * gradient[h + rows + 6 * k + l]);
    const dx = change(0);
    const dy = change(1);
    const dz = change(2);
    const along = nx * dx + ny * dy + nz * dz;
    gradient[g + l] = along;
    gradient[g + rows + l] = (dx - nx * along) / size;
    gradient[g + rows + 6 + l] = (dy - ny * along) / size;
    gradient[g + rows + 12 + l] = (dz - nz * along) / size;
  }
  for (let k = GRADIENT.centroid; k < 54; k++)
    gradient[54 * i + k] = 0.5 * (gradient[54 * i + k] + gradient[54 * j + k]);
}

/** Area, centroid and second moments of the patch: of the two patches together, halved. */
function averagePatch({ area, patchCentroid: p, secondMoments: m }: ContactPatches, i: number, j: number): void {
  const both = area[i] + area[j];
  const share = both > 0 ? area[j] / both : 0.5;
  const x = p[3 * j] - p[3 * i];
  const y = p[3 * j + 1] - p[3 * i + 1];
  const z = p[3 * j + 2] - p[3 * i + 2];
  // two masses a distance apart: m₁ m₂/(m₁ + m₂) d dᵀ
  const reduced = 0.5 * share * area[i];
  for (let k = 0; k < 6; k++) m[6 * i + k] = 0.5 * (m[6 * i + k] + m[6 * j + k]);
  m[6 * i] += reduced * x * x;
  m[6 * i + 1] += reduced * y * y;
  m[6 * i + 2] += reduced * z * z;
  m[6 * i + 3] += reduced * x * y;
  m[6 * i + 4] += reduced * x * z;
  m[6 * i + 5] += reduced * y * z;
  p[3 * i] += share * x;
  p[3 * i + 1] += share * y;
  p[3 * i + 2] += share * z;
  area[i] = 0.5 * both;
}

const length3 = (v: Float64Array, at: number): number =>
  Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);
