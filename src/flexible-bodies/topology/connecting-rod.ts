/**
 * A connecting rod as a design problem with the loads of its motion in closed form: crank 0.05 m at 100π rad/s, 0.2 m between the pins, a piston of
 * 0.6 kg, no gas force. The room is 0.24 × 0.048 × 0.02 m of aluminium in 160 × 32 rectangles; pins of 9 mm radius are rigid, 14 mm around them full.
 */
import { asin, cos, sin } from '../../math/elementary.js';
import { Compliance, type LoadCase } from './compliance.js';
import { type DesignMesh, gridDesign } from './design-mesh.js';
import type { RigidGrip } from './rigid-grips.js';

const [CRANK, LENGTH, SPEED, PISTON] = [0.05, 0.2, 100 * Math.PI, 0.6];
const MATERIAL = { youngsModulus: 71e9, poissonRatio: 0.33, density: 2770, thickness: 0.02 };

export interface RodProblem {
  readonly mesh: DesignMesh;
  readonly problem: Compliance;
  /** 1 where material stays */
  readonly given: Int8Array;
}

/** @param samples of one turn of the crank, in the middle of equal parts of it */
export function connectingRod(samples: number): RodProblem {
  const grid = gridDesign(160, 32, 0.24, 0.048, MATERIAL);
  const shifted = (p: number, i: number): number => p - (i % 2 === 0 ? 0.02 : 0.024);
  const mesh = { ...grid, points: grid.points.map(shifted), centre: grid.centre.map(shifted) };
  const { points, centre, elements, elementCount, nodeCount, area } = mesh;
  const near = (field: Float64Array, i: number, x: number, radius: number): boolean =>
    (field[2 * i] - x) * (field[2 * i] - x) + field[2 * i + 1] * field[2 * i + 1] <= radius * radius;
  const given = Int8Array.from({ length: elementCount }, (_, e) =>
    near(centre, e, 0, 0.014) || near(centre, e, LENGTH, 0.014) ? 1 : 0,
  );
  const grip = (x: number, free: RigidGrip['free']): RigidGrip => ({
    point: [x, 0],
    nodes: Int32Array.from({ length: nodeCount }, (_, i) => i).filter((i) => near(points, i, x, 0.009)),
    free,
  });
  const loads = Array.from({ length: samples }, (_, i): LoadCase => {
    const angle = (2 * Math.PI * (i + 0.5)) / samples;
    // The rod at angle φ: L sin φ = −r sin θ
    const s = (-CRANK / LENGTH) * sin(angle);
    const c = cos(asin(s));
    const turn = (-CRANK * SPEED * cos(angle)) / (LENGTH * c);
    const turning = ((CRANK * SPEED * SPEED * sin(angle)) / LENGTH + turn * turn * s) / c;
    const ax = -CRANK * SPEED * SPEED * cos(angle);
    const ay = -CRANK * SPEED * SPEED * sin(angle);
    // in the axes of the rod
    const [atX, atY] = [ax * c + ay * s, ay * c - ax * s];
    const acceleration = (x: number, y: number): readonly [number, number] => [
      atX - turning * y - turn * turn * x,
      atY + turning * x - turn * turn * y,
    ];
    const body = new Float64Array(8 * elementCount);
    for (let e = 0; e < elementCount; e++) {
      const mass = MATERIAL.density * MATERIAL.thickness * area[e];
      for (let a = 0; a < 4; a++) {
        const node = elements[4 * e + a];
        const [nx, ny] = acceleration(points[2 * node], points[2 * node + 1]);
        body[8 * e + 2 * a] = (-mass * nx) / 4;
        body[8 * e + 2 * a + 1] = (-mass * ny) / 4;
      }
    }
    const piston = -PISTON * (ax - LENGTH * (turning * s + turn * turn * c));
    // The piston pushes along its guide, which takes what is across: in the axes of the rod
    return {
      force: new Float64Array(2 * nodeCount),
      body,
      wrenches: Float64Array.from([0, 0, 0, piston * c, -piston * s, 0]),
      held: Float64Array.from([0, 0, 0, s, c, 0]),
    };
  });
  const grips = [grip(0, [false, false, true]), grip(LENGTH, [true, true, true])];
  return {
    mesh,
    given,
    problem: new Compliance(mesh, new Uint8Array(2 * nodeCount).fill(1), loads, { grips, void: 1e-6 }),
  };
}
