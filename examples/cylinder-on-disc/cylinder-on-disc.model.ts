// A cylinder falls flat on a disc that slopes by 5°, rolls down and over the rim: Oestersötebier et al. (2014), §4, experiment 2.
// npx tippetop run examples/cylinder-on-disc --slope 8
import { body, cylinder, model, quaternion, rotate, translate } from 'tippetop';

/** Turns z to x. */
const zToX = { axis: [0, 1, 0], angle: Math.PI / 2 } as const;

export default ({
  slope = 5 /* degrees, about x */,
  height = 0.02 /* m of the cylinder's centre over that of the disc */,
  friction = 0.12,
} = {}) => {
  const [radius, length, mass] = [0.0075, 0.03, 0.04];
  const [discRadius, plate] = [0.04, 3e-3];
  const along = 0.5 * mass * radius * radius;
  const across = (mass * (3 * radius * radius + length * length)) / 12;
  return model({
    title: 'Cylinder on disc',
    gravity: [0, -9.81, 0],
    bodies: {
      // In the body's frame the disc faces +z; the frame is turned so that this is y, and by the slope.
      disc: body({
        shape: translate([0, 0, -plate / 2], cylinder({ radius: discRadius, height: plate })),
        contact: { surfaces: [{ kind: 'circle', radius: discRadius }], thickness: plate },
        fixed: true,
        orientation: quaternion.fromAxisAngle([1, 0, 0], ((slope - 90) * Math.PI) / 180),
        colour: [0.45, 0.5, 0.58, 1],
      }),
      cylinder: body({
        shape: rotate(zToX, cylinder({ radius, height: length })),
        contact: { surfaces: [{ kind: 'cylinder', radius, length, orientation: zToX }], thickness: plate },
        mass,
        inertia: [along, across, across],
        position: [0, height, 0],
        colour: [0.85, 0.45, 0.2, 1],
      }),
    },
    contacts: {
      defaults: {
        // F = c p + d p': the damper acts in full at the first touch
        normalLaw: { kind: 'oestersoetebier', stiffness: 5e3, exponent: 1, damping: 5e2, dampingExponent: 0 },
        frictionLaw: { kind: 'makkar', staticSpeed: 0.01, viscousSpeed: 0.01 },
        friction,
      },
    },
    simulation: { stop: 1, interval: 1e-3 },
    plots: {
      'force of the disc on the cylinder': ['contacts.disc-cylinder.force.y', 'contacts.disc-cylinder.force.z'],
      'centre of the cylinder': ['cylinder.position.y', 'cylinder.position.z'],
      'speed along z': 'cylinder.velocity.z',
      'angular velocity': 'cylinder.angularVelocity.x',
      energy: ['energy.kinetic', 'energy.potential', 'energy.dissipated', 'energy.total'],
    },
  });
};
