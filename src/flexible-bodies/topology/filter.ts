/**
 * Densities blurred over a radius R, so that no detail is finer than it and none depends on the mesh:
 *
 *   x̃_e = Σ_i h_ei v_i x_i / Σ_i h_ei v_i,   h_ei = max(0, R − |c_e − c_i|),  v volumes
 *
 * Bruns & Tortorelli (2001), doi 10.1016/S0045-7825(00)00278-4.
 */
import { ModelError } from '../../errors.js';
import type { DesignMesh } from './design-mesh.js';

/** Pairs of elements, 12 bytes each */
const MOST = 5e7;

export class DensityFilter {
  readonly start: Int32Array;
  readonly other: Int32Array;
  /** h_ei v_i */
  readonly weight: Float64Array;
  /** Σ_i of it */
  readonly sum: Float64Array;

  /** @throws ModelError if the radius reaches over too many elements */
  constructor({ centre, elementCount, area }: DesignMesh, radius: number) {
    // Elements by cells of the radius
    const cells = new Map<string, number[]>();
    const cellOf = (e: number): [number, number] => [
      Math.floor(centre[2 * e] / radius),
      Math.floor(centre[2 * e + 1] / radius),
    ];
    for (let e = 0; e < elementCount; e++) {
      const key = cellOf(e).join();
      const own = cells.get(key);
      if (own) own.push(e);
      else cells.set(key, [e]);
    }
    const visit = (e: number, take: (other: number, h: number) => void): void => {
      const [i, j] = cellOf(e);
      for (let a = i - 1; a <= i + 1; a++)
        for (let b = j - 1; b <= j + 1; b++)
          for (const f of cells.get(`${a},${b}`) ?? []) {
            const dx = centre[2 * e] - centre[2 * f];
            const dy = centre[2 * e + 1] - centre[2 * f + 1];
            const h = radius - Math.sqrt(dx * dx + dy * dy);
            if (h > 0) take(f, h);
          }
    };
    const start = new Int32Array(elementCount + 1);
    for (let e = 0; e < elementCount; e++) {
      let count = 0;
      visit(e, () => count++);
      start[e + 1] = start[e] + count;
      if (start[e + 1] > MOST)
        throw new ModelError(
          'radius',
          `${radius} m reaches over some ${Math.round(start[e + 1] / (e + 1))} elements around each of ${elementCount}, more than fit in memory; take a smaller radius, usually two to four elements, or larger elements`,
        );
    }
    this.start = start;
    this.other = new Int32Array(start[elementCount]);
    this.weight = new Float64Array(start[elementCount]);
    this.sum = new Float64Array(elementCount);
    for (let e = 0, k = 0; e < elementCount; e++)
      visit(e, (f, h) => {
        this.other[k] = f;
        this.weight[k++] = h * area[f];
        this.sum[e] += h * area[f];
      });
  }

  /** x̃ of x */
  apply(x: Float64Array, out: Float64Array): void {
    const { start, other, weight, sum } = this;
    for (let e = 0; e < sum.length; e++) {
      let total = 0;
      for (let k = start[e]; k < start[e + 1]; k++) total += weight[k] * x[other[k]];
      out[e] = total / sum[e];
    }
  }

  /** By x, of what is given by x̃: out_i = Σ_e h_ei v_i g_e / Σ */
  transpose(g: Float64Array, out: Float64Array): void {
    const { start, other, weight, sum } = this;
    out.fill(0);
    for (let e = 0; e < sum.length; e++) {
      const share = g[e] / sum[e];
      for (let k = start[e]; k < start[e + 1]; k++) out[other[k]] += weight[k] * share;
    }
  }

  /** Sensitivities blurred instead of densities: Σ h_ei x_i g_i / (x_e Σ h_ei); Sigmund (1997). */
  smoothSensitivity(x: Float64Array, g: Float64Array, area: Float64Array, out: Float64Array): void {
    const { start, other, weight } = this;
    for (let e = 0; e < out.length; e++) {
      let total = 0;
      let plain = 0;
      for (let k = start[e]; k < start[e + 1]; k++) {
        const h = weight[k] / area[other[k]];
        total += h * x[other[k]] * g[other[k]];
        plain += h;
      }
      out[e] = total / (plain * Math.max(1e-3, x[e]));
    }
  }
}
