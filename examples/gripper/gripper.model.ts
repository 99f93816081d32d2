// Two fingers close on a block, lift it and shake it. Friction that remembers where the bodies stood lets nothing slip.
// npx tippetop run examples/gripper --shake 4
import { body, box, halfSpace, model, oak, prismatic, rubber, sin } from 'tippetop';

export default ({
  grip = 20 /* N, of each finger */,
  lift = 0.2 /* m */,
  shake = 2 /* m/s², along the fingers' faces */,
  friction = 0.6,
  step = 1e-3 /* s */,
} = {}) => {
  const finger = (x: number) =>
    body({ shape: box([0.02, 0.05, 0.08]), material: rubber, position: [x, 0, 0.04], colour: [0.25, 0.3, 0.35, 1] });
  const frequency = 10; // rad/s
  /** Rests for 0.2 s, rises within 1 s, then shakes */
  const height = (t: number): number => {
    const s = Math.min(1, Math.max(0, t - 0.2));
    const shaken = t > 1.2 ? (shake / frequency ** 2) * sin(frequency * (t - 1.2)) * Math.min(1, t - 1.2) ** 2 : 0;
    return lift * s * s * (3 - 2 * s) + shaken;
  };
  return model({
    title: 'A gripper',
    bodies: {
      floor: body({ shape: halfSpace({ extent: 0.4 }), material: oak, fixed: true, colour: [0.8, 0.78, 0.72, 1] }),
      hand: body({
        shape: box([0.16, 0.04, 0.02]),
        material: oak,
        position: [0, 0, 0.12],
        colour: [0.55, 0.6, 0.65, 1],
      }),
      left: finger(-0.0351),
      right: finger(0.0351),
      block: body({
        shape: box([0.05, 0.05, 0.05]),
        material: oak,
        position: [0, 0, 0.025],
        colour: [0.82, 0.53, 0.27, 1],
      }),
    },
    joints: {
      arm: prismatic({ body: 'hand', axis: [0, 0, 1], position: height }),
      closeLeft: prismatic({ body: 'left', to: 'hand', axis: [1, 0, 0], force: () => grip }),
      closeRight: prismatic({ body: 'right', to: 'hand', axis: [-1, 0, 0], force: () => grip }),
    },
    contacts: {
      defaults: { friction, restitution: 0 },
      exclude: [
        ['hand', 'left'],
        ['hand', 'right'],
        ['floor', 'left'],
        ['floor', 'right'],
      ],
    },
    simulation: { integrator: 'time-stepping', step, stop: 4, interval: 0.01 },
    plots: { heights: ['block.position.z', 'left.position.z'], forces: 'left.contact.force.*' },
  });
};
