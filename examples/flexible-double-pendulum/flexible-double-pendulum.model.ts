// Two plastic strips, pinned to each other, released horizontally: they bend as they swing.
// npx tippetop run examples/flexible-double-pendulum --youngs-modulus 1e8 --damping 0.02
import { applied, body, extrude, model, revolute } from 'tippetop';

const [length, width, thickness] = [1, 0.05, 0.01]; // m

export default ({ youngsModulus = 1e9 /* Pa */, modes = 2, damping = 0 } = {}) => {
  const link = (x: number) =>
    body({
      shape: extrude(
        [
          [0, -width / 2],
          [length, -width / 2],
          [length, width / 2],
          [0, width / 2],
        ],
        thickness,
      ),
      material: { density: 2700, youngsModulus, poissonRatio: 0.3 },
      position: [x, 0, 0],
      frames: { tip: { position: [length, 0, 0] } },
      flexible: { grid: [20, 2], modes, damping, membrane: false },
    });
  return model({
    title: 'flexible double pendulum',
    gravity: [0, -9.81, 0],
    contacts: false,
    bodies: { upper: link(0), lower: link(length) },
    joints: {
      shoulder: revolute({ body: 'upper', axis: [0, 0, 1] }),
      elbow: revolute({ body: 'lower', to: 'upper', axis: [0, 0, 1], at: [length, 0, 0] }),
    },
    // nothing acts there, but it makes an interface of the end, whose motion is then exact
    forces: { tip: applied({ on: { body: 'lower', at: [2 * length, 0, 0] }, force: [0, 0, 0] }) },
    plots: {
      'Free end': ['lower.tip.position.x', 'lower.tip.position.y'],
      'Largest stress': ['upper.stress.largest', 'lower.stress.largest'],
    },
    simulation: { stop: 1, rtol: 1e-4 },
  });
};
