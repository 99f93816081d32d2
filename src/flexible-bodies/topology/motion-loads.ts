/**
 * Equivalent static loads of a part that moves: at an instant the elements carry the inertia of their own mass, −m(x) A, and joints apply what balances
 * it and the deformation:
 *
 *   A = a + α × X − ω² X + Σ_k (φ_k η_k' + 2 ω × φ_k η_k)        w_c = Φ_cᵀ (M A + K u),  u = Σ_k φ_k q_k
 *
 *   a  of the frame less gravity, in the axes of the part        w_c  on interface c along its displacements and turn, N, N m
 *
 * The frame is clamped to the first interface. Where no moment acts there over the whole motion it is a pin, and a change of mass is balanced
 * by the joint farthest from it, across the line between them; else the first interface takes what changes.
 * Choi & Park (2002), doi 10.1016/S0045-7825(01)00428-6.
 */
import type { Vec2 } from '../../math/vec3.js';
import { densityScales } from '../fem/density-scales.js';
import { applyMass, type PlaneMaterial, planeMatrices } from '../fem/plane-elements.js';
import type { PartInterface } from '../interfaces.js';
import type { PlaneMesh } from '../mesh/plane-mesh.js';
import type { LoadCase } from './compliance.js';
import { elementInertia } from './element-inertia.js';
import type { RigidGrip } from './rigid-grips.js';

/** A part as it moved, e.g. an element of `System.flexible` */
export interface MovedPart {
  readonly mesh: PlaneMesh;
  readonly material: PlaneMaterial;
  readonly shapes: readonly Float64Array[];
  readonly interfaces: readonly PartInterface[];
  /** shapes², row-major */
  readonly stiffness: Float64Array;
  /** Per element, where it was not full */
  readonly densities?: ArrayLike<number> | undefined;
}

/** What was recorded of it at one instant */
export interface MotionSample {
  readonly coordinates: ArrayLike<number>;
  /** a_x, a_y, α, ω², then η_k', then 2 ω η_k (inertial-fields.ts) */
  readonly inertia: ArrayLike<number>;
}

export interface MotionLoads {
  readonly loads: LoadCase[];
  readonly grips: RigidGrip[];
  /** Whether the first interface bore no moment */
  readonly pinned: boolean;
}

/** The corners of a mesh of six nodes as a mesh of three, element by element the same */
export function cornerMesh(mesh: PlaneMesh): PlaneMesh {
  const { nodesPerElement: n, elementCount, cornerCount } = mesh;
  const elements = new Int32Array(3 * elementCount);
  for (let e = 0; e < elementCount; e++) for (let a = 0; a < 3; a++) elements[3 * e + a] = mesh.elements[n * e + a];
  return {
    ...mesh,
    points: mesh.points.slice(0, 2 * cornerCount),
    nodeCount: cornerCount,
    nodesPerElement: 3,
    elements,
    sides: mesh.sides.map((node, i) => (i % 3 === 2 ? -1 : node)),
  };
}

/** Moments below this part of what the joints' forces have about the first one are rounding and damping: it is a pin. */
const PIN = 0.02;

export function motionLoads(part: MovedPart, samples: readonly MotionSample[]): MotionLoads {
  const { mesh, material, shapes, interfaces, stiffness, densities } = part;
  const matrices = planeMatrices(mesh, material, densities && densityScales(densities));
  const corners = cornerMesh(mesh);
  const [first, ...others] = interfaces;
  const [ox, oy] = first.point;
  const count = shapes.length;
  const nodes = mesh.nodeCount;
  const acceleration = new Float64Array(2 * nodes);
  const force = new Float64Array(2 * nodes);
  let moment = 0;
  let scale = 0;
  const cases = samples.map(({ coordinates, inertia }) => {
    const [ax, ay, turning, square] = [inertia[0], inertia[1], inertia[2], inertia[3]];
    for (let i = 0; i < nodes; i++) {
      const [x, y] = [mesh.points[2 * i] - ox, mesh.points[2 * i + 1] - oy];
      acceleration[2 * i] = ax - turning * y - square * x;
      acceleration[2 * i + 1] = ay + turning * x - square * y;
    }
    for (let k = 0; k < count; k++) {
      const [rate, coriolis] = [inertia[4 + k], inertia[4 + count + k]];
      for (let i = 0; i < nodes; i++) {
        acceleration[2 * i] += rate * shapes[k][2 * i] - coriolis * shapes[k][2 * i + 1];
        acceleration[2 * i + 1] += rate * shapes[k][2 * i + 1] + coriolis * shapes[k][2 * i];
      }
    }
    applyMass(matrices, acceleration, force);
    const wrenches = new Float64Array(3 * interfaces.length);
    for (let j = 0; j < 3 * others.length; j++) {
      let sum = 0;
      for (let i = 0; i < 2 * nodes; i++) sum += shapes[j][i] * force[i];
      for (let k = 0; k < count; k++) sum += stiffness[j * count + k] * coordinates[k];
      wrenches[3 + j] = sum;
    }
    // Moment that the first interface has to give
    let own = 0;
    for (let i = 0; i < nodes; i++)
      own += (mesh.points[2 * i] - ox) * force[2 * i + 1] - (mesh.points[2 * i + 1] - oy) * force[2 * i];
    scale = Math.max(scale, Math.abs(own));
    others.forEach(({ point: [x, y] }, c) => {
      const [fx, fy, m] = wrenches.subarray(3 * c + 3, 3 * c + 6);
      own -= (x - ox) * fy - (y - oy) * fx + m;
      const arm = Math.sqrt((x - ox) * (x - ox) + (y - oy) * (y - oy));
      scale = Math.max(scale, arm * Math.sqrt(fx * fx + fy * fy));
    });
    moment = Math.max(moment, Math.abs(own));
    return {
      wrenches,
      body: elementInertia(
        corners,
        material,
        acceleration.map((a) => -a),
      ),
    };
  });
  const pinned = others.length > 0 && moment <= PIN * scale;
  const held = pinned ? acrossTo(interfaces) : undefined;
  const none = new Float64Array(2 * corners.nodeCount);
  return {
    pinned,
    loads: cases.map(({ wrenches, body }) => ({ force: none, body, wrenches, ...(held && { held }) })),
    grips: interfaces.map((one, c) => ({
      point: one.point,
      nodes: one.nodes.filter((node) => node < corners.nodeCount),
      free: c > 0 ? [true, true, true] : [false, false, pinned],
    })),
  };
}

/** The direction across the line from the first interface to the one farthest from it, of that one's coordinates */
function acrossTo(interfaces: readonly PartInterface[]): Float64Array {
  const [ox, oy] = interfaces[0].point;
  const distance = ({ point: [x, y] }: { point: Vec2 }): number => (x - ox) * (x - ox) + (y - oy) * (y - oy);
  let far = 1;
  for (let c = 2; c < interfaces.length; c++) if (distance(interfaces[c]) > distance(interfaces[far])) far = c;
  const length = Math.sqrt(distance(interfaces[far]));
  const [x, y] = interfaces[far].point;
  const out = new Float64Array(3 * interfaces.length);
  out.set([-(y - oy) / length, (x - ox) / length], 3 * far);
  return out;
}
