/**
 * What a helical spring of round wire is by calculation. The textbook twists a straight wire of the length π D n by F D/2:
 *
 *   rate = G d⁴/(8 D³ n)
 *
 * A helix has a pitch angle α, tan α = p/(π D), so that its wire is 1/cos α longer, and an axial force F bends it, too; and wire shears. An
 * axial force F and a torque T about the axis move one end against the other by c_FF F + c_FT T and turn it by c_FT F + c_TT T,
 *
 *   c_FF = L (R² cos²α/GJ + R² sin²α/EI + cos²α/κGA + sin²α/EA),     L = π D n/cos α,   R = D/2
 *
 * so that the rate is 1/c_FF where the force goes through the axis and the end may turn as it likes (Love, Treatise (1927), §271; Wahl,
 * Mechanical Springs (1963), ch. 3). An end that is guided can neither turn nor tilt nor move sideways; what holds it back makes the
 * spring stiffer by some 1/n². With the compliance of the wire against all six components w of a wrench at the middle of the end,
 *
 *   C = ∫ Wᵀ diag(1/EA, 1/κGA, 1/κGA, 1/GJ, 1/EI, 1/EI) W ds
 *
 * where W w are force and moment in the axes of the wire, the rate of the guided spring is the entry of C⁻¹ at the axial force.
 */

import { factoriseLu, solveLu } from '../math/dense-lu.js';
import { cos, sin } from '../math/elementary.js';

/** Wire on a helix about z: d, R = D/2, n, p, α, ρ, E, G, κ; m, rad, kg/m³, Pa */
export interface HelicalWire {
  readonly d: number;
  readonly radius: number;
  readonly coils: number;
  readonly pitch: number;
  readonly pitchAngle: number;
  readonly density: number;
  readonly young: number;
  readonly shear: number;
  readonly kappa: number;
}

/** What textbooks say of it. */
export interface CoilSpringFigures {
  /** G d⁴/(8 D³ n), N/m */
  readonly rate: number;
  /** Of the helical rod under a force through its axis, one end free, N/m */
  readonly rateFree: number;
  /** Of the helical rod between ends that can only come nearer to each other, N/m */
  readonly rateGuided: number;
  /** Of the active coils, ρ (π d²/4) π D n, kg; that of their true length is 1/cos α times as much */
  readonly activeMass: number;
  /** Of all bodies, kg */
  readonly mass: number;
  /** First surge frequency between fixed ends, ½ √(rate/mass) of the active coils, Hz; mode k has k times as much */
  readonly surgeFrequency: number;
  /** Time of a wave from end to end, s */
  readonly waveTime: number;
  /** √(rate mass), N s/m: force of an end that moves at 1 m/s before the wave comes back */
  readonly impedance: number;
  /** p, m */
  readonly pitch: number;
  /** rad */
  readonly pitchAngle: number;
  /** D/d */
  readonly index: number;
  /** (n + 2) d, m */
  readonly blockLength: number;
}

/** κ of round cross-sections, Cowper (1966): 6 (1 + ν)/(7 + 6ν) */
export const shearCoefficient = (nu: number): number => (6 * (1 + nu)) / (7 + 6 * nu);

/** Points of the quadrature per coil; what is integrated are sines of φ times powers of φ. */
const POINTS = 48;

export function figuresOf(wire: HelicalWire): CoilSpringFigures {
  const { d, radius, coils, pitch, pitchAngle, shear, density } = wire;
  const area = 0.25 * Math.PI * d * d;
  const rate = (shear * d * d * d * d) / (64 * radius * radius * radius * coils);
  const activeMass = density * area * 2 * Math.PI * radius * coils;
  const compliance = complianceOf(wire);
  return {
    rate,
    rateFree: 1 / compliance[6 * 2 + 2],
    rateGuided: inverseEntry(compliance, 2),
    activeMass,
    mass: activeMass,
    surgeFrequency: 0.5 * Math.sqrt(rate / activeMass),
    waveTime: Math.sqrt(activeMass / rate),
    impedance: Math.sqrt(rate * activeMass),
    pitch,
    pitchAngle,
    index: (2 * radius) / d,
    blockLength: (coils + 2) * d,
  };
}

/** 6 × 6, force x, y, z and moment x, y, z at the middle of the upper end; by the midpoint rule */
function complianceOf({ d, radius, coils, pitch, pitchAngle, young, shear, kappa }: HelicalWire): Float64Array {
  const area = 0.25 * Math.PI * d * d;
  const bending = (Math.PI * d * d * d * d) / 64;
  const by = [
    1 / (young * area),
    1 / (kappa * shear * area),
    1 / (kappa * shear * area),
    1 / (shear * 2 * bending),
    1 / (young * bending),
    1 / (young * bending),
  ];
  const [c, s] = [cos(pitchAngle), sin(pitchAngle)];
  const points = Math.max(1, Math.round(coils * POINTS));
  const ds = (2 * Math.PI * radius * coils) / c / points;
  const out = new Float64Array(36);
  for (let k = 0; k < points; k++) {
    const phi = (2 * Math.PI * coils * (k + 0.5)) / points;
    const [x, y] = [cos(phi), sin(phi)];
    // Lever from the section to the end
    const r = [-radius * x, -radius * y, (pitch * (2 * Math.PI * coils - phi)) / (2 * Math.PI)];
    const frame = [
      [-y * c, x * c, s], // tangent
      [-x, -y, 0], // normal
      [y * s, -x * s, c], // binormal
    ];
    for (let row = 0; row < 6; row++) {
      const e = frame[row % 3];
      // force e · F, moment e · (M + r × F) = e · M + (e × r) · F
      const w =
        row < 3
          ? [e[0], e[1], e[2], 0, 0, 0]
          : [e[1] * r[2] - e[2] * r[1], e[2] * r[0] - e[0] * r[2], e[0] * r[1] - e[1] * r[0], e[0], e[1], e[2]];
      for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) out[6 * i + j] += by[row] * ds * w[i] * w[j];
    }
  }
  return out;
}

/** Entry (i, i) of the inverse; lengths and angles differ in size by less than pivoting minds. */
function inverseEntry(matrix: Float64Array, i: number): number {
  const lu = matrix.slice();
  const pivots = new Int32Array(6);
  const b = new Float64Array(6);
  b[i] = 1;
  factoriseLu(lu, 6, pivots);
  solveLu(lu, 6, pivots, b);
  return b[i];
}
