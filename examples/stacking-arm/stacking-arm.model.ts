// A machine with motors takes blocks from the table and stacks them: arm, fingers, blocks and table are one convex problem in every step.
// npx tippetop run examples/stacking-arm --blocks 3
import { aluminium, body, box, cos, cylinder, halfSpace, model, oak, prismatic, revolute, rubber, sin } from 'tippetop';

const side = 0.04; // m, of a block
const reach = 0.3; // m, from the column to the hand

export default ({ blocks = 3, grip = 15 /* N, of each finger */, step = 2e-3 /* s */ } = {}) => {
  const cycle = 3; // s, per block
  const rad = (i: number): number => -0.7 - 0.3 * i; // where block i lies, rad about the column
  const up = 0.24; // m, of the hand above the table while it turns
  // times of a cycle and what the arm is to do until then: yaw (0: over the stack), height of the hand's middle, 1: closed
  const plan = Array.from({ length: blocks }, (_, i) => {
    const stacked = (i + 0.5) * side + 2e-4;
    return [
      [0.5, rad(i), up, 0],
      [0.9, rad(i), side / 2, 0],
      [1.1, rad(i), side / 2, 1],
      [1.5, rad(i), up, 1],
      [2.1, 0, up, 1],
      [2.6, 0, stacked, 1],
      [2.75, 0, stacked, 0],
      [3, 0, up, 0],
    ].map(([t, yaw, z, closed]) => ({ t: cycle * i + t, yaw, z, closed }));
  }).flat();
  const start = { t: 0, yaw: rad(0), z: up, closed: 0 };
  /** From one place to the next and rest there: 10 s³ − 15 s⁴ + 6 s⁵ */
  const at = (t: number, what: 'yaw' | 'z'): number => {
    const next = plan.findIndex((leg) => t < leg.t);
    if (next < 0) return plan[plan.length - 1][what];
    const [a, b] = [next === 0 ? start : plan[next - 1], plan[next]];
    const s = (t - a.t) / (b.t - a.t);
    return a[what] + (b[what] - a[what]) * s * s * s * (10 + s * (6 * s - 15));
  };
  const closed = (t: number): number => plan.find((leg) => t < leg.t)?.closed ?? 0;
  const finger = (y: number) =>
    body({
      shape: box([0.03, 0.01, 0.05]),
      material: rubber,
      position: [reach, y, up],
      colour: [0.25, 0.3, 0.35, 1],
    });
  return model({
    title: 'An arm that stacks blocks',
    bodies: {
      table: body({ shape: halfSpace({ extent: 0.5 }), material: oak, fixed: true, colour: [0.8, 0.78, 0.72, 1] }),
      column: body({
        shape: cylinder({ radius: 0.03, height: up + 0.1 }),
        material: aluminium,
        position: [0, 0, (up + 0.1) / 2],
        fixed: true,
        colour: [0.45, 0.5, 0.55, 1],
      }),
      arm: body({
        shape: box([reach, 0.04, 0.04]),
        material: aluminium,
        position: [reach / 2, 0, up + 0.12],
        colour: [0.6, 0.65, 0.7, 1],
      }),
      hand: body({
        shape: box([0.04, 0.14, 0.02]),
        material: aluminium,
        position: [reach, 0, up + 0.04],
        colour: [0.5, 0.55, 0.6, 1],
      }),
      left: finger(side / 2 + 0.015),
      right: finger(-side / 2 - 0.015),
      block: Array.from({ length: blocks }, (_, i) =>
        body({
          shape: box([side, side, side]),
          material: oak,
          position: [reach * cos(rad(i)), reach * sin(rad(i)), side / 2],
          orientation: [cos(rad(i) / 2), 0, 0, sin(rad(i) / 2)],
          colour: [0.9 - 0.15 * i, 0.5, 0.25 + 0.15 * i, 1],
        }),
      ),
    },
    joints: {
      yaw: revolute({
        body: 'arm',
        axis: [0, 0, 1],
        at: [0, 0, up + 0.12],
        motor: { target: (t) => at(t, 'yaw'), kp: 4000, kd: 80, limit: 200 },
      }),
      lift: prismatic({
        body: 'hand',
        to: 'arm',
        axis: [0, 0, 1],
        motor: { target: (t) => at(t, 'z') - up, kp: 3e4, kd: 600, limit: 500 },
      }),
      closeLeft: prismatic({
        body: 'left',
        to: 'hand',
        axis: [0, -1, 0],
        motor: { target: (t) => (closed(t) > 0 ? 0.02 : 0), kp: 2000, kd: 20, limit: grip },
      }),
      closeRight: prismatic({
        body: 'right',
        to: 'hand',
        axis: [0, 1, 0],
        motor: { target: (t) => (closed(t) > 0 ? 0.02 : 0), kp: 2000, kd: 20, limit: grip },
      }),
    },
    contacts: {
      defaults: { friction: 0.6, restitution: 0 },
      exclude: [
        ['column', 'arm'],
        ['arm', 'hand'],
        ['hand', 'left'],
        ['hand', 'right'],
        ['arm', 'left'],
        ['arm', 'right'],
      ],
    },
    simulation: { integrator: 'time-stepping', step, stop: cycle * blocks + 0.5, interval: 0.02 },
    plots: { blocks: 'block*.position.z', hand: ['hand.position.z', 'yaw.angle'] },
  });
};
