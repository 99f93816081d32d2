/**
 * From points in a distance field to rows. A has the field, B has the points; each point behind A's surface is a row,
 *
 *   depth δ = r − g(c),   normal n = ∇g,   contact point q = c − (r − σδ) n
 *
 *   c   point of B: centre of a ball of radius r (sphere; r = 0 for corners), or a point on B's surface with r = 0
 *   σ   0: the contact point lies on B's surface, where friction then acts, as in the source; ½: half-way between the surfaces, for
 *       two spheres, neither of which is the bearer of the points
 *
 * If B is displaced by dx and turned by dφ about q, c moves by J (dx, dφ). Then
 *
 *   dδ = −nᵀ J,     dn = H J,     dq = J − (r − σδ) H J + σ n dδ
 *
 * J = [1 | −[c − q]×] where c is fixed to B; points that move over B bring their own.
 *
 * **Along the axes** (`perAxis`). The authors' library of 2014 applies the law to each component of the penetration vector δ n in A's axes:
 *
 *   δ_k = δ |n_k|,   normal ± e_k,   q_k = c ∓ r e_k
 *
 * so one point makes up to three rows. Through q_k the force has no moment about the ball's centre. The sum depends on how A's
 * frame is turned: a variant for comparisons, not for use.
 *
 * **Changed roles** (`reversed`). Where A bears the point and B has the field, all of the above is that of A moving against B. With B moving by
 * ξ = (dx, dφ) about q instead, A moves by −ξ as B sees it, and what B sees turns with it:
 * dδ = −∂δ ξ, d(−n) = dφ × (−n) + ∂n ξ, dq = dx − ∂q ξ.
 *
 * Oestersötebier, Wang & Trächtler (2014), A Modelica contact library for idealized simulation of independently defined contact
 * surfaces, §3; doi 10.3384/ecp14096929.
 */
import { ContactPatches, GRADIENT } from '../contact-patches.js';
import type { ShapePoses } from '../route.js';
import type { DistanceField } from './distance-field.js';

/** Places in the gradient of a row in A's axes: depth, normal, contact point. */
const LOCAL = { depth: 0, normal: 6, point: 24, length: 42 } as const;

const NOWHERE: ShapePoses = { position: new Float64Array(0), rotation: new Float64Array(0) };

export class PointRows {
  /** J: 3 × 6 by rows, A's axes, columns dx and dφ about the contact point */
  readonly motion = new Float64Array(18);
  gradients = false;
  private readonly bent = new Float64Array(18);
  private readonly local = new Float64Array(LOCAL.length);
  private readonly block = new Float64Array(9);
  private poses = NOWHERE;
  private patches = new ContactPatches(0);
  private pair = 0;
  private region = 0;
  private frame = 0;
  private reversed = false;

  constructor(private readonly perAxis: boolean) {}

  begin(poses: ShapePoses, frame: number, pair: number, patches: ContactPatches, gradients: boolean): void {
    this.poses = poses;
    this.frame = frame;
    this.pair = pair;
    this.patches = patches;
    this.gradients = gradients;
    this.region = 0;
    this.reversed = false;
  }

  /** From here on the field is that of shape `frame`, which is B, and the points are A's. */
  reverse(frame: number): void {
    this.frame = frame;
    this.reversed = true;
  }

  /** A ball fixed to B with its centre at (x, y, z) in A's axes, where the field has been asked. */
  addBall(field: DistanceField, number: number, x: number, y: number, z: number, radius: number, share: number): void {
    const depth = radius - field.distance;
    const { nx, ny, nz } = field;
    if (!this.perAxis) {
      const lever = radius - share * depth;
      if (this.gradients) {
        this.setRigid(lever * nx, lever * ny, lever * nz);
        this.differentiate(field, lever, share);
      }
      this.add(number, depth, nx, ny, nz, x - lever * nx, y - lever * ny, z - lever * nz);
      return;
    }
    for (let k = 0; k < 3; k++) {
      const lever = (k === 0 ? nx : k === 1 ? ny : nz) < 0 ? -radius : radius;
      const lx = k === 0 ? lever : 0;
      const ly = k === 1 ? lever : 0;
      const lz = k === 2 ? lever : 0;
      if (this.gradients) this.setRigid(lx, ly, lz);
      this.addAxis(field, number, k, depth, x - lx, y - ly, z - lz);
    }
  }

  /** A point on B's surface at (x, y, z) in A's axes, where the field has been asked; `motion` is set if gradients are wanted. */
  addPoint(field: DistanceField, number: number, x: number, y: number, z: number): void {
    const depth = 0 - field.distance;
    if (this.perAxis) for (let k = 0; k < 3; k++) this.addAxis(field, number, k, depth, x, y, z);
    else {
      if (this.gradients) this.differentiate(field, 0, 0);
      this.add(number, depth, field.nx, field.ny, field.nz, x, y, z);
    }
  }

  /** J of a point fixed to B at the lever (x, y, z) from the contact point. */
  setRigid(x: number, y: number, z: number): void {
    const { motion: j } = this;
    j.fill(0);
    j[0] = j[7] = j[14] = 1;
    j[4] = z;
    j[5] = -y;
    j[9] = -z;
    j[11] = x;
    j[15] = y;
    j[16] = -x;
  }

  /** dδ, dn and dq from J. */
  private differentiate(field: DistanceField, lever: number, share: number): void {
    const { motion, bent, local } = this;
    const { nx, ny, nz } = field;
    this.bendMotion(field);
    for (let k = 0; k < 6; k++) {
      const depth = -(nx * motion[k] + ny * motion[6 + k] + nz * motion[12 + k]);
      local[LOCAL.depth + k] = depth;
      local[LOCAL.point + k] = motion[k] - lever * bent[k] + share * depth * nx;
      local[LOCAL.point + 6 + k] = motion[6 + k] - lever * bent[6 + k] + share * depth * ny;
      local[LOCAL.point + 12 + k] = motion[12 + k] - lever * bent[12 + k] + share * depth * nz;
    }
    for (let k = 0; k < 18; k++) local[LOCAL.normal + k] = bent[k];
  }

  /** The row of component k of the penetration vector, unless it is zero. */
  private addAxis(
    field: DistanceField,
    number: number,
    k: number,
    depth: number,
    x: number,
    y: number,
    z: number,
  ): void {
    const { nx, ny, nz } = field;
    const component = k === 0 ? nx : k === 1 ? ny : nz;
    if (component === 0) return;
    const sign = component < 0 ? -1 : 1;
    if (this.gradients) {
      const { motion, bent, local } = this;
      this.bendMotion(field);
      local.fill(0, LOCAL.normal, LOCAL.point);
      for (let c = 0; c < 6; c++) {
        const byDepth = -(nx * motion[c] + ny * motion[6 + c] + nz * motion[12 + c]);
        local[LOCAL.depth + c] = sign * (byDepth * component + depth * bent[6 * k + c]);
      }
      for (let c = 0; c < 18; c++) local[LOCAL.point + c] = motion[c];
    }
    const part = depth * Math.abs(component);
    this.add(3 * number + k, part, k === 0 ? sign : 0, k === 1 ? sign : 0, k === 2 ? sign : 0, x, y, z);
  }

  /** H J */
  private bendMotion({ nx, ny, nz, bend, bendAlong, tx, ty, tz }: DistanceField): void {
    const { motion, bent } = this;
    for (let k = 0; k < 6; k++) {
      const x = motion[k];
      const y = motion[6 + k];
      const z = motion[12 + k];
      const along = bend * (nx * x + ny * y + nz * z);
      const across = bendAlong * (tx * x + ty * y + tz * z);
      bent[k] = bend * x - along * nx + across * tx;
      bent[6 + k] = bend * y - along * ny + across * ty;
      bent[12 + k] = bend * z - along * nz + across * tz;
    }
  }

  /** Takes a row from the axes of the field into the world. */
  private add(
    number: number,
    depth: number,
    nx: number,
    ny: number,
    nz: number,
    x: number,
    y: number,
    z: number,
  ): void {
    const { patches, frame, reversed } = this;
    const { position: p, rotation: r } = this.poses;
    const row = patches.add(this.pair, this.region++);
    const s = reversed ? -1 : 1;
    const o = 9 * frame;
    patches.feature[2 * row] = 0;
    patches.feature[2 * row + 1] = number;
    patches.depth[row] = patches.extent[row] = depth;
    for (let k = 0; k < 3; k++) {
      const rx = r[o + 3 * k];
      const ry = r[o + 3 * k + 1];
      const rz = r[o + 3 * k + 2];
      patches.normal[3 * row + k] = s * (rx * nx + ry * ny + rz * nz);
      patches.centroid[3 * row + k] = p[3 * frame + k] + rx * x + ry * y + rz * z;
      patches.patchCentroid[3 * row + k] = patches.centroid[3 * row + k];
    }
    if (!this.gradients) return;

    const { local } = this;
    if (reversed) this.changeRoles(nx, ny, nz);
    const g = patches.gradient;
    const at = 54 * row;
    for (let half = 0; half < 6; half += 3) {
      const d = LOCAL.depth + half;
      for (let k = 0; k < 3; k++) {
        const i = o + 3 * k;
        g[at + GRADIENT.depth + half + k] = r[i] * local[d] + r[i + 1] * local[d + 1] + r[i + 2] * local[d + 2];
      }
      this.turnBlock(r, o, LOCAL.normal + half, g, at + GRADIENT.normal + half);
      this.turnBlock(r, o, LOCAL.point + half, g, at + GRADIENT.centroid + half);
    }
  }

  private changeRoles(nx: number, ny: number, nz: number): void {
    const { local } = this;
    for (let k = LOCAL.depth; k < LOCAL.normal; k++) local[k] = -local[k];
    // dφ × (−n) = [n]× dφ
    local[LOCAL.normal + 4] -= nz;
    local[LOCAL.normal + 5] += ny;
    local[LOCAL.normal + 9] += nz;
    local[LOCAL.normal + 11] -= nx;
    local[LOCAL.normal + 15] -= ny;
    local[LOCAL.normal + 16] += nx;
    for (let k = LOCAL.point; k < LOCAL.length; k++) local[k] = -local[k];
    local[LOCAL.point] += 1;
    local[LOCAL.point + 7] += 1;
    local[LOCAL.point + 14] += 1;
  }

  /** R M Rᵀ of a 3 × 3 block with rows 6 apart. */
  private turnBlock(r: Float64Array, o: number, from: number, to: Float64Array, at: number): void {
    const { local, block } = this;
    for (let k = 0; k < 3; k++)
      for (let c = 0; c < 3; c++) {
        const i = o + 3 * k;
        block[3 * k + c] = r[i] * local[from + c] + r[i + 1] * local[from + 6 + c] + r[i + 2] * local[from + 12 + c];
      }
    for (let k = 0; k < 3; k++)
      for (let c = 0; c < 3; c++) {
        const i = o + 3 * c;
        to[at + 6 * k + c] = block[3 * k] * r[i] + block[3 * k + 1] * r[i + 1] + block[3 * k + 2] * r[i + 2];
      }
  }
}
