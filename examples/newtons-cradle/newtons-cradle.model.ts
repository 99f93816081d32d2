// Newton's cradle: steel balls in a row, each on a V of two wires. And the same balls free in a row, struck once.
// npx tippetop run examples/newtons-cradle --lifted 2
import { atan2, body, box, cylinder, model, revolute, rotate, sphere, steel, translate } from 'tippetop';

const grey = [0.75, 0.77, 0.8, 1] as const;
const dark = [0.25, 0.25, 0.28, 1] as const;

export default ({
  balls = 5,
  lifted = 1 /* balls drawn aside */,
  angle = 30 /* degrees by which they are drawn aside */,
  radius = 0.015 /* m, of a ball */,
  length = 0.15 /* m from the bars down to the centre of a ball */,
  gap = 0 /* m between balls at rest */,
  restitution = 1 /* of two balls */,
  gravity = 9.81 /* m/s² */,
} = {}) => {
  const pitch = 2 * radius + gap;
  const width = (balls - 1) * pitch;
  const spread = 0.5 * length; // of a bar from the middle
  const wireLength = Math.sqrt(length * length + spread * spread);
  const wires = [-1, 1].map((side) =>
    translate(
      [0, (side * spread) / 2, length / 2],
      rotate(
        { axis: [1, 0, 0], angle: -side * atan2(spread, length) },
        cylinder({ radius: 0.03 * radius, height: wireLength, segments: 8 }),
      ),
    ),
  );
  const bar = rotate(
    { axis: [0, 1, 0], angle: Math.PI / 2 },
    cylinder({ radius: 0.2 * radius, height: width + 6 * radius }),
  );
  const mass = steel.density * (4 / 3) * Math.PI * radius * radius * radius;
  const inertia = 0.4 * mass * radius * radius;
  const across = (i: number): number => i * pitch - width / 2;
  return model({
    title: "Newton's cradle",
    gravity: [0, 0, -gravity],
    bodies: {
      ball: Array.from({ length: balls }, (_, i) =>
        body({
          // The wires weigh nothing, and only the balls touch.
          shape: [sphere(radius), ...wires],
          contact: { surfaces: [{ kind: 'sphere', radius }] },
          material: steel,
          mass,
          centreOfMass: [0, 0, 0],
          inertia: [inertia, inertia, inertia],
          position: [across(i), 0, -length],
          colour: grey,
        }),
      ),
      frame: body({
        shape: [
          translate([0, -spread, 0], bar),
          translate([0, spread, 0], bar),
          translate([0, 0, -length - 3 * radius], box([width + 6 * radius, 2 * spread + 2 * radius, radius])),
        ],
        fixed: true,
        contact: false,
        colour: dark,
      }),
    },
    joints: {
      // A turn about +y draws a ball to −x.
      wires: Array.from({ length: balls }, (_, i) =>
        revolute({
          body: `ball[${i}]`,
          axis: [0, 1, 0],
          at: [across(i), 0, 0],
          initialAngle: i < lifted ? (angle * Math.PI) / 180 : 0,
        }),
      ),
    },
    contacts: { defaults: { restitution, friction: 0 } },
    simulation: { stop: 5, interval: 0.005, rtol: 1e-9 },
    plots: {
      angles: 'wires*.angle',
      speeds: 'wires*.speed',
      energy: ['energy.kinetic', 'energy.potential', 'energy.elastic', 'energy.total'],
    },
  });
};

/** The balls free in a row, without gravity: the first comes with `speed`, the others touch and rest. */
export const row = ({
  balls = 5,
  speed = 1 /* m/s */,
  radius = 0.015 /* m */,
  gap = 0 /* m between balls at rest */,
  restitution = 1 /* of two balls */,
} = {}) => {
  const pitch = 2 * radius + gap;
  return model({
    title: "Newton's cradle: free balls in a row",
    gravity: 'none',
    bodies: {
      ball: Array.from({ length: balls }, (_, i) =>
        body({
          shape: sphere(radius),
          material: steel,
          position: [i * pitch - (i === 0 ? radius : 0), 0, 0],
          velocity: [i === 0 ? speed : 0, 0, 0],
          colour: grey,
        }),
      ),
    },
    contacts: { defaults: { restitution, friction: 0 } },
    // The first ball has its radius to go; twice that time sees them all apart.
    simulation: { stop: (4 * radius) / speed, interval: (0.01 * radius) / speed, rtol: 1e-9 },
    plots: {
      velocities: 'ball*.velocity.x',
      energy: ['energy.kinetic', 'energy.elastic', 'energy.total'],
      momentum: 'momentum.x',
    },
  });
};
