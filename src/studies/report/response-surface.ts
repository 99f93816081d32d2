/**
 * A surface over two parameters through the runs of a study, for a map: at each place a plane is fitted to the runs around it (local regression, Cleveland & Devlin 1988,
 * doi 10.1080/01621459.1988.10478639), weighted by
 *
 *   w = (1 − (r/R)³)³,    r: distance with both parameters from 0 to 1,    R: distance of the q-th nearest run
 *
 * Runs on a plane lie on the surface exactly. What other parameters do shows as scatter about it; its root mean square is told, so that nobody takes the map for more than it is.
 */

export interface SurfacePoints {
  /** 0…1 */
  readonly u: readonly number[];
  readonly v: readonly number[];
  readonly value: readonly number[];
}

/** Of the nearest runs a place takes: enough for a plane, few enough to follow bends */
const LEAST = 6;
const SHARE = 0.08;
const MOST = 40;

export function localPlane({ u, v, value }: SurfacePoints): (atU: number, atV: number) => number {
  const n = value.length;
  const wanted = Math.min(n, Math.max(LEAST, Math.min(MOST, Math.ceil(SHARE * n))));
  const distance = new Float64Array(n);
  return (atU, atV) => {
    for (let i = 0; i < n; i++) distance[i] = Math.sqrt((u[i] - atU) ** 2 + (v[i] - atV) ** 2);
    const reach = Float64Array.from(distance).sort()[wanted - 1] * 1.01 + 1e-9;
    // Normal equations of a plane in (1, u − atU, v − atV): six sums, and its value here is the first unknown
    let [s, su, sv, suu, suv, svv, sy, suy, svy] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
    for (let i = 0; i < n; i++) {
      if (distance[i] >= reach) continue;
      const w = (1 - (distance[i] / reach) ** 3) ** 3;
      const [du, dv] = [u[i] - atU, v[i] - atV];
      s += w;
      su += w * du;
      sv += w * dv;
      suu += w * du * du;
      suv += w * du * dv;
      svv += w * dv * dv;
      sy += w * value[i];
      suy += w * du * value[i];
      svy += w * dv * value[i];
    }
    const [cu, cv, cy] = [su / s, sv / s, sy / s];
    const [uu, uv, vv] = [suu - s * cu * cu, suv - s * cu * cv, svv - s * cv * cv];
    const [uy, vy] = [suy - s * cu * cy, svy - s * cv * cy];
    const det = uu * vv - uv * uv;
    // Runs on a line, or one alone, give no plane: their mean
    if (!(det > 1e-12 * (uu + vv) ** 2)) return cy;
    const [bu, bv] = [(vv * uy - uv * vy) / det, (uu * vy - uv * uy) / det];
    return cy - bu * cu - bv * cv;
  };
}

/** Root mean square of what runs lie beside the surface */
export function scatterAbout(points: SurfacePoints): number {
  const surface = localPlane(points);
  const n = points.value.length;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += (points.value[i] - surface(points.u[i], points.v[i])) ** 2;
  return Math.sqrt(sum / Math.max(1, n));
}
