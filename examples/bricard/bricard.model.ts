// Bricard's linkage: five rods and the ground in a ring of six hinges along the edges of a cube. Counting says it cannot move
// (6 hinges, 6 closing conditions), yet it does: one condition is redundant everywhere. A problem of the IFToMM benchmarks.
// npx tippetop run examples/bricard --stop 20
import { body, capsule, model, quaternion, revolute, vec3 } from 'tippetop';

export default ({
  length = 1 /* m, of each rod */,
  mass = 1 /* kg, of each rod */,
  gravity = 9.81 /* m/s² */,
} = {}) => {
  // Six corners of a cube, each one edge from the next; the ground takes the edge from the last to the first.
  const corners = (
    [
      [0, 0, 0],
      [1, 0, 0],
      [1, 0, -1],
      [1, -1, -1],
      [0, -1, -1],
      [0, -1, 0],
    ] as const
  ).map((corner) => vec3.scale(length, corner));
  // Each hinge is square to both rods that meet there.
  const axes = [
    [0, 0, 1],
    [0, 1, 0],
    [1, 0, 0],
    [0, 0, 1],
    [0, 1, 0],
    [1, 0, 0],
  ] as const;
  const slender = (mass * length * length) / 12;
  return model({
    title: "Bricard's linkage",
    contacts: false, // drawn to be seen: parts pass beside each other in one plane
    gravity: [0, 0, -gravity],
    bodies: {
      rod: Array.from({ length: 5 }, (_, i) => {
        const [from, to] = [corners[i], corners[i + 1]];
        return body({
          shape: capsule({ radius: 0.04 * length, height: length }), // along the body's z
          mass,
          inertia: [slender, slender, 0],
          position: vec3.lerp(from, to, 0.5),
          orientation: quaternion.between([0, 0, 1], vec3.sub(to, from)),
          frames: { end: { position: [0, 0, length / 2] } },
          colour: i % 2 === 0 ? [0.2, 0.45, 0.7, 1] : [0.85, 0.45, 0.15, 1],
        });
      }),
    },
    joints: {
      hinge: corners.map((at, i) =>
        revolute({
          body: `rod[${i < 5 ? i : 4}]`,
          ...(i > 0 && i < 5 && { to: `rod[${i - 1}]` }),
          at,
          axis: axes[i],
        }),
      ),
    },
    simulation: { stop: 10, interval: 0.01 },
    plots: {
      'third corner': ['rod[2].end.position.x', 'rod[2].end.position.y', 'rod[2].end.position.z'],
      hinges: ['hinge[0].angle', 'hinge[1].angle'],
      energy: ['energy.kinetic', 'energy.potential', 'energy.total'],
    },
  });
};
