// A robot arm whose forearm bends: both axes follow smooth paths exactly, the load swings after them.
// npx tippetop run examples/flexible-arm --time 1
import { aluminium, body, box, cos, extrude, fixed, model, revolute, sin, steel, translate } from 'tippetop';

export default ({
  upper = 0.5 /* m */,
  fore = 0.8 /* m */,
  height = 0.02 /* m, of the forearm */,
  thickness = 0.03 /* m */,
  payload = 1.5 /* kg */,
  time = 0.6 /* s, of the move */,
  shoulderTurn = 0.9 /* rad */,
  elbowTurn = -1.4 /* rad */,
  damping = 0.01,
  modes = 4,
} = {}) => {
  const wait = 0.1; // s, at rest before it
  // Rest to rest: a cycloid
  const move = (angle: number) => (t: number) => {
    const s = Math.min(1, Math.max(0, (t - wait) / time));
    return angle * (s - sin(2 * Math.PI * s) / (2 * Math.PI));
  };
  const up: [number, number, number] = [0, 0, 1];
  const [x, y] = [upper * cos(1.2), upper * sin(1.2)]; // of the elbow as drawn, the forearm level
  return model({
    title: 'robot arm with a flexible link',
    gravity: [0, -9.81, 0],
    contacts: false,
    bodies: {
      upperArm: body({
        shape: translate([upper / 2, 0, -0.03], box([upper + 0.08, 0.07, 0.04])),
        material: steel,
        orientation: { axis: up, angle: 1.2 },
        colour: [0.55, 0.6, 0.65, 1],
      }),
      forearm: body({
        shape: extrude(
          [
            [0, -height / 2],
            [fore, -height / 2],
            [fore, height / 2],
            [0, height / 2],
          ],
          thickness,
        ),
        material: aluminium,
        position: [x, y, 0],
        frames: { tip: { position: [fore, 0, 0] } },
        flexible: {
          grid: [80, 4],
          modes,
          damping,
          stress: 'mode acceleration',
          gauges: { root: { at: [0.1 * fore, height / 2] } },
        },
      }),
      load: body({
        shape: box([0.04, 0.06, 0.06]),
        mass: payload,
        inertia: [1e-3, 1e-3, 1e-3],
        position: [x + fore, y, thickness / 2],
        colour: [0.75, 0.62, 0.4, 1],
      }),
    },
    joints: {
      shoulder: revolute({ body: 'upperArm', axis: up, angle: move(shoulderTurn) }),
      elbow: revolute({ body: 'forearm', to: 'upperArm', axis: up, at: [x, y, 0], angle: move(elbowTurn) }),
      gripper: fixed({ body: 'load', to: 'forearm', at: [x + fore, y, 0] }),
    },
    plots: {
      Load: ['load.position.x', 'load.position.y'],
      'Stress near the elbow': ['forearm.stress.root.mises'],
      'Bending of the forearm': ['forearm.deformation.2'],
    },
    simulation: { start: 'equilibrium', stop: 2, interval: 0.005, rtol: 1e-5 },
  });
};
