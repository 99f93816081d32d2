// n equal masses on a rail between two walls, equal springs between them. Its normal modes are sines.
// npx tippetop run examples/spring-mass-chain --n 50 --mode 3
import { body, box, model, prismatic, sin, spring, steel } from 'tippetop';

export default ({
  n = 10 /* masses */,
  mass = 1 /* kg, of each */,
  stiffness = 100 /* N/m, of each spring */,
  spacing = 0.2 /* m */,
  amplitude = 0.05 /* m */,
  mode = 0 /* 1 to n starts in that normal mode; 0 pulls the first mass alone */,
} = {}) => {
  const masses = Array.from({ length: n }, (_, i) => i + 1);
  const place = (j: number) => [j * spacing, 0, 0] as const;
  const start = (j: number) => (mode > 0 ? amplitude * sin((j * mode * Math.PI) / (n + 1)) : j === 1 ? amplitude : 0);
  return model({
    title: `Chain of ${n} masses`,
    contacts: false, // drawn to be seen: parts pass beside each other in one plane
    gravity: 'none',
    bodies: {
      mass: masses.map((j) =>
        body({ shape: box(spacing / 4), material: steel, mass, position: place(j), colour: [0.2, 0.45, 0.7, 1] }),
      ),
    },
    joints: {
      rail: masses.map((j) => prismatic({ body: `mass[${j - 1}]`, axis: [1, 0, 0], initialPosition: start(j) })),
    },
    forces: {
      // The walls are at 0 and (n + 1) spacing; springs are relaxed as drawn.
      spring: [0, ...masses].map((j) =>
        spring({
          from: j === 0 ? place(0) : `mass[${j - 1}]`,
          to: j === n ? place(n + 1) : `mass[${j}]`,
          stiffness,
        }),
      ),
    },
    simulation: { stop: 10, interval: 0.02 },
    plots: {
      displacements: 'rail[*].position',
      'spring forces': 'spring[*].force',
      energy: ['energy.kinetic', 'energy.elastic', 'energy.total'],
    },
  });
};
