// One large ball at the bottom of a box of small ones that is shaken up and down: it rises to the top, though it is as dense as they are. Small ones fall into
// the gap below it whenever the heap is thrown up; it has no gap to fall into. Rosato, Strandburg, Prinz & Swendsen (1987).
// npx tippetop run examples/brazil-nut --view
import { body, box, model, prismatic, subtract, translate } from 'tippetop';

export default ({
  beads = 400,
  diameter = 6e-3, // m, of a small one
  ratio = 3, // of the large one to that
  frequency = 12, // Hz
  acceleration = 3.5, // greatest of the box, in g
  stop = 3, // s
} = {}) => {
  const plastic = { density: 1200, youngsModulus: 2e7, poissonRatio: 0.3, restitution: 0.5, friction: 0.4 };
  const side = 0.05; // m, inside
  const height = 0.12; // m
  const wall = 4e-3; // m
  const large = (ratio * diameter) / 2;
  const omega = 2 * Math.PI * frequency;
  const amplitude = (acceleration * 9.81) / omega ** 2;
  return model({
    title: 'Brazil nut',
    bodies: {
      tray: body({
        shape: translate(
          [0, 0, height / 2 - wall / 2],
          subtract(
            box([side + 2 * wall, side + 2 * wall, height + wall]),
            translate([0, 0, wall / 2], box([side, side, height])),
          ),
        ),
        material: plastic,
        colour: [0.7, 0.75, 0.8, 0.25],
      }),
    },
    joints: {
      // At rest at the start: 1 − cos has no speed there
      shaker: prismatic({
        body: 'tray',
        axis: [0, 0, 1],
        position: (t: number) => [
          amplitude * (1 - Math.cos(omega * t)),
          amplitude * omega * Math.sin(omega * t),
          amplitude * omega ** 2 * Math.cos(omega * t),
        ],
      }),
    },
    grains: {
      species: {
        bead: { radius: { uniform: [0.45 * diameter, 0.55 * diameter] }, material: plastic },
        nut: { radius: large, material: plastic, colour: [0.72, 0.38, 0.3, 1] },
      },
      packings: {
        large: { species: 'nut', arrangement: 'given', at: [[0, 0, large]] },
        small: {
          species: 'bead',
          region: {
            box: [
              [-side / 2, -side / 2, 0],
              [side / 2, side / 2, 0.9 * height],
            ],
          },
          arrangement: 'poured',
          count: beads,
        },
      },
      step: 2.5e-5, // s
    },
    simulation: { stop, interval: 0.02 },
    plots: { height: ['large.centre.z', 'small.centre.z'] },
  });
};
