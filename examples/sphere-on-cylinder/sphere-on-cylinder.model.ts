// A sphere falls on a fixed cylinder, a little beside its axis, and bounces off: Oestersötebier et al. (2014), §4, experiment 1.
// npx tippetop run examples/sphere-on-cylinder --per-axis
import { body, cylinder, model, rotate, sphere } from 'tippetop';

/** Turns z to x. */
const zToX = { axis: [0, 1, 0], angle: Math.PI / 2 } as const;

export default ({
  offset = 0.002 /* m from the cylinder's axis, along z */,
  height = 0.05 /* m of the sphere's centre over the axis */,
  perAxis = false /* the law along y and z apart, as in the authors' library, in place of the common normal */,
} = {}) => {
  const [radius, mass] = [0.015, 0.11];
  const [cylinderRadius, length] = [0.0075, 0.05];
  const inertia = 0.4 * mass * radius * radius;
  return model({
    title: 'Sphere on cylinder',
    gravity: [0, -9.81, 0],
    bodies: {
      cylinder: body({
        shape: rotate(zToX, cylinder({ radius: cylinderRadius, height: length })),
        contact: {
          surfaces: [{ kind: 'cylinder', radius: cylinderRadius, length, orientation: zToX }],
          thickness: 5e-3,
          perAxis,
        },
        fixed: true,
        colour: [0.45, 0.5, 0.58, 1],
      }),
      sphere: body({
        shape: sphere(radius),
        contact: { surfaces: [{ kind: 'sphere', radius }], thickness: 5e-3 },
        mass,
        inertia: [inertia, inertia, inertia],
        position: [0, height, offset],
        colour: [0.85, 0.45, 0.2, 1],
      }),
    },
    contacts: {
      defaults: {
        // F = c pⁿ + d pᵐ p'
        normalLaw: { kind: 'oestersoetebier', stiffness: 1e5, exponent: 1.5, damping: 10, dampingExponent: 1.5 },
        frictionLaw: { kind: 'makkar', staticSpeed: 0.01, viscousSpeed: 0.1 },
        staticFriction: 0.03,
        kineticFriction: 0.02,
      },
    },
    simulation: { stop: 1, interval: 1e-3 },
    plots: {
      'force of the cylinder on the sphere': ['contacts.cylinder-sphere.force.y', 'contacts.cylinder-sphere.force.z'],
      'centre of the sphere': ['sphere.position.y', 'sphere.position.z'],
      'angular velocity': 'sphere.angularVelocity.x',
      energy: ['energy.kinetic', 'energy.potential', 'energy.dissipated', 'energy.total'],
    },
  });
};
