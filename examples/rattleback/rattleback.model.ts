// A rattleback, or Celtic stone: spun one way it begins to rattle, stops, and turns the other way.
// npx tippetop run examples/rattleback --spin 5
import { body, ellipsoid, halfSpace, model, quaternion, type Vec3, vec3 } from 'tippetop';

/** The stone of Kane & Levinson, International Journal of Non-Linear Mechanics 17 (1982) 175. */
export default ({
  a = 0.2 /* m, half axes of the ellipsoid */,
  b = 0.03 /* m */,
  c = 0.02 /* m */,
  low = 0.01 /* m by which the centre of mass is below that of the ellipsoid */,
  mass = 1 /* kg */,
  inertiaX = 2e-4 /* kg m², along the stone, about the centre of mass */,
  inertiaY = 1.6e-3 /* kg m² */,
  inertiaZ = 1.7e-3 /* kg m² */,
  skew = -2e-5 /* kg m², entry xy of the tensor: principal axes are turned from those of the ellipsoid */,
  spin = -5 /* rad/s about the vertical, at the start */,
  roll = 0.5 /* degrees about the long axis, at the start */,
  pitch = 0.5 /* degrees about the short one */,
  friction = 1,
  restitution = 0.9,
  spinFriction = false /* friction of the patch against spinning on the spot, too */,
  bed = 4e12 /* N/m³, of the springs on which stone and table press each other */,
  gravity = 9.81 /* m/s² */,
} = {}) => {
  const degree = Math.PI / 180;
  const orientation = quaternion.multiply(
    quaternion.fromAxisAngle([1, 0, 0], roll * degree),
    quaternion.fromAxisAngle([0, 1, 0], pitch * degree),
  );
  // Lowest point: s below the centre, s = Q n/h, h = √(n·Q n), Q = R diag(a², b², c²) Rᵀ, n upwards
  const up = quaternion.rotate(quaternion.conjugate(orientation), [0, 0, 1]);
  const support = quaternion.rotate(orientation, [a * a * up[0], b * b * up[1], c * c * up[2]]);
  const height = Math.sqrt(support[2]);
  const lowest = vec3.scale(1 / height, support);
  // At rest: K V = m g, V = π abc t² (1 − t/3) for a depth of t times the height of the centre
  const depth = height * Math.sqrt((mass * gravity) / (bed * Math.PI * a * b * c));
  const omega: Vec3 = [0, 0, spin];
  return model({
    title: 'Rattleback',
    gravity: [0, 0, -gravity],
    bodies: {
      table: body({ shape: halfSpace({ extent: 1 }), fixed: true, colour: [0.62, 0.66, 0.68, 1] }),
      stone: body({
        shape: ellipsoid([a, b, c], { subdivision: 40 }),
        mass,
        centreOfMass: [0, 0, -low],
        inertia: [inertiaX, skew, 0, skew, inertiaY, 0, 0, 0, inertiaZ],
        position: [0, 0, height - depth],
        orientation,
        angularVelocity: omega,
        velocity: vec3.cross(omega, lowest), // it rolls
        colour: [0.3, 0.45, 0.4, 1],
        frames: { end: { position: [a, 0, 0] }, side: { position: [0, b, 0] } },
      }),
    },
    contacts: {
      defaults: {
        friction,
        restitution,
        normalLaw: { kind: 'foundation', modulus: bed },
        torsion: spinFriction ? 'patch' : 'none',
      },
    },
    simulation: { stop: 6, interval: 5e-3, rtol: 1e-7 },
    plots: {
      spin: 'stone.angularVelocity.z',
      'height of an end': 'stone.end.position.z',
      'height of a side': 'stone.side.position.z',
      path: ['stone.position.x', 'stone.position.y'],
      energy: ['energy.kinetic', 'energy.potential', 'energy.dissipated', 'energy.total'],
    },
  });
};
