// A rover of three modules on six rimless wheels goes over an obstacle course: Buse et al. (2023), §5.2 and Fig. 12.
// npx tippetop run examples/scout-rover --backbone 4
// 57 contact shapes on the rover, 38 cuboids on the course, as in the paper; dimensions of both are not public and ours (README).
import {
  applied,
  asin,
  body,
  box,
  bushing,
  cos,
  cylinder,
  model,
  type PointMotion,
  random,
  revolute,
  rotate,
  rubber,
  sin,
  spherical,
  tan,
  translate,
  type Vec3,
} from 'tippetop';

/** 38 cuboids: floor 1, stairs 6, platform 1, ramp 1, side slope 1, gap 2, beams 6, pallet 8, blocks 10, curbs 2 */
function course() {
  const wide = 3;
  const draw = random(7);
  const cuboids: { size: Vec3; at: Vec3; axis?: Vec3; angle?: number }[] = [];
  const upTo = (x: number, length: number, height: number, y = 0, width = wide): void => {
    cuboids.push({ size: [length, width, height], at: [x + length / 2, y, height / 2] });
  };
  cuboids.push({ size: [22, 6, 0.2], at: [9.2, 0, -0.1] });
  for (let k = 1; k <= 6; k++) upTo(1.2 + 0.25 * (k - 1), 0.25, 0.1 * k);
  upTo(2.7, 1, 0.6);
  // down from 0.6 m at 20°
  const steep = (20 * Math.PI) / 180;
  const [run, thick] = [0.6 / tan(steep), 0.1];
  cuboids.push({
    size: [run / cos(steep), wide, thick],
    at: [3.7 + run / 2 - (thick / 2) * sin(steep), 0, 0.3 - (thick / 2) * cos(steep)],
    axis: [0, 1, 0],
    angle: steep,
  });
  // a side slope of 15°, up to the left from the floor
  const side = (15 * Math.PI) / 180;
  cuboids.push({
    size: [1, 0.8, 0.1],
    at: [6.4, 0.3, 0.4 * sin(side) - 0.05 * cos(side)],
    axis: [1, 0, 0],
    angle: side,
  });
  upTo(7.3, 0.4, 0.1);
  upTo(8.1, 0.4, 0.1);
  for (let k = 0; k < 6; k++) upTo(8.8 + 0.2 * k, 0.05, 0.05);
  for (let k = 0; k < 8; k++) upTo(10.2 + 0.16 * k, 0.1, 0.03);
  // Lower than the 0.13 m under its modules: a higher block between its wheels stops it
  for (let k = 0; k < 10; k++) {
    const [length, width] = [draw.uniformBetween(0.1, 0.3), draw.uniformBetween(0.1, 0.3)];
    upTo(12 + 0.22 * k, length, draw.uniformBetween(0.05, 0.12), draw.uniformBetween(-0.6, 0.6), width);
  }
  // Farther apart than the rover is long: with its last wheels on a curb it cannot climb the next
  upTo(15.2, 0.4, 0.15);
  upTo(16.8, 0.4, 0.2);
  return cuboids;
}

export default ({
  speed = 3 /* rad/s of the wheels */,
  backbone = 1 /* stiffness of the backbone, 1 nominal */,
  torque = 12 /* N m, most of a drive */,
  start = 0 /* m along the course */,
  step = 1e-3 /* s */,
} = {}) => {
  const [pitch, track, reach, foot] = [0.34, 0.42, 0.17, 0.02];
  const height = reach + foot;
  // A spoke from hub to foot: two cuboids of 10 cm at ± 32° to the radius stand for its arc
  const bend = Math.PI / 2 - asin((0.5 * reach) / 0.1);
  const limb = (from: number, angle: number) => {
    const middle: Vec3 = [0.05 * sin(bend), 0, -from];
    return translate(middle, rotate({ axis: [0, 1, 0], angle }, box([0.012, 0.03, 0.1])));
  };
  const spoke = [
    limb(0.25 * reach, -bend),
    limb(0.75 * reach, bend),
    translate(
      [0, 0, -reach],
      rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius: foot, height: 0.05, segments: 24 })),
    ),
  ];
  // The pilot keeps to the middle of the course: wheels of the side it drifts to turn faster. It looks at the first module, and the drives ask it.
  const pilot = { steer: 0 };
  const look = (_t: number, { position, orientation: [w, x, y, z] }: PointMotion): Vec3 => {
    const heading = 2 * (x * y + w * z); // sine of it
    pilot.steer = Math.max(-0.6, Math.min(0.6, 1.2 * heading + 0.8 * position[1]));
    return [0, 0, 0];
  };
  const modules = [0, 1, 2].map((m) => [start + (1 - m) * pitch, 0, height] as Vec3);
  // Two tripods, half a spoke apart
  const wheels = modules.flatMap(([x], m) =>
    [1, -1].map((y) => ({
      m,
      y,
      at: [x, (y * track) / 2, height] as Vec3,
      phase: y > 0 === (m % 2 === 0) ? 0 : Math.PI / 3,
    })),
  );
  const spokes = wheels.flatMap((wheel, w) =>
    [0, 1, 2].map((k) => ({ ...wheel, w, angle: wheel.phase + (2 * Math.PI * k) / 3 })),
  );
  // Everything touches the course, and spokes the bodies of the next modules. Spokes are not tried against spokes: neighbours reach 4 cm into each
  // other's circle, as blades of a mixer do
  const next = (m: number): number[] => [m - 1, m + 1].filter((n) => n >= 0 && n <= 2);
  const ofModule = (m: number) => ({ group: `module ${m}`, touches: ['course', ...next(m).map((n) => `spokes ${n}`)] });
  const ofSpoke = (m: number) => ({ group: `spokes ${m}`, touches: ['course', ...next(m).map((n) => `module ${n}`)] });
  return model({
    title: 'Scout on its course',
    bodies: {
      course: course().map(({ size, at, axis = [0, 0, 1], angle = 0 }) =>
        body({
          shape: box(size),
          material: rubber,
          fixed: true,
          position: at,
          orientation: { axis, angle },
          contact: { group: 'course', touches: [0, 1, 2].flatMap((m) => [`module ${m}`, `spokes ${m}`]) },
          colour: [0.78, 0.75, 0.68, 1],
        }),
      ),
      module: modules.map((position, m) =>
        body({
          shape: box([0.22, 0.2, 0.12]),
          material: rubber,
          mass: 4.5,
          inertia: [0.0204, 0.0235, 0.0332],
          position,
          contact: ofModule(m),
          colour: [0.2, 0.42, 0.62, 1],
        }),
      ),
      hub: wheels.map(({ at }) => body({ mass: 0.3, inertia: [3e-4, 4e-4, 3e-4], position: at })),
      spoke: spokes.map(({ at, angle, m }) =>
        body({
          shape: spoke,
          material: rubber,
          mass: 0.15,
          inertia: [5e-4, 5e-4, 1e-4],
          position: at,
          orientation: { axis: [0, 1, 0], angle },
          contact: ofSpoke(m),
          colour: [0.85, 0.5, 0.2, 1],
        }),
      ),
    },
    joints: {
      back: [1, 2].map((m) =>
        spherical({ body: `module[${m}]`, to: `module[${m - 1}]`, at: [modules[m][0] + pitch / 2, 0, height] }),
      ),
      drive: wheels.map(({ m, y, at }, w) =>
        revolute({
          body: `hub[${w}]`,
          to: `module[${m}]`,
          at,
          axis: [0, 1, 0],
          motor: { targetSpeed: (t: number) => speed * Math.min(1, t) * (1 + y * pilot.steer), kd: 8, limit: torque },
        }),
      ),
      flex: spokes.map(({ w, at }, s) =>
        revolute({
          body: `spoke[${s}]`,
          to: `hub[${w}]`,
          at,
          axis: [0, 1, 0],
          spring: { stiffness: 25 },
          damping: 0.15,
        }),
      ),
    },
    forces: {
      pilot: applied({ on: 'module[0]', force: look }),
      // roll, pitch, yaw
      backbone: [1, 2].map((m) =>
        bushing({
          from: { body: `module[${m - 1}]`, at: [modules[m][0] + pitch / 2, 0, height] },
          to: { body: `module[${m}]`, at: [modules[m][0] + pitch / 2, 0, height] },
          stiffness: [0, 0, 0, 30 * backbone, 40 * backbone, 25 * backbone],
          damping: [0, 0, 0, 0.8, 0.8, 0.8],
        }),
      ),
    },
    contacts: { defaults: { friction: 0.8, restitution: 0 } },
    simulation: { integrator: 'time-stepping', step, stop: 57, interval: 0.1 },
    plots: { way: 'module[*].position.x', height: 'module[*].position.z' },
  });
};
