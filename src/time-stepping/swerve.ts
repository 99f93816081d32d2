/**
 * How a point of a carrier leaves the straight line of its velocity: J̇ v, its acceleration while all velocities stay as they are, m/s². Over a step it goes
 *
 *   h (J v + ½ h J̇ v)
 *
 * and what friction holds to it has to go the same way. Without the second part a box that a turntable carries is taken along the tangent in every step, and drifts outwards by ½ h ω² r.
 *
 *   free body    ω × (ω × r)                                   its origin goes straight on
 *   mechanism    Σ (b_i + β_i × (p − x_i)) + ω × v_p           over the joints above it, of relative velocities s and l:  β = ω_i × s,  b = ω_i × l + v_i × s
 *
 * Featherstone (2008), §2.10: spatial accelerations add up; ω × v_p makes one of a point of them.
 */
import type { Carriers } from '../dynamics/tree/carriers.js';

export class Swerve {
  /** m/s² */
  readonly acceleration = new Float64Array(3);

  /** @param parent node above each node, −1: the ground */
  constructor(
    private readonly carriers: Carriers,
    private readonly parent: ArrayLike<number>,
  ) {}

  /** Adds sign × the acceleration of a carrier's point, world, m. */
  add(carrier: number, px: number, py: number, pz: number, sign: number): void {
    const { nodes, ground, twist, position } = this.carriers;
    if (carrier === ground) return;
    const t = 6 * carrier;
    const x = px - position[3 * carrier];
    const y = py - position[3 * carrier + 1];
    const z = pz - position[3 * carrier + 2];
    const wx = twist[t];
    const wy = twist[t + 1];
    const wz = twist[t + 2];
    if (carrier >= nodes) {
      this.addCross(wx, wy, wz, wy * z - wz * y, wz * x - wx * z, wx * y - wy * x, sign);
      return;
    }
    for (let i = carrier; i >= 0; i = this.parent[i]) this.addJoint(i, px, py, pz, sign);
    this.addCross(
      wx,
      wy,
      wz,
      twist[t + 3] + wy * z - wz * y,
      twist[t + 4] + wz * x - wx * z,
      twist[t + 5] + wx * y - wy * x,
      sign,
    );
  }

  private addJoint(i: number, px: number, py: number, pz: number, sign: number): void {
    const { twist, position } = this.carriers;
    const t = 6 * i;
    const above = this.parent[i];
    // of the node relative to the one above, at its own origin
    let sx = twist[t];
    let sy = twist[t + 1];
    let sz = twist[t + 2];
    let lx = twist[t + 3];
    let ly = twist[t + 4];
    let lz = twist[t + 5];
    if (above >= 0) {
      const u = 6 * above;
      const x = position[3 * i] - position[3 * above];
      const y = position[3 * i + 1] - position[3 * above + 1];
      const z = position[3 * i + 2] - position[3 * above + 2];
      sx -= twist[u];
      sy -= twist[u + 1];
      sz -= twist[u + 2];
      lx -= twist[u + 3] + twist[u + 1] * z - twist[u + 2] * y;
      ly -= twist[u + 4] + twist[u + 2] * x - twist[u] * z;
      lz -= twist[u + 5] + twist[u] * y - twist[u + 1] * x;
    }
    if (sx === 0 && sy === 0 && sz === 0 && lx === 0 && ly === 0 && lz === 0) return;
    const wx = twist[t];
    const wy = twist[t + 1];
    const wz = twist[t + 2];
    this.addCross(wx, wy, wz, lx, ly, lz, sign);
    this.addCross(twist[t + 3], twist[t + 4], twist[t + 5], sx, sy, sz, sign);
    this.addCross(
      wy * sz - wz * sy,
      wz * sx - wx * sz,
      wx * sy - wy * sx,
      px - position[3 * i],
      py - position[3 * i + 1],
      pz - position[3 * i + 2],
      sign,
    );
  }

  private addCross(ax: number, ay: number, az: number, bx: number, by: number, bz: number, sign: number): void {
    const { acceleration } = this;
    acceleration[0] += sign * (ay * bz - az * by);
    acceleration[1] += sign * (az * bx - ax * bz);
    acceleration[2] += sign * (ax * by - ay * bx);
  }
}
