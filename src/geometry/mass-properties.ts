/**
 * Volume, mass, centroid and inertia of solids: exact for the shape that is given, be it a mesh or a closed form.
 *
 * For a mesh the integrals over the inside are integrals over its surface (see kernels/mesh-moments.kernel.ts).
 * They are taken twice: about the centre of the bounds to find the centroid, then about the centroid itself, so that the
 * inertia of a small part with a long thin tail is not the small difference of two large numbers.
 */
import { ModelError } from '../errors.js';
import { MOMENTS_LENGTH } from '../kernels/kernel-calls.js';
import { twin } from '../kernels/twin.js';
import { fromQuaternion, type Mat3, multiply as matrixProduct, toQuaternion, transpose } from '../math/mat3.js';
import { multiply, type Quaternion, rotate } from '../math/quaternion.js';
import { symmetricEigen } from '../math/symmetric-eigen.js';
import { add, norm, sub, type Vec3, ZERO } from '../math/vec3.js';
import { hasArcs } from './outline.js';
import { perimeter, planeMoments } from './polygon-measure.js';
import { type Form, ORIGIN, type Pose, type Prism, type Solid } from './solid.js';
import { openEdges } from './topology.js';
import { meshBounds, type TriangleMesh, vertexAt } from './triangle-mesh.js';

export interface MassProperties {
  /** m³ */
  readonly volume: number;
  /** Surface, m² */
  readonly area: number;
  /** kg */
  readonly mass: number;
  /** m */
  readonly centroid: Vec3;
  /** About the centroid, along the axes of the mesh or solid, kg m²; 9 numbers by rows, symmetric. */
  readonly inertia: Mat3;
  /** Ascending, kg m² */
  readonly principalMoments: Vec3;
  /** Turns the axes of the mesh into the principal axes, in the order of the moments. */
  readonly principalAxes: Quaternion;
}

/**
 * Mass properties of the inside of a closed mesh.
 *
 * @param density kg/m³
 * @throws ModelError if the mesh is open, inside out or encloses nothing, or the density is not positive
 * @example meshMassProperties(box([0.1, 0.1, 0.2]).mesh, 7850).mass
 */
export function meshMassProperties(mesh: TriangleMesh, density = 1): MassProperties {
  checkDensity(density);
  if (mesh.triangles.length === 0) throw new ModelError('mesh', 'expected a closed surface, got no triangles');
  refuseOpen(mesh);

  // Volume and centroid, about the middle of the bounds
  const { min, max } = meshBounds(mesh);
  const middle = min.map((low, k) => low + (max[k] - low) / 2) as unknown as Vec3;
  const about = surfaceIntegrals(mesh, middle);
  const [volume, x, y, z] = about;
  // Rounding leaves an error up to about 4 × 2⁻⁵³ of area × size; a volume below that is none.
  const least = 2 * Number.EPSILON * about[10] * norm(sub(max, min));
  if (!(volume > -least))
    throw new ModelError('mesh', `expected outward triangles, got a volume of ${volume} m³: ${INSIDE_OUT}`);
  if (!(volume > least))
    throw new ModelError('mesh', `expected a solid, got a surface that encloses no volume (${volume} m³)`);
  const centroid = add(middle, [x / volume, y / volume, z / volume]);

  // Second moments, about the centroid; what its rounding leaves over is taken off by the parallel-axis rule
  const [v, cx, cy, cz, xx, yy, zz, xy, yz, zx, area] = surfaceIntegrals(mesh, centroid);
  const central: SecondMoments = {
    xx: xx - (cx * cx) / v,
    yy: yy - (cy * cy) / v,
    zz: zz - (cz * cz) / v,
    xy: xy - (cx * cy) / v,
    yz: yz - (cy * cz) / v,
    zx: zx - (cz * cx) / v,
  };
  return massProperties(v, area, centroid, central, ORIGIN, density);
}

/**
 * Mass properties of a solid: from its exact form where it has one, so that a sphere weighs what a sphere weighs however
 * coarsely it is drawn; otherwise from its mesh.
 *
 * @param density kg/m³
 * @throws ModelError as `meshMassProperties`, and for a half-space
 */
export function solidMassProperties(solid: Solid, density = 1): MassProperties {
  checkDensity(density);
  if (solid.form.kind === 'halfSpace')
    throw new ModelError(
      'solid',
      'expected a solid of finite volume, got a half-space; it has no mass and belongs on a body that is fixed, or whose mass and inertia are given',
    );
  const exact = solid.prisms?.some(({ profile }) => hasArcs(profile))
    ? prismIntegrals(solid.prisms, meshMassProperties(solid.mesh).area)
    : formIntegrals(solid.form);
  if (!exact) return meshMassProperties(solid.mesh, density);
  return massProperties(exact.volume, exact.area, exact.centroid, exact.central, solid.pose, density);
}

/** ∫ xᵢxⱼ dV about the centroid, m⁵. */
interface SecondMoments {
  readonly xx: number;
  readonly yy: number;
  readonly zz: number;
  readonly xy: number;
  readonly yz: number;
  readonly zx: number;
}

/** volume, ∫x, ∫y, ∫z, ∫xx, ∫yy, ∫zz, ∫xy, ∫yz, ∫zx, area about a point, m and powers of it. */
function surfaceIntegrals({ vertices, triangles }: TriangleMesh, [x, y, z]: Vec3): Float64Array {
  const moments = new Float64Array(MOMENTS_LENGTH);
  const indices = new Int32Array(triangles.buffer, triangles.byteOffset, triangles.length);
  twin.meshMoments(vertices, indices, x, y, z, moments);
  return moments;
}

interface FormIntegrals {
  /** m³ */
  readonly volume: number;
  /** m² */
  readonly area: number;
  /** m */
  readonly centroid: Vec3;
  readonly central: SecondMoments;
}

/**
 * Closed forms in the form's frame. Volume and second moments of a solid of revolution of radius
 * r(z) are ∫ πr² dz, ∫ πr⁴/4 dz across and ∫ πr²z² dz along the axis.
 */
function formIntegrals(form: Form): FormIntegrals | undefined {
  switch (form.kind) {
    case 'sphere': {
      const r = form.radius;
      const volume = (4 / 3) * Math.PI * r * r * r;
      return { volume, area: 4 * Math.PI * r * r, centroid: ZERO, central: diagonal((volume * r * r) / 5) };
    }
    case 'ellipsoid': {
      const [a, b, c] = form.radii;
      const volume = (4 / 3) * Math.PI * a * b * c;
      const central = diagonal((volume * a * a) / 5, (volume * b * b) / 5, (volume * c * c) / 5);
      return { volume, area: ellipsoidArea(a, b, c), centroid: ZERO, central };
    }
    case 'box': {
      const [a, b, c] = form.size;
      const volume = a * b * c;
      const central = diagonal((volume * a * a) / 12, (volume * b * b) / 12, (volume * c * c) / 12);
      return { volume, area: 2 * (a * b + b * c + c * a), centroid: ZERO, central };
    }
    case 'cylinder': {
      const { radius: r, height: h } = form;
      const volume = Math.PI * r * r * h;
      const across = (volume * r * r) / 4;
      return {
        volume,
        area: 2 * Math.PI * r * (r + h),
        centroid: ZERO,
        central: diagonal(across, across, (volume * h * h) / 12),
      };
    }
    case 'capsule': {
      // A cylinder and two half spheres, whose centroids are 3r/8 from their flat sides.
      const { radius: r, height: h } = form;
      const tube = Math.PI * r * r * h;
      const ball = (4 / 3) * Math.PI * r * r * r;
      const across = (tube * r * r) / 4 + (ball * r * r) / 5;
      const along = (tube * h * h) / 12 + ball * ((r * r) / 5 + (h * h) / 4 + (3 * h * r) / 8);
      return {
        volume: tube + ball,
        area: 2 * Math.PI * r * (2 * r + h),
        centroid: ZERO,
        central: diagonal(across, across, along),
      };
    }
    case 'frustum': {
      // r = m + δ s with s = z/h from −½ to ½: ∫r² ds = m² + δ²/12, ∫sr² ds = mδ/6, ∫s²r² ds = m²/12 + δ²/80.
      const { bottomRadius: p, topRadius: q, height: h } = form;
      const m = (p + q) / 2;
      const delta = q - p;
      const mean = m * m + (delta * delta) / 12;
      const first = (m * delta) / 6;
      const across =
        (Math.PI * h * (p * p * p * p + p * p * p * q + p * p * q * q + p * q * q * q + q * q * q * q)) / 20;
      const along = Math.PI * h * h * h * ((m * m) / 12 + (delta * delta) / 80 - (first * first) / mean);
      const area = Math.PI * ((p + q) * Math.sqrt(h * h + delta * delta) + p * p + q * q);
      return {
        volume: Math.PI * h * mean,
        area,
        centroid: [0, 0, (h * first) / mean],
        central: diagonal(across, across, along),
      };
    }
    case 'extrusion': {
      // Straight edges are what the mesh has: the mesh is then as exact
      const { profile, height: h } = form;
      if (!hasArcs(profile)) return undefined;
      const { area, centroid, xx, yy, xy } = planeMoments(profile);
      const walls = [profile.outer, ...profile.holes].reduce((sum, ring) => sum + perimeter(ring), 0) * h;
      const central = { xx: h * xx, yy: h * yy, zz: (area * h * h * h) / 12, xy: h * xy, yz: 0, zx: 0 };
      return { volume: area * h, area: 2 * area + walls, centroid: [...centroid, h / 2], central };
    }
    default:
      return undefined;
  }
}

/** Of prisms that share no volume. @param area of the surface, m² */
function prismIntegrals(prisms: readonly Prism[], area: number): FormIntegrals {
  let volume = 0;
  let [x, y, z] = [0, 0, 0];
  const parts = prisms.map(({ profile, bottom, top }) => {
    const moments = planeMoments(profile);
    const [height, middle] = [top - bottom, 0.5 * (top + bottom)];
    const share = moments.area * height;
    volume += share;
    x += share * moments.centroid[0];
    y += share * moments.centroid[1];
    z += share * middle;
    return { moments, height, middle, share };
  });
  const centroid: Vec3 = [x / volume, y / volume, z / volume];
  const central = { xx: 0, yy: 0, zz: 0, xy: 0, yz: 0, zx: 0 };
  for (const { moments, height, middle, share } of parts) {
    const [u, v, w] = sub([...moments.centroid, middle], centroid);
    central.xx += height * moments.xx + share * u * u;
    central.yy += height * moments.yy + share * v * v;
    central.zz += (share * height * height) / 12 + share * w * w;
    central.xy += height * moments.xy + share * u * v;
    central.yz += share * v * w;
    central.zx += share * w * u;
  }
  return { volume, area, centroid, central };
}

/**
 * 4π R_G(a²b², b²c², c²a²), Carlson's symmetric integral (Digital Library of Mathematical Functions, 19.33.1), here from its two kin:
 * 2 R_G(x, y, z) = z R_F − ⅓ (x − z)(y − z) R_D + √(x y/z), each by duplication: its arguments draw together by a factor of 4 a round.
 */
function ellipsoidArea(a: number, b: number, c: number): number {
  // z between the two others: then all terms are positive
  const [x0, z0, y0] = [a * a * b * b, b * b * c * c, c * c * a * a].sort((p, q) => p - q);
  let [x, y, z] = [x0, y0, z0];
  let weight = 1;
  let sum = 0;
  for (let round = 0; round < 28; round++) {
    const [p, q, r] = [Math.sqrt(x), Math.sqrt(y), Math.sqrt(z)];
    const lambda = p * q + q * r + r * p;
    sum += weight / (r * (z + lambda));
    weight /= 4;
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    z = (z + lambda) / 4;
  }
  const mean = (x + y + z) / 3;
  const first = 1 / Math.sqrt(mean);
  const second = 3 * sum + (weight * first) / mean;
  return 2 * Math.PI * (z0 * first - ((x0 - z0) * (y0 - z0) * second) / 3 + Math.sqrt((x0 * y0) / z0));
}

const diagonal = (xx: number, yy = xx, zz = xx): SecondMoments => ({ xx, yy, zz, xy: 0, yz: 0, zx: 0 });

/** Puts together the result from integrals in a frame and the pose of that frame. */
function massProperties(
  volume: number,
  area: number,
  centroid: Vec3,
  { xx, yy, zz, xy, yz, zx }: SecondMoments,
  pose: Pose,
  density: number,
): MassProperties {
  const [ixx, iyy, izz] = [density * (yy + zz), density * (zz + xx), density * (xx + yy)];
  const [ixy, iyz, izx] = [0 - density * xy, 0 - density * yz, 0 - density * zx]; // 0 − 0 is 0, not −0
  const inertia: Mat3 = [ixx, ixy, izx, ixy, iyy, iyz, izx, iyz, izz];
  const { values, vectors } = symmetricEigen(inertia);
  return {
    volume,
    area,
    mass: density * volume,
    centroid: add(pose.position, rotate(pose.orientation, centroid)),
    inertia: rotateTensor(pose.orientation, inertia),
    principalMoments: values,
    principalAxes: multiply(pose.orientation, toQuaternion(vectors)),
  };
}

/** R T Rᵀ, symmetric to the last bit. */
function rotateTensor(q: Quaternion, tensor: Mat3): Mat3 {
  const r = fromQuaternion(q);
  const [xx, xy, xz, , yy, yz, , , zz] = matrixProduct(matrixProduct(r, tensor), transpose(r));
  return [xx, xy, xz, xy, yy, yz, xz, yz, zz];
}

const INSIDE_OUT =
  'the mesh is inside out or a mirrored copy whose triangles were not reversed; repair turns them round';

function checkDensity(density: number): void {
  if (!(density > 0 && density < Number.POSITIVE_INFINITY))
    throw new ModelError('density', `expected a density > 0 kg/m³, got ${density}`);
}

function refuseOpen(mesh: TriangleMesh): void {
  if (openEdges(mesh, 1).length === 0) return;
  const open = openEdges(mesh);
  const shown = open
    .slice(0, 5)
    .map(({ from, to }) => `${point(vertexAt(mesh, from))} to ${point(vertexAt(mesh, to))}`);
  throw new ModelError(
    'mesh',
    `expected a closed, oriented surface, got one with ${open.length} open edge${open.length === 1 ? '' : 's'}: ` +
      `${shown.join(', ')}${open.length > 5 ? ', …' : ''} m; repair welds, orients and fills what it can ` +
      '(`tippetop convert part.stl mended.stl --repair`)',
  );
}

/** Nine digits: a micrometre shows even a hundred metres away. */
const point = (p: Vec3): string => `(${p.map((x) => Number(x.toPrecision(9))).join(', ')})`;
