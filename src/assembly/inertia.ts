/** Mass, centre and inertia of the model's bodies, in the body's own frame. */
import { ModelError } from '../errors.js';
import { solidMassProperties } from '../geometry/mass-properties.js';
import { fromQuaternion, type Mat3, multiply as multiplyMatrices, transpose } from '../math/mat3.js';
import type { Quaternion } from '../math/quaternion.js';
import { add, norm, scale, sub, type Vec3, ZERO } from '../math/vec3.js';
import type { Body } from '../model/body.js';

export interface BodyInertia {
  /** kg */
  readonly mass: number;
  /** m, body frame */
  readonly centre: Vec3;
  /** kg m² about the centre, body axes, row-major */
  readonly inertia: Mat3;
  /** Greatest distance of a point of the shape from the centre, m; 0 without a shape */
  readonly reach: number;
}

/** What is given overrides what follows from shape and material; a given mass scales the shape's inertia. */
export function bodyInertia(body: Body, path: string): BodyInertia {
  const drawn = body.shape === undefined ? [] : Array.isArray(body.shape) ? body.shape : [body.shape];
  // A half-space may move as the face of a plate whose mass is given.
  const given = body.mass !== undefined && body.inertia !== undefined;
  const solids = given ? drawn.filter(({ form }) => form.kind !== 'halfSpace') : drawn;
  let mass = 0;
  let moment: Vec3 = ZERO;
  const density = body.material?.density ?? 1;
  const pieces = solids.map((solid, i) => {
    try {
      return solidMassProperties(solid, density);
    } catch (error) {
      throw error instanceof ModelError
        ? new ModelError(`${path}.shape${solids.length > 1 ? `[${i}]` : ''}`, error.message)
        : error;
    }
  });
  for (const piece of pieces) {
    mass += piece.mass;
    moment = add(moment, scale(piece.mass, piece.centroid));
  }
  let centre = mass > 0 ? scale(1 / mass, moment) : ZERO;
  let inertia = pieces.reduce<Mat3>(
    (sum, piece) => addMatrices(sum, shifted(piece.inertia as Mat3, piece.mass, sub(piece.centroid, centre))),
    ZERO_MATRIX,
  );

  if (body.mass !== undefined) {
    if (mass > 0) inertia = inertia.map((entry) => (entry * body.mass!) / mass) as unknown as Mat3;
    mass = body.mass;
  }
  if (body.centreOfMass) centre = body.centreOfMass;
  if (body.inertia) {
    const own = body.inertia;
    inertia = own.length === 9 ? (own as Mat3) : [own[0], 0, 0, 0, own[1], 0, 0, 0, own[2]];
  }
  let reach = 0;
  for (const solid of solids)
    for (let i = 0; i < solid.mesh.vertices.length; i += 3) {
      const { vertices } = solid.mesh;
      reach = Math.max(reach, norm(sub([vertices[i], vertices[i + 1], vertices[i + 2]], centre)));
    }
  return { mass, centre, inertia, reach };
}

const ZERO_MATRIX: Mat3 = [0, 0, 0, 0, 0, 0, 0, 0, 0];

const addMatrices = (a: Mat3, b: Mat3): Mat3 => a.map((entry, i) => entry + b[i]) as unknown as Mat3;

/** Parallel axes: inertia about a point at −r from the centre, I + m (r² 1 − r rᵀ). */
function shifted(inertia: Mat3, mass: number, r: Vec3): Mat3 {
  const square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  return inertia.map((entry, k) => {
    const i = Math.floor(k / 3);
    const j = k % 3;
    return entry + mass * ((i === j ? square : 0) - r[i] * r[j]);
  }) as unknown as Mat3;
}

/** R I Rᵀ */
export function rotatedInertia(inertia: Mat3, orientation: Quaternion): Mat3 {
  const rotation = fromQuaternion(orientation);
  return multiplyMatrices(multiplyMatrices(rotation, inertia), transpose(rotation));
}
