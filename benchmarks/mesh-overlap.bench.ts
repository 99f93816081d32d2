// Two meshing gears of 25 teeth, axes tilted by 0.004 rad so that no face is flush: the general overlap of meshes, twelve
// poses over one tooth. The rival moves one gear, intersects and asks for the volume; it gives no centroid, normal or patch.
import {
  extrude,
  gearCircles,
  intersect,
  involuteGear,
  meshMassProperties,
  rotate,
  type TriangleMesh,
  translate,
} from 'tippetop';
import { fromQuaternion } from '../src/math/mat3.js';
import { fromAxisAngle, multiply, type Quaternion } from '../src/math/quaternion.js';
import { ContactPatches } from '../src/narrow-phase/contact-patches.js';
import { ExtrusionOverlap } from '../src/narrow-phase/extrusion-overlap/extrusion-overlap.js';
import { LoopBody, prepareLoops } from '../src/narrow-phase/extrusion-overlap/loop-body.js';
import { MeshOverlap } from '../src/narrow-phase/mesh-overlap/mesh-overlap.js';
import { prepareMesh } from '../src/narrow-phase/mesh-overlap/mesh-topology.js';
import { OverlapBody } from '../src/narrow-phase/mesh-overlap/overlap-body.js';
import { benchmark, rival } from './harness.js';

const TEETH = 25;
const POSES = 12;

interface Scene {
  readonly mesh: TriangleMesh;
  readonly distance: number;
  readonly turns: readonly Quaternion[];
  readonly overlap: MeshOverlap;
  readonly patches: ContactPatches;
  /** 9 and 3 per frame: frame 0 is A's, the others B's poses */
  readonly rotation: Float64Array;
  readonly position: Float64Array;
  /** of all poses together, by constructive solid geometry in double precision, m³ */
  readonly volume: number;
}

function gearsInMesh(size: number, angleOf: (pose: number) => number): Scene {
  // walls in layers, as a mesher would, so that triangles do not become ever more slender: n corners give n (2 layers + 2)
  const layers = size > 5000 ? 4 : 1;
  const corners = size / (2 * layers + 2);
  const gear = { teeth: TEETH, module: 0.08, points: Math.max(2, Math.round((corners / TEETH) * 0.3)) };
  const { mesh } = extrude(involuteGear(gear), 0.3, { layers });
  const topology = prepareMesh(mesh);
  const distance = 1.985 * gearCircles(gear).pitchRadius; // a little too near: flanks and tips overlap
  const tilt = fromAxisAngle([0.6, 0.8, 0], 0.004);
  const turns = Array.from({ length: POSES }, (_, k) => multiply(tilt, fromAxisAngle([0, 0, 1], angleOf(k))));
  const rotation = new Float64Array(9 * (POSES + 1));
  const position = new Float64Array(3 * (POSES + 1));
  rotation.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  turns.forEach((turn, k) => {
    rotation.set(fromQuaternion(turn), 9 * (k + 1));
    position.set([distance, 0, 0.01], 3 * (k + 1));
  });
  let volume = 0;
  for (const turn of turns) {
    const common = intersect(mesh, translate([distance, 0, 0.01], rotate(turn, mesh))).mesh;
    if (common.triangles.length > 0) volume += meshMassProperties(common).volume;
  }
  const overlap = new MeshOverlap(new OverlapBody(topology), new OverlapBody(topology));
  return { mesh, distance, turns, overlap, patches: new ContactPatches(8), rotation, position, volume };
}

function volumeOfPoses({ overlap, patches, rotation, position }: Scene): number {
  let volume = 0;
  for (let k = 1; k <= POSES; k++) {
    overlap.evaluate(rotation, position, 0, k);
    patches.clear();
    overlap.append(patches, 0);
    for (let i = 0; i < patches.count; i++) volume += patches.volume[i];
  }
  return volume;
}

benchmark('mesh-overlap', {
  source:
    'gears in mesh; design targets 0.13 and 1 ms for 2 000 and 20 000 triangles each, ten times faster than manifold-3d',
  unit: 'evaluation',
  sizes: [2_000, 20_000], // triangles of one gear
  prepare: (size) => gearsInMesh(size, (k) => ((k + 0.5 * POSES + 0.37) * 2 * Math.PI) / (TEETH * POSES)),
  run: volumeOfPoses,
  work: () => POSES,
  error: (volume, scene) => Math.abs(volume / scene.volume - 1),
  ratios: {
    'manifold-3d': rival({
      async prepare({ mesh, turns, distance }: Scene) {
        const module = await (await import('manifold-3d')).default();
        module.setup();
        const gear = new module.Manifold(
          new module.Mesh({
            numProp: 3,
            vertProperties: Float32Array.from(mesh.vertices),
            triVerts: mesh.triangles,
          }),
        );
        // 4 × 4, by columns
        const matrices = turns.map((turn) => {
          const r = fromQuaternion(turn);
          return [r[0], r[3], r[6], 0, r[1], r[4], r[7], 0, r[2], r[5], r[8], 0, distance, 0, 0.01, 1] as const;
        });
        return { gear, matrices };
      },
      run({ gear, matrices }) {
        let volume = 0;
        for (const matrix of matrices) {
          const moved = gear.transform([...matrix] as never);
          const common = gear.intersect(moved);
          volume += common.volume();
          common.delete();
          moved.delete();
        }
        return volume;
      },
      error: (volume, scene) => Math.abs(volume / scene.volume - 1),
    }),
  },
});

// The same gears as the tries of a step ask for them, a micrometre apart at the teeth: most triangles near each other are known from the question before.
benchmark('mesh-overlap-steps', {
  source: 'gears in mesh, poses 1e-6 rad apart; design targets 0.07 and 0.6 ms for 2 000 and 20 000 triangles each',
  unit: 'evaluation',
  sizes: [2_000, 20_000],
  prepare: (size) => gearsInMesh(size, (k) => (0.531 * 2 * Math.PI) / TEETH + 1e-6 * k),
  run: volumeOfPoses,
  work: () => POSES,
  error: (volume, scene) => Math.abs(volume / scene.volume - 1),
});

interface PlaneScene {
  readonly plane: ExtrusionOverlap;
  readonly patches: ContactPatches;
  readonly rotation: Float64Array;
  readonly position: Float64Array;
  /** of all poses, by the general overlap of the extruded meshes, m³ */
  readonly volume: number;
}

// The same gears with exactly parallel axes: outlines in the plane times the common height.
benchmark('extrusion-overlap', {
  source: 'gears in mesh on parallel axes; design target 25 µs for 2 000 corners each',
  unit: 'evaluation',
  sizes: [200, 2_000, 20_000], // corners of one outline, about
  prepare(size): PlaneScene {
    const gear = { teeth: TEETH, module: 0.08, points: Math.max(2, Math.round((size / TEETH) * 0.3)) };
    const profile = involuteGear(gear);
    const loops = prepareLoops(profile, 0, 0.3);
    const distance = 1.985 * gearCircles(gear).pitchRadius;
    const rotation = new Float64Array(9 * (POSES + 1));
    const position = new Float64Array(3 * (POSES + 1));
    rotation.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    for (let k = 0; k < POSES; k++) {
      const angle = ((k + 0.5 * POSES + 0.37) * 2 * Math.PI) / (TEETH * POSES);
      rotation.set(fromQuaternion(fromAxisAngle([0, 0, 1], angle)), 9 * (k + 1));
      position.set([distance, 0, 0.01], 3 * (k + 1));
    }
    const topology = prepareMesh(extrude(profile, 0.3).mesh);
    const space = new MeshOverlap(new OverlapBody(topology), new OverlapBody(topology));
    let volume = 0;
    for (let k = 1; k <= POSES; k++) {
      space.evaluate(rotation, position, 0, k);
      volume += space.volume();
    }
    const plane = new ExtrusionOverlap(new LoopBody(loops), new LoopBody(loops));
    return { plane, patches: new ContactPatches(8), rotation, position, volume };
  },
  run({ plane, patches, rotation, position }) {
    let volume = 0;
    for (let k = 1; k <= POSES; k++) {
      plane.evaluate(rotation, position, 0, k);
      patches.clear();
      plane.append(patches, 0);
      for (let i = 0; i < patches.count; i++) volume += patches.volume[i];
    }
    return volume;
  },
  work: () => POSES,
  error: (volume, scene) => Math.abs(volume / scene.volume - 1),
});
