// Beads run out of a flat-bottomed silo through a round hole. The flow does not depend on the height of the fill, unlike that of water, and follows
// Beverloo's law (1961): W = C ρ_b √g (D − k d)^(5/2).
// npx tippetop run examples/hopper/hopper.model.ts --orifice 0.04 --view
import { body, model, revolve } from 'tippetop';

const wall = 4e-3; // m, thickness as drawn; grains touch an exact cylinder

export default ({
  orifice = 0.04, // m, diameter of the hole
  diameter = 0.1, // m, of the silo
  beads = 4000,
  stop = 1.2, // s
} = {}) => {
  const radius = diameter / 2;
  const hole = orifice / 2;
  const height = 0.26; // m
  const glass = { density: 2500, youngsModulus: 1e7, poissonRatio: 0.3, restitution: 0.5, friction: 0.5 };
  // From the rim of the hole along the floor, up the wall: grains are on the left
  const inside = [
    [hole, -wall],
    [hole, 0],
    [radius, 0],
    [radius, height],
  ] as const;
  return model({
    title: 'Silo running out',
    bodies: {
      silo: body({
        shape: revolve([...inside, [radius + wall, height], [radius + wall, -wall]]),
        material: glass,
        fixed: true,
        colour: [0.7, 0.75, 0.8, 0.25],
      }),
    },
    grains: {
      species: { bead: { radius: { uniform: [2.25e-3, 2.75e-3] }, material: glass } },
      packings: {
        fill: {
          species: 'bead',
          region: { cylinder: { radius: radius - 1e-4, height: height - 1e-3, from: [0, 0, 1e-3] } },
          count: beads,
        },
      },
      roundWalls: { silo: { profile: [...inside] } },
      step: 2e-5, // s: impacts are slow in a flow this dense; the run reports how far this is from critical
      outlets: { drain: { region: { behind: { through: [0, 0, -0.15], normal: [0, 0, 1] } } } },
    },
    simulation: { stop, interval: 0.01 },
    plots: { 'mass that has left': 'drain.mass', grains: ['grains.count'], 'force on the silo': 'silo.grains.force.z' },
  });
};
