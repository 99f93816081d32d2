// A tube full of beads is lifted off the floor; they run out below and come to lie in a heap whose slope tells of friction and rolling.
// npx tippetop run examples/angle-of-repose --view
import { body, box, model, prismatic, revolve } from 'tippetop';

export default ({
  beads = 2500,
  diameter = 5e-3, // m, of a bead
  tube = 0.07, // m, inner diameter
  friction = 0.6,
  rollingFriction = 0.3,
  lift = 0.04, // m/s
  stop = 2.2, // s
} = {}) => {
  const plastic = { density: 2500, youngsModulus: 5e6, poissonRatio: 0.3, restitution: 0.3, friction };
  const radius = tube / 2;
  const height = (1.5 * ((4 / 3) * beads * (diameter / 2) ** 3)) / (0.55 * radius ** 2);
  const wall = 2e-3; // m, as drawn
  const inside = [
    [radius, 0],
    [radius, height],
  ] as const;
  return model({
    title: 'Angle of repose',
    bodies: {
      floor: body({
        shape: box([0.4, 0.4, 0.01]),
        position: [0, 0, -0.005],
        material: plastic,
        fixed: true,
        colour: [0.62, 0.66, 0.7, 1],
      }),
      tube: body({
        shape: revolve([...inside, [radius + wall, height], [radius + wall, 0]]),
        material: plastic,
        colour: [0.7, 0.75, 0.8, 0.25],
      }),
    },
    joints: { hoist: prismatic({ body: 'tube', axis: [0, 0, 1], speed: lift }) },
    contacts: false,
    grains: {
      species: { bead: { radius: diameter / 2, material: plastic, rollingFriction } },
      packings: {
        fill: { species: 'bead', region: { cylinder: { radius, height } }, arrangement: 'poured', count: beads },
      },
      roundWalls: { tube: { profile: [...inside] } },
      step: 6e-5, // s
      every: 4,
    },
    simulation: { stop, interval: 0.01 },
    plots: { 'height of the centre': 'grains.centre.z', 'energy of motion': 'grains.kinetic' },
  });
};
