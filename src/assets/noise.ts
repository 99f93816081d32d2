/**
 * Gradient noise in space with its exact gradient: at each corner of the unit lattice a direction g from a table, chosen by a hash of the corner
 * and the seed; the value is Σ w(corner) g·(p − corner) with weights of the quintic 6t⁵ − 15t⁴ + 10t³, so that slopes are smooth, too
 * (Perlin 2002, doi 10.1145/566654.566636). Scaled by 2/√3: the values of unit directions then fill [−1, 1].
 *
 * Octaves: Σ pᵏ n(lᵏ f x), octave k with the seed s + k; l lacunarity, p persistence = l^−H for a surface of Hurst exponent H.
 * fBm takes n, billow 2|n| − 1 (+ ½ at the end), ridged (offset − |n|)² weighted by the octave before it: meanings and defaults as libnoise has them,
 * written from their description. Buse et al. (2023), §3.2.
 */
import { pow } from '../math/elementary.js';
import { random } from '../math/random.js';

/** 256 unit directions, drawn once */
const DIRECTIONS = (() => {
  const draw = random('gradient noise');
  const table = new Float64Array(3 * 256);
  for (let i = 0; i < 256; i++) table.set(draw.unitVector(), 3 * i);
  return table;
})();
const SCALE = 2 / Math.sqrt(3);

/** Byte from a lattice corner and a seed; every bit of each enters. */
function cornerHash(i: number, j: number, k: number, seed: number): number {
  let h = Math.imul(i, 0x27d4eb2d) ^ Math.imul(j, 0x165667b1) ^ Math.imul(k, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca77);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) & 255;
}

/** Value in out[0] and gradient in out[1..3] at (x, y, z), in units of the lattice */
export function gradientNoise(x: number, y: number, z: number, seed: number, out: Float64Array): void {
  const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)];
  const [u, v, w] = [x - i, y - j, z - k];
  let value = 0;
  let dx = 0;
  let dy = 0;
  let dz = 0;
  const [fu, fv, fw] = [fade(u), fade(v), fade(w)];
  const [su, sv, sw] = [fadeSlope(u), fadeSlope(v), fadeSlope(w)];
  for (let corner = 0; corner < 8; corner++) {
    const [a, b, c] = [corner & 1, (corner >> 1) & 1, corner >> 2];
    const g = 3 * cornerHash(i + a, j + b, k + c, seed);
    const [gx, gy, gz] = [DIRECTIONS[g], DIRECTIONS[g + 1], DIRECTIONS[g + 2]];
    const dot = gx * (u - a) + gy * (v - b) + gz * (w - c);
    const [wu, wv, ww] = [a ? fu : 1 - fu, b ? fv : 1 - fv, c ? fw : 1 - fw];
    value += wu * wv * ww * dot;
    dx += wu * wv * ww * gx + (a ? su : -su) * wv * ww * dot;
    dy += wu * wv * ww * gy + (b ? sv : -sv) * wu * ww * dot;
    dz += wu * wv * ww * gz + (c ? sw : -sw) * wu * wv * dot;
  }
  out[0] = SCALE * value;
  out[1] = SCALE * dx;
  out[2] = SCALE * dy;
  out[3] = SCALE * dz;
}

const fade = (t: number): number => t * t * t * (t * (6 * t - 15) + 10);
const fadeSlope = (t: number): number => 30 * t * t * (t * (t - 2) + 1);

export interface Octaves {
  readonly type: 'fbm' | 'billow' | 'ridged';
  readonly seed: number;
  /** 1/m */
  readonly frequency: number;
  readonly octaves: number;
  readonly lacunarity: number;
  readonly persistence: number;
}

const ONE = new Float64Array(4);

/** Sum of octaves: value in out[0], gradient per m in out[1..3] */
export function octaveNoise(noise: Octaves, x: number, y: number, z: number, out: Float64Array): void {
  const { type, seed, octaves, lacunarity, persistence } = noise;
  let { frequency } = noise;
  let amplitude = 1;
  let weight = 1;
  let [wx, wy, wz] = [0, 0, 0]; // gradient of the weight
  out.fill(0, 0, 4);
  for (let k = 0; k < octaves; k++) {
    gradientNoise(x * frequency, y * frequency, z * frequency, seed + k, ONE);
    const n = ONE[0];
    const [nx, ny, nz] = [frequency * ONE[1], frequency * ONE[2], frequency * ONE[3]];
    const side = n < 0 ? -1 : 1;
    if (type === 'fbm') {
      out[0] += amplitude * n;
      out[1] += amplitude * nx;
      out[2] += amplitude * ny;
      out[3] += amplitude * nz;
    } else if (type === 'billow') {
      out[0] += amplitude * (2 * side * n - 1);
      out[1] += amplitude * 2 * side * nx;
      out[2] += amplitude * 2 * side * ny;
      out[3] += amplitude * 2 * side * nz;
    } else {
      // s = (1 − |n|)² w; the next weight is 2 s within [0, 1]; spectral weight l^−k
      const rest = 1 - side * n;
      const signal = rest * rest * weight;
      const [sx, sy, sz] = [
        rest * rest * wx - 2 * rest * side * nx * weight,
        rest * rest * wy - 2 * rest * side * ny * weight,
        rest * rest * wz - 2 * rest * side * nz * weight,
      ];
      const spectral = pow(lacunarity, -k);
      out[0] += spectral * signal;
      out[1] += spectral * sx;
      out[2] += spectral * sy;
      out[3] += spectral * sz;
      weight = Math.min(1, Math.max(0, 2 * signal));
      const free = 2 * signal < 1 && signal > 0 ? 2 : 0;
      [wx, wy, wz] = [free * sx, free * sy, free * sz];
    }
    amplitude *= persistence;
    frequency *= lacunarity;
  }
  if (type === 'billow') out[0] += 0.5;
  if (type === 'ridged') {
    out[0] = 1.25 * out[0] - 1;
    out[1] *= 1.25;
    out[2] *= 1.25;
    out[3] *= 1.25;
  }
}
