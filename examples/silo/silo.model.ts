// A silo full of beads: friction at its wall carries most of their weight, and the pressure on the floor does not grow with the height of the fill but
// tends to a limit, σ = ρ g D/(4 µ K) (1 − exp(−4 µ K z/D)): Janssen (1895).
// npx tippetop run examples/silo --view
import { body, cylinder, model, prismatic, revolve, translate } from 'tippetop';

const wall = 4e-3; // m, thickness as drawn; grains touch an exact cylinder

export default ({
  diameter = 0.05, // m, of the silo
  fill = 0.15, // m, height of the fill, about
  bead = 5e-3, // m, diameter
  friction = 0.3, // of the wall
  stop = 0.3, // s
} = {}) => {
  const radius = diameter / 2;
  const glass = { density: 2500, youngsModulus: 2e7, poissonRatio: 0.3, restitution: 0.3, friction: 0.5 };
  const height = 1.25 * fill;
  const count = Math.round((0.57 * radius ** 2 * fill) / ((4 / 3) * (bead / 2) ** 3));
  // Discs of the column at four depths, from the floor up
  const slice = (k: number) => ({ cylinder: { radius, height: fill / 8, from: [0, 0, (fill * k) / 8] as const } });
  return model({
    title: 'Janssen silo',
    bodies: {
      // An exact cylinder for grains, without a floor
      silo: body({
        shape: revolve([
          [radius, 0],
          [radius + wall, 0],
          [radius + wall, height],
          [radius, height],
        ]),
        material: glass,
        fixed: true,
        colour: [0.7, 0.75, 0.8, 0.25],
      }),
      // The floor goes down, so that friction at the wall is all mobilised, as the theory has it
      floor: body({
        shape: translate([0, 0, -wall / 2], cylinder({ radius: 0.999 * radius, height: wall })),
        material: glass,
      }),
    },
    joints: { lift: prismatic({ body: 'floor', axis: [0, 0, -1], speed: 0.03 }) },
    grains: {
      species: { bead: { radius: { uniform: [0.45 * bead, 0.55 * bead] }, material: glass } },
      packings: {
        fill: { species: 'bead', region: { cylinder: { radius, height } }, arrangement: 'poured', count },
      },
      roundWalls: {
        silo: {
          profile: [
            [radius, -0.1],
            [radius, height],
          ],
        },
      },
      pairs: [{ between: ['bead', 'silo'], friction }],
      probes: {
        low: { region: slice(1) },
        middle: { region: slice(3) },
        high: { region: slice(5) },
        side: { wall: 'silo', region: slice(1), area: (2 * Math.PI * radius * fill) / 8 },
        field: {
          grid: {
            box: [
              [-radius, -bead, 0],
              [radius, bead, fill],
            ],
            cells: [8, 1, 24],
          },
        },
      },
      contacts: true,
      step: 2.5e-5, // s
      every: 5,
    },
    simulation: { stop, interval: 0.01 },
    plots: {
      'weight on floor and wall': ['floor.grains.force.z', 'silo.grains.force.z'],
      'vertical stress': ['low.stress.zz', 'middle.stress.zz', 'high.stress.zz'],
    },
  });
};
