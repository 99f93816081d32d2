// A disc that rolls without slipping on a table, leaning inwards, so that its centre runs on a circle for ever.
// npx tippetop run examples/rolling-coin --lean 60 --wobble 1
import { body, brass, cos, cylinder, model, quaternion, rollingWheel, sin, solidMassProperties, vec3 } from 'tippetop';

export default ({
  radius = 0.1 /* m */,
  thickness = 0.008 /* m */,
  lean = 25 /* degrees from upright, inwards */,
  trackRadius = 0.3 /* m, of the circle on which the centre runs */,
  wobble = 0 /* rad/s of tipping added at the start */,
  gravity = 9.81 /* m/s² */,
} = {}) => {
  const shape = cylinder({ radius, height: thickness });
  const { mass, inertia } = solidMassProperties(shape, brass.density);
  const [across, along] = [inertia[0], inertia[8]];

  // Steady rolling at the rate Ω about the vertical, axis at θ from it: Ω² = m r² g cos θ / (sin θ (R (C + m r²) + r A cos θ)).
  // Newton and Euler at the centre, with no slip at the point of contact; Routh, Advanced Rigid Dynamics (1905), §244.
  const theta = ((90 - lean) * Math.PI) / 180;
  const rolling = trackRadius * (along + mass * radius * radius) + radius * across * cos(theta);
  const turn = Math.sqrt((mass * radius * radius * gravity * cos(theta)) / (sin(theta) * rolling));
  const spin = (-turn * trackRadius) / radius; // ω along the disc's axis

  const axis = [sin(theta), 0, cos(theta)] as const;
  const up = [-cos(theta), 0, sin(theta)] as const; // from the point of contact to the centre
  const angularVelocity = vec3.add(vec3.add(vec3.scale(spin, axis), vec3.scale(turn * sin(theta), up)), [0, wobble, 0]);
  return model({
    title: 'Rolling coin',
    contacts: false, // drawn to be seen: parts pass beside each other in one plane
    gravity: [0, 0, -gravity],
    bodies: {
      coin: body({
        shape,
        material: brass,
        position: [trackRadius, 0, radius * sin(theta)],
        orientation: quaternion.between([0, 0, 1], axis),
        angularVelocity,
        velocity: vec3.cross(angularVelocity, vec3.scale(radius, up)),
        frames: { rim: { position: [radius, 0, 0] } },
        colour: [0.85, 0.65, 0.25, 1],
      }),
    },
    constraints: {
      table: rollingWheel({ body: 'coin', axis, radius }),
    },
    simulation: { stop: 10, interval: 0.01 },
    plots: {
      'path of the centre': ['coin.position.x', 'coin.position.y'],
      'height of the centre': 'coin.position.z',
      'angular velocity': ['coin.angularVelocity.x', 'coin.angularVelocity.y', 'coin.angularVelocity.z'],
      energy: ['energy.kinetic', 'energy.potential', 'energy.total'],
    },
  });
};
