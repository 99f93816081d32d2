/** Bodies of a model as walls and tools of rigid grains: convex solids, balls, half-spaces and closed meshes of any form, in the frame of the body. */
import { ORIGIN, type Solid } from '../../geometry/solid.js';
import { type Mat3, toQuaternion } from '../../math/mat3.js';
import { type Quaternion, rotate } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import type { Model } from '../../model/model.js';
import { prepareConvex } from '../../narrow-phase/convex-overlap/convex-solid.js';
import { type GrainPlan, solidsOf } from '../grain-plan.js';
import { sizesOf } from '../grain-sizes.js';
import { type GrainShape, toolShape } from '../shapes/grain-shape.js';
import { halfSpacePiece, type Piece, polyhedronPiece, spherePiece } from '../shapes/piece.js';
import { roundPieces } from '../shapes/round-wall.js';
import { surfacePieces } from '../shapes/surface-pieces.js';
import type { WallPose } from '../wall-arrays.js';

/** @param reach radius of the largest grain, m @param where how an error names the body */
export function toolOf(solids: readonly Solid[], reach: number, where: string): GrainShape {
  const pieces = solids.flatMap((solid, i): Piece[] => {
    const { form, pose, mesh } = solid;
    if (form.kind === 'sphere') return [spherePiece(pose.position, form.radius)];
    if (form.kind === 'halfSpace') return [halfSpacePiece(pose.position, rotate(pose.orientation, [0, 0, 1]))];
    const convex = prepareConvex({ mesh, form: { kind: 'mesh' }, pose: ORIGIN });
    return convex
      ? [polyhedronPiece(convex, solids.length === 1 ? `${where}.shape` : `${where}.shape[${i}]`)]
      : surfacePieces(mesh, reach);
  });
  return toolShape(
    pieces,
    solids.map(({ mesh }) => mesh),
  );
}

export const poseQuaternion = ({ rotation }: WallPose): Quaternion =>
  toQuaternion(Array.from(rotation) as unknown as Mat3);

/** Walls of a plan as its grains with shapes touch them; undefined where all are balls */
export function toolsOf(
  model: Model,
  { forms, species, wallNames, grains }: GrainPlan,
): readonly GrainShape[] | undefined {
  if (!forms) return undefined;
  const sizes = species.map(([, { radius }]) => sizesOf(radius, random(0)));
  const least = Math.min(...sizes.map((own) => own.least));
  const greatest = Math.max(...sizes.map((own) => own.greatest));
  return wallNames.map((name) => {
    const solids = solidsOf(model.bodies.get(name)!);
    const round = grains.roundWalls?.[name];
    if (!round) return toolOf(solids, greatest, `bodies.${name}`);
    const meshes = solids.map(({ mesh }) => mesh);
    return toolShape(roundPieces(round, least, greatest), meshes);
  });
}
