/** Bodies of a model as walls and tools of rigid grains: convex solids, balls and half-spaces, in the frame of the body. */
import type { Solid } from '../../geometry/solid.js';
import { type Mat3, toQuaternion } from '../../math/mat3.js';
import { type Quaternion, rotate } from '../../math/quaternion.js';
import { convexPiece, type GrainShape, toolShape } from '../shapes/grain-shape.js';
import { halfSpacePiece, type Piece, spherePiece } from '../shapes/piece.js';
import type { WallPose } from '../wall-arrays.js';

/** @param where how an error names the body @throws ModelError if a solid is not convex */
export function toolOf(solids: readonly Solid[], where: string): GrainShape {
  const pieces = solids.map((solid, i): Piece => {
    const { form, pose, mesh } = solid;
    if (form.kind === 'sphere') return spherePiece(pose.position, form.radius);
    if (form.kind === 'halfSpace') return halfSpacePiece(pose.position, rotate(pose.orientation, [0, 0, 1]));
    return convexPiece(mesh, solids.length === 1 ? `${where}.shape` : `${where}.shape[${i}]`);
  });
  return toolShape(
    pieces,
    solids.map(({ mesh }) => mesh),
  );
}

export const poseQuaternion = ({ rotation }: WallPose): Quaternion =>
  toQuaternion(Array.from(rotation) as unknown as Mat3);
