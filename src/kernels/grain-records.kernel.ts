/** Contacts written down one by one, for measuring. */
import { fx, fy, fz, normalForce, rx, ry, rz, sx, sy, sz, twist } from './grain-law.kernel.js';
import { RECORD } from './grain-sizes.kernel.js';
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';

/** Writes a contact down. */
export function note(
  thread: i32,
  row: i32,
  i: i32,
  j: i32,
  nx: f64,
  ny: f64,
  nz: f64,
  depth: f64,
  x: f64,
  y: f64,
  z: f64,
  feature: i32,
): void {
  const counts: IntArray = ptrI(1);
  const records: FloatArray = ptrF(46);
  const most: i32 = counts[13]; // rows a thread may write
  if (row >= most) return;
  const o: i32 = RECORD * (most * thread + row);
  records[o] = i;
  records[o + 1] = j;
  records[o + 2] = nx;
  records[o + 3] = ny;
  records[o + 4] = nz;
  records[o + 5] = depth;
  records[o + 6] = normalForce;
  records[o + 7] = fx;
  records[o + 8] = fy;
  records[o + 9] = fz;
  records[o + 10] = x;
  records[o + 11] = y;
  records[o + 12] = z;
  records[o + 13] = feature;
  records[o + 14] = sx * sx + sy * sy + sz * sz;
  records[o + 15] = counts[11] ? rx * rx + ry * ry + rz * rz : 0;
  records[o + 16] = counts[11] ? twist * twist : 0;
  records[o + 17] = 1;
  records[o + 18] = 0;
}

/** Of a contact that has a share of its stiffness: which; and energy of its group beside that of whole contacts, J */
export function noteShare(thread: i32, row: i32, share: f64, energy: f64): void {
  const counts: IntArray = ptrI(1);
  const records: FloatArray = ptrF(46);
  const most: i32 = counts[13];
  if (row >= most) return;
  const o: i32 = RECORD * (most * thread + row);
  records[o + 17] = share;
  records[o + 18] = energy;
}
