// Two springy fingers close on a round part, lift it and set it down: how far must they close to hold it?
// npx tippetop run examples/flexible-gripper --close 0.0004
import { body, disc, extrude, halfSpace, model, oak, planar, prismatic, steel } from 'tippetop';

export default ({
  close = 0.0015 /* m, by how much each finger goes on after it has touched the part */,
  length = 0.06 /* m, of a finger */,
  height = 0.003 /* m, its thickness where it bends */,
  radius = 0.015 /* m, of the part */,
  friction = 0.4,
  lift = 0.08 /* m */,
  modes = 4,
  step = 1e-3 /* s */,
} = {}) => {
  const width = 0.012; // m, of fingers and part across the picture
  const pom = { density: 1410, youngsModulus: 2.8e9, poissonRatio: 0.38, friction };
  const open = 0.006; // m, between finger and part at first
  const reach = 0.05; // m, from where a finger is clamped down to the middle of the part
  const smooth = (t: number): number => {
    const s = Math.min(1, Math.max(0, t));
    return s * s * (3 - 2 * s);
  };
  /** Closes in 0.3 s, rises from 0.4 s on, holds, goes down again from 1.2 s on, opens at 1.8 s */
  const closing = (t: number): number => (open + close) * (smooth(t / 0.3) - smooth((t - 1.8) / 0.3));
  const rising = (t: number): number => lift * (smooth((t - 0.4) / 0.6) - smooth((t - 1.2) / 0.55));
  const finger = (side: 1 | -1) => {
    const inner = side * (radius + open);
    const outer = inner + side * height;
    const [a, b] = [Math.min(inner, outer), Math.max(inner, outer)];
    return body({
      shape: extrude(
        [
          [a, radius + reach - length],
          [b, radius + reach - length],
          [b, radius + reach],
          [a, radius + reach],
        ],
        width,
      ),
      material: pom,
      flexible: { grid: [2, 40], modes, damping: 0.02 },
      colour: [0.93, 0.9, 0.82, 1],
    });
  };
  const jaw = (name: string, side: 1 | -1) =>
    prismatic({
      body: name,
      to: 'hand',
      axis: [-side, 0, 0],
      at: [side * (radius + open + height / 2), radius + reach, width / 2],
      position: closing,
    });
  return model({
    title: 'A gripper with springy fingers',
    gravity: [0, -9.81, 0],
    bodies: {
      table: body({
        shape: halfSpace({ extent: 0.12 }),
        material: oak,
        orientation: { axis: [1, 0, 0], angle: -Math.PI / 2 },
        fixed: true,
        colour: [0.8, 0.78, 0.72, 1],
      }),
      hand: body({
        shape: extrude(
          [
            [-0.04, radius + reach],
            [0.04, radius + reach],
            [0.04, radius + reach + 0.012],
            [-0.04, radius + reach + 0.012],
          ],
          width,
        ),
        material: steel,
        colour: [0.5, 0.55, 0.6, 1],
      }),
      left: finger(-1),
      right: finger(1),
      part: body({ shape: disc({ radius, height: width }), material: steel, position: [0, radius, width / 2] }),
    },
    joints: {
      arm: prismatic({ body: 'hand', axis: [0, 1, 0], position: rising }),
      jawLeft: jaw('left', -1),
      jawRight: jaw('right', 1),
      plane: planar({ body: 'part', normal: [0, 0, 1] }),
    },
    contacts: {
      defaults: { friction, restitution: 0 },
      exclude: [
        ['hand', 'left'],
        ['hand', 'right'],
        ['table', 'left'],
        ['table', 'right'],
        ['hand', 'part'],
      ],
    },
    plots: {
      'Height of the part': ['part.position.y'],
      'Force of a finger': ['contacts.left-part.force.x'],
      'Stress in a finger': ['left.stress.largest'],
    },
    simulation: { integrator: 'time-stepping', step, stop: 2.3, interval: 0.01 },
  });
};
