// A ball mill: steel balls in a drum with lifters that turns at a part of the speed at which they would stick to the shell. What the drive needs is what the
// balls lose in impacts.
// npx tippetop run examples/ball-mill --view
import { body, box, fixed, model, revolute, revolve, rotate, translate } from 'tippetop';

export default ({
  diameter = 0.3, // m, inside
  length = 0.06, // m
  ball = 0.014, // m, diameter
  filling = 0.3, // of the drum, by balls and the gaps between them
  lifters = 8,
  critical = 0.7, // of the speed at which a ball at the shell no longer falls, √(2g/(D − d))
  stop = 2, // s
} = {}) => {
  const steel = { density: 7800, youngsModulus: 1e8, poissonRatio: 0.3, restitution: 0.6, friction: 0.4 };
  const radius = diameter / 2;
  const speed = critical * Math.sqrt((2 * 9.81) / (diameter - ball));
  const count = Math.round((0.57 * filling * radius ** 2 * length) / ((4 / 3) * (ball / 2) ** 3));
  const wall = 5e-3; // m, as drawn
  const shell = revolve([
    [0, -length / 2 - wall],
    [radius + wall, -length / 2 - wall],
    [radius + wall, length / 2],
    [radius, length / 2],
    [radius, -length / 2],
    [0, -length / 2],
  ]);
  const bars = Array.from({ length: lifters }, (_, k) =>
    rotate(
      { axis: [0, 1, 0], angle: (2 * Math.PI * k) / lifters },
      translate([radius - 0.006, 0, 0], box([0.016, length, 0.012])),
    ),
  );
  return model({
    title: 'Ball mill',
    bodies: {
      mill: body({
        shape: rotate({ axis: [1, 0, 0], angle: -Math.PI / 2 }, shell),
        material: steel,
        colour: [0.7, 0.75, 0.8, 0.3],
      }),
      lifters: body({ shape: bars, material: steel, colour: [0.45, 0.5, 0.58, 1] }),
    },
    joints: {
      shaft: revolute({ body: 'mill', axis: [0, 1, 0], speed }),
      bolts: fixed({ body: 'lifters', to: 'mill' }),
    },
    contacts: false,
    grains: {
      species: { ball: { radius: ball / 2, material: steel, colour: [0.6, 0.64, 0.7, 1] } },
      packings: {
        charge: {
          species: 'ball',
          region: {
            cylinder: { radius: radius - 0.016, height: length, from: [0, -length / 2, 0], axis: [0, 1, 0] },
          },
          count,
          arrangement: 'poured',
        },
      },
      roundWalls: {
        mill: {
          profile: [
            [0, -length / 2],
            [radius, -length / 2],
            [radius, length / 2],
            [0, length / 2],
          ],
          axis: [0, 1, 0],
        },
      },
      step: 3e-5, // s
    },
    simulation: { stop, interval: 0.01 },
    plots: { power: ['mill.grains.power', 'lifters.grains.power'], centre: ['grains.centre.x', 'grains.centre.z'] },
  });
};
