// Two uniform bars, one hanging on the other: the simplest mechanism that is chaotic.
// npx tippetop run examples/double-pendulum --upper-angle 179 --stop 30
import { body, box, model, revolute } from 'tippetop';

export default ({
  upperLength = 1 /* m */,
  lowerLength = 1 /* m */,
  upperMass = 1 /* kg */,
  lowerMass = 1 /* kg */,
  upperAngle = 120 /* degrees from hanging down */,
  lowerAngle = 90 /* degrees from hanging down */,
  gravity = 9.81 /* m/s² */,
} = {}) => {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  // A slender bar: its inertia m l²/12 is that of a line, whatever it is drawn as.
  const bar = (length: number, mass: number) => ({
    shape: box([0.05, 0.02, length]),
    mass,
    inertia: [(mass * length * length) / 12, (mass * length * length) / 12, 0] as const,
    frames: { tip: { position: [0, 0, -length / 2] as const } },
  });
  return model({
    title: 'Double pendulum',
    contacts: false, // drawn to be seen: parts pass beside each other in one plane
    gravity: [0, 0, -gravity],
    bodies: {
      upper: body({ ...bar(upperLength, upperMass), position: [0, 0, -upperLength / 2], colour: [0.2, 0.45, 0.7, 1] }),
      lower: body({
        ...bar(lowerLength, lowerMass),
        position: [0, 0.025, -upperLength - lowerLength / 2], // in front of the upper bar
        colour: [0.85, 0.45, 0.15, 1],
      }),
    },
    joints: {
      // Angles about −y: positive swings towards +x.
      shoulder: revolute({ body: 'upper', axis: [0, -1, 0], at: [0, 0, 0], initialAngle: radians(upperAngle) }),
      elbow: revolute({
        body: 'lower',
        to: 'upper',
        axis: [0, -1, 0],
        at: [0, 0, -upperLength],
        initialAngle: radians(lowerAngle - upperAngle),
      }),
    },
    simulation: { stop: 10, interval: 0.01 },
    plots: {
      'path of the tip': ['lower.tip.position.x', 'lower.tip.position.z'],
      angles: ['shoulder.angle', 'elbow.angle'],
      energy: ['energy.kinetic', 'energy.potential', 'energy.total'],
    },
  });
};
