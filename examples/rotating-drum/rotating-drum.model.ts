// Beads in a drum that turns: the heap is carried up one side until it avalanches, and stays inclined. The drive feels its weight on a lever.
// npx tippetop run examples/rotating-drum --view
import { body, model, revolute, revolve, rotate } from 'tippetop';

export default ({
  radius = 0.06, // m
  length = 0.03, // m
  beads = 1500,
  speed = 2, // rad/s
  stop = 1.5, // s
} = {}) => {
  const plastic = { density: 2500, youngsModulus: 5e6, poissonRatio: 0.3, restitution: 0.5, friction: 0.5 };
  const wall = 3e-3; // m
  // Inside: from the middle of one end outwards, along the shell, back to the middle of the other end
  const inside = [
    [0, -length / 2],
    [radius, -length / 2],
    [radius, length / 2],
    [0, length / 2],
  ] as const;
  const shell = revolve([
    [0, -length / 2 - wall],
    [radius + wall, -length / 2 - wall],
    [radius + wall, length / 2],
    [radius, length / 2],
    [radius, -length / 2],
    [0, -length / 2],
  ]);
  return model({
    title: 'Rotating drum',
    bodies: {
      // The axis of the profile is z; the drum lies, with its axis along y
      drum: body({
        shape: rotate({ axis: [1, 0, 0], angle: -Math.PI / 2 }, shell),
        material: plastic,
        colour: [0.7, 0.75, 0.8, 0.3],
      }),
    },
    joints: { shaft: revolute({ body: 'drum', axis: [0, 1, 0], speed }) },
    grains: {
      species: { bead: { radius: { uniform: [2e-3, 2.4e-3] }, material: plastic } },
      packings: {
        fill: {
          species: 'bead',
          region: { cylinder: { radius: radius - 1e-3, height: length, from: [0, -length / 2, 0], axis: [0, 1, 0] } },
          count: beads,
          spacing: 1.02,
          jitter: 0.01,
        },
      },
      roundWalls: { drum: { profile: [...inside], axis: [0, 1, 0] } },
      step: 2e-5,
    },
    simulation: { stop, interval: 0.01 },
    plots: { torque: ['drum.grains.torque.y'], centre: ['grains.centre.x', 'grains.centre.z'] },
  });
};
