/** The step of grains that are balls: leapfrog, with velocities half a step behind. Arrays are those of grain-slots.ts. */
import { RANGE, RESULT } from './grain-sizes.kernel.js';
import { leapByTwo } from './leap-by-two.js';
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';

/**
 * v += h (f/m + g); ω += h τ/I; x += h v; forces are cleared.
 * Results 0: greatest squared way since the lists were made; 8: potential energy that grains found by going round a period, J.
 */
export function grainMove(thread: i32): void {
  const counts: IntArray = ptrI(1);
  const ranges: IntArray = ptrI(2);
  const forces: FloatArray = ptrF(39);
  const threads: i32 = counts[1];
  const capacity: i32 = counts[5];
  const first: i32 = ranges[RANGE * thread];
  const end: i32 = ranges[RANGE * thread + 1];

  // Forces of other threads on grains of this one; exact, so in any order
  for (let t: i32 = 0; t < threads; t++)
    if (t !== thread) {
      const from: i32 = ranges[RANGE * t + 7] > first ? ranges[RANGE * t + 7] : first;
      const to: i32 = ranges[RANGE * t + 8] < end ? ranges[RANGE * t + 8] : end;
      for (let i: i32 = from; i < to; i++) {
        const own: i32 = 8 * (capacity * thread + i);
        const other: i32 = 8 * (capacity * t + i);
        for (let k: i32 = 0; k < 6; k++) {
          forces[own + k] += forces[other + k];
          forces[other + k] = 0;
        }
      }
    }

  if (!leapByTwo(thread)) leap(thread);
}

/** Of the grains of a thread's range */
function leap(thread: i32): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const ranges: IntArray = ptrI(2);
  const results: FloatArray = ptrF(3);
  const grains: FloatArray = ptrF(4);
  const motion: FloatArray = ptrF(5);
  const reference: FloatArray = ptrF(11);
  const forces: FloatArray = ptrF(39);
  const periodic: i32 = counts[8];
  const first: i32 = ranges[RANGE * thread];
  const end: i32 = ranges[RANGE * thread + 1];
  const kick: f64 = numbers[1];
  const drift: f64 = numbers[2];
  const gx: f64 = numbers[3];
  const gy: f64 = numbers[4];
  const gz: f64 = numbers[5];
  const offset: i32 = 8 * counts[5] * thread;
  let lost: f64 = 0;
  let greatest: f64 = 0;
  let found: f64 = 0;
  for (let i: i32 = first; i < end; i++) {
    const f: i32 = offset + 8 * i;
    const v: i32 = 8 * i;
    const x: i32 = 4 * i;
    const perMass: f64 = motion[v + 3];
    const perInertia: f64 = motion[v + 7];
    // What has no mass to speak of does not fall either
    const fall: f64 = perMass > 0 ? kick : 0;
    motion[v] += kick * (forces[f] * perMass) + fall * gx;
    motion[v + 1] += kick * (forces[f + 1] * perMass) + fall * gy;
    motion[v + 2] += kick * (forces[f + 2] * perMass) + fall * gz;
    motion[v + 4] += kick * (forces[f + 3] * perInertia);
    motion[v + 5] += kick * (forces[f + 4] * perInertia);
    motion[v + 6] += kick * (forces[f + 5] * perInertia);
    for (let k: i32 = 0; k < 6; k++) forces[f + k] = 0;
    grains[x] += drift * motion[v];
    grains[x + 1] += drift * motion[v + 1];
    grains[x + 2] += drift * motion[v + 2];
    if (periodic) found += wrap(numbers, grains, reference, x, perMass);
    const dx: f64 = grains[x] - reference[x];
    const dy: f64 = grains[x + 1] - reference[x + 1];
    const dz: f64 = grains[x + 2] - reference[x + 2];
    const way: f64 = dx * dx + dy * dy + dz * dz;
    if (!(way <= greatest)) {
      greatest = way;
      lost += way - way; // what is no number is told, whoever comes behind it
    }
  }
  results[RESULT * thread] = greatest + lost;
  results[RESULT * thread + 8] = found;
}

/** At every step, not when lists are made: else bits would depend on the skin. Returns by how much this raised the potential energy, rounded so that sums are exact. */
function wrap(numbers: FloatArray, grains: FloatArray, reference: FloatArray, x: i32, perMass: f64): f64 {
  const round: f64 = numbers[8];
  let raised: f64 = 0;
  for (let k: i32 = 0; k < 3; k++) {
    const period: f64 = numbers[9 + k];
    if (period > 0) {
      const low: f64 = numbers[12 + k];
      if (grains[x + k] < low) {
        grains[x + k] += period;
        reference[x + k] += period;
        if (perMass > 0) raised -= (numbers[3 + k] * period) / perMass + round - round;
      } else if (grains[x + k] >= low + period) {
        grains[x + k] -= period;
        reference[x + k] -= period;
        if (perMass > 0) raised += (numbers[3 + k] * period) / perMass + round - round;
      }
    }
  }
  return raised;
}
