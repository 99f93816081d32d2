// Six tests of contact, those of Buse et al. (2023), §4.1.2, with the cylinder of their table 1: impact, sliding, rolling, a slope,
// spinning, stacking. Each has an answer in closed form.
// npx tippetop run examples/cylinder-tests --friction 0
// npx tippetop run examples/cylinder-tests --model spinning --spin 5
import {
  body,
  box,
  cos,
  cylinder,
  halfSpace,
  type Material,
  model,
  prismatic,
  quaternion,
  rotate,
  sin,
  vec3,
} from 'tippetop';

// ---- table 1 ------------------------------------------------------------------------------------------------------------------

const radius = 0.5; // m
const height = 1; // m
const mass = 1; // kg
const inertia = [0.25, 0.25, 0.25] as const; // kg m²: m r², that of a hoop; a solid cylinder has half of it about its axis
const material: Material = {
  name: 'table 1',
  density: mass / (Math.PI * radius * radius * height),
  youngsModulus: 4.5e5,
  poissonRatio: 0.4,
  restitution: 0.6,
  friction: 0.4,
};

// ---- what the tests share -----------------------------------------------------------------------------------------------------

const lying = { axis: [1, 0, 0], angle: Math.PI / 2 } as const; // axis along y
const blue = [0.2, 0.45, 0.7, 1] as const;
const orange = [0.85, 0.45, 0.15, 1] as const;
const grey = [0.6, 0.6, 0.58, 1] as const;

/** m/s at which a wheel that is set down on the floor sinks into it */
const SETTLING = 0.01;

/**
 * 'own' laws: those that are taken when nothing is said, with a friction that springs by its load over `grip` before it slips.
 * 'paper': eqs 1–4, a spring k d^1.5 whose damping is meant for one impact speed, and Coulomb friction as tanh(v/v_d), which gives way
 * under any load.
 */
const lawsOf = (contact: string, laws: string, impactSpeed = SETTLING, grip = 0) => ({
  ...(contact === 'points' && { search: 'points' as const }),
  ...(laws === 'paper'
    ? ({ normalLaw: { kind: 'buse', impactSpeed }, frictionLaw: { kind: 'tanh', deadBand: 1e-3 } } as const)
    : grip > 0 && ({ frictionLaw: { kind: 'bristle', stiffness: grip, dampingRatio: 1 } } as const)),
});

/**
 * The floor, and a wheel lying on its mantle. 'round': it touches at its lowest line; 'solid': by the overlap of its facets; 'points': at
 * the deepest points of a convex solid, as in the paper.
 */
const parts = (contact: string) => {
  const round = contact === 'round';
  const plane = { kind: 'rectangle' } as const;
  const mantle = { kind: 'cylinder', radius, length: height, orientation: lying } as const;
  return {
    floor: body({
      shape: halfSpace({ extent: 7 }),
      material,
      fixed: true,
      colour: grey,
      ...(round && { contact: { surfaces: [plane] } }),
    }),
    wheel: body({
      shape: rotate(lying, cylinder({ radius, height, segments: contact === 'solid' ? 720 : 64 })),
      material,
      mass,
      inertia,
      colour: blue,
      ...(round && { contact: { surfaces: [mantle] } }),
    }),
  };
};

// ---- the tests ----------------------------------------------------------------------------------------------------------------

/** Impact: an oblique throw at the floor. Without friction it leaves with v_z' = −e v_z, else it sticks and turns. */
export default ({
  speed = 1 /* m/s along the floor */,
  approach = 1 /* m/s towards it, > 0 */,
  gap = 0.5 /* m above it at the start */,
  friction = 0.4,
  restitution = 0.6,
  grip = 1e8 /* N/m, of friction before it slips; 0: that of the material, which springs back */,
  gravity = 0 /* m/s² */,
  contact = 'round' /* or solid, or points */,
  laws = 'own' /* or paper */,
} = {}) => {
  const { floor, wheel } = parts(contact);
  return model({
    title: 'Impact',
    gravity: [0, 0, -gravity],
    bodies: {
      floor,
      wheel: { ...wheel, position: [0, 0, radius + gap], velocity: [speed, 0, -approach] },
    },
    contacts: { defaults: { friction, restitution, ...lawsOf(contact, laws, approach, grip) } },
    simulation: { stop: 1, interval: 0.002 },
    plots: {
      path: ['wheel.position.x', 'wheel.position.z'],
      velocity: ['wheel.velocity.x', 'wheel.velocity.z'],
      spin: 'wheel.angularVelocity.y',
      force: ['wheel.contact.force.x', 'wheel.contact.force.z'],
      energy: ['energy.kinetic', 'energy.elastic', 'energy.dissipated', 'energy.total'],
    },
  });
};

/** Joints of a wheel that cannot turn: it slides along `down` on a guide of no weight to speak of, and moves across it. */
const guided = (down: vec3.Vec3, up: vec3.Vec3, at: vec3.Vec3, initialSpeed: number) => ({
  guide: body({ mass: 1e-9, inertia: [0, 0, 0], position: at }),
  joints: {
    track: prismatic({ body: 'guide', axis: down, at, initialSpeed }),
    lift: prismatic({ body: 'wheel', to: 'guide', axis: up, at }),
  },
});

/** Sliding: the wheel cannot turn, and friction stops it. */
export const sliding = ({
  speed = 5 /* m/s */,
  friction = 0.4,
  gravity = 9.81 /* m/s² */,
  contact = 'round' /* or solid, or points */,
  laws = 'own' /* or paper */,
} = {}) => {
  const { floor, wheel } = parts(contact);
  const at = [0, 0, radius] as const;
  const { guide, joints } = guided([1, 0, 0], [0, 0, 1], at, speed);
  return model({
    title: 'Sliding',
    gravity: [0, 0, -gravity],
    bodies: { floor, wheel: { ...wheel, position: at }, guide },
    joints,
    contacts: { defaults: { friction, ...lawsOf(contact, laws) } },
    simulation: { stop: 2, interval: 0.005 },
    plots: {
      place: 'track.position',
      speed: 'track.speed',
      force: ['wheel.contact.force.x', 'wheel.contact.force.z'],
      energy: ['energy.kinetic', 'energy.dissipated', 'energy.total'],
    },
  });
};

/** Rolling: the same energy put into moving, into turning, or into both as rolling shares it. */
export const rolling = ({
  start = 'moving' /* or turning, or rolling */,
  energy = 4 /* J */,
  friction = 0.4,
  gravity = 9.81 /* m/s² */,
  contact = 'round' /* or solid, or points */,
  laws = 'own' /* or paper */,
} = {}) => {
  const { floor, wheel } = parts(contact);
  // m v²/2 + I ω²/2 = energy
  const whole = Math.sqrt((2 * energy) / mass);
  const [speed, spin] =
    start === 'moving'
      ? [whole, 0]
      : start === 'turning'
        ? [0, Math.sqrt((2 * energy) / inertia[1])]
        : [whole / Math.sqrt(1 + inertia[1] / (mass * radius * radius)), 0];
  return model({
    title: 'Rolling',
    gravity: [0, 0, -gravity],
    bodies: {
      floor,
      wheel: body({
        ...wheel,
        position: [0, 0, radius],
        velocity: [speed, 0, 0],
        angularVelocity: [0, start === 'rolling' ? speed / radius : spin, 0],
      }),
    },
    contacts: { defaults: { friction, ...lawsOf(contact, laws) } },
    simulation: { stop: 2, interval: 0.005 },
    plots: {
      'speed and rim speed': ['wheel.velocity.x', 'wheel.angularVelocity.y'],
      friction: 'wheel.contact.force.x',
      energy: ['energy.kinetic', 'energy.dissipated', 'energy.total'],
    },
  });
};

/** A slope: the wheel, which cannot turn, stays on it or slides down; or it rolls down. */
export const slope = ({
  inclination = 15 /* degrees */,
  rolls = false,
  friction = 0.4,
  gravity = 9.81 /* m/s² */,
  contact = 'round' /* or solid, or points */,
  laws = 'own' /* or paper */,
} = {}) => {
  const { floor, wheel } = parts(contact);
  const angle = (inclination * Math.PI) / 180;
  const down = [cos(angle), 0, -sin(angle)] as const;
  const up = [sin(angle), 0, cos(angle)] as const;
  const at = vec3.scale(radius, up);
  const { guide, joints } = guided(down, up, at, 0);
  return model({
    title: 'Slope',
    gravity: [0, 0, -gravity],
    bodies: {
      floor: { ...floor, orientation: quaternion.between([0, 0, 1], up) },
      wheel: { ...wheel, position: at },
      ...(!rolls && { guide }),
    },
    ...(!rolls && { joints }),
    contacts: { defaults: { friction, ...lawsOf(contact, laws) } },
    simulation: { stop: 2, interval: 0.005 },
    plots: {
      ...(!rolls && { 'along the slope': ['track.position', 'track.speed'] }),
      velocity: ['wheel.velocity.x', 'wheel.velocity.z'],
      spin: 'wheel.angularVelocity.y',
      energy: ['energy.kinetic', 'energy.potential', 'energy.dissipated', 'energy.total'],
    },
  });
};

/** Spinning: the cylinder stands on its end and turns; each part of the face rubs at its own distance from the axis. */
export const spinning = ({
  spin = 10 /* rad/s */,
  speed = 0 /* m/s along the floor */,
  friction = 0.4,
  gravity = 9.81 /* m/s² */,
  segments = 256 /* corners of its polygon */,
} = {}) =>
  model({
    title: 'Spinning',
    gravity: [0, 0, -gravity],
    bodies: {
      floor: parts('solid').floor,
      disc: body({
        shape: cylinder({ radius, height, segments }),
        material,
        mass,
        inertia,
        position: [0, 0, height / 2],
        velocity: [speed, 0, 0],
        angularVelocity: [0, 0, spin],
        colour: blue,
      }),
    },
    contacts: { defaults: { friction } },
    simulation: { stop: 2.5, interval: 0.005 },
    plots: {
      spin: 'disc.angularVelocity.z',
      path: ['disc.position.x', 'disc.position.y'],
      torque: 'disc.contact.torque.z',
      energy: ['energy.kinetic', 'energy.dissipated', 'energy.total'],
    },
  });

/** Stacking: cuboids on each other come to rest. Cylinders on their mantles fall, once something nudges them. */
export const stacking = ({
  count = 5,
  shape = 'cuboid' /* or cylinder */,
  gap = 0.001 /* m between them at the start */,
  nudge = 0 /* m by which each is off the one below, to either side in turn */,
  restitution = 0.6,
  friction = 0.4,
  gravity = 9.81 /* m/s² */,
  contact = 'solid' /* or points, or round for cylinders */,
} = {}) => {
  const { floor, wheel } = parts(contact);
  const block = { shape: box(2 * radius), material, mass };
  return model({
    title: 'Stacking',
    gravity: [0, 0, -gravity],
    bodies: {
      floor,
      stack: Array.from({ length: count }, (_, i) =>
        body({
          ...(shape === 'cylinder' ? wheel : block),
          position: [i % 2 === 0 ? 0 : nudge, 0, radius + gap + i * (2 * radius + gap)],
          colour: i % 2 === 0 ? blue : orange,
        }),
      ),
    },
    contacts: { defaults: { friction, restitution, ...lawsOf(contact, 'own') } },
    simulation: { stop: 10, interval: 0.02 },
    plots: {
      heights: 'stack*.position.z',
      speeds: 'stack*.velocity.z',
      energy: ['energy.kinetic', 'energy.elastic', 'energy.dissipated', 'energy.total'],
    },
  });
};
