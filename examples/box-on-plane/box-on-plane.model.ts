// A cuboid falls on a rectangle that slopes by 15°, clatters, slides down and tips over the edge: Oestersötebier et al. (2014), §4,
// experiment 3.
// npx tippetop run examples/box-on-plane --laid
import { body, box, model, quaternion, translate, type vec3 } from 'tippetop';

const turn = (axis: vec3.Vec3, degrees: number) => quaternion.fromAxisAngle(axis, (degrees * Math.PI) / 180);

export default ({
  slope = 15 /* degrees, about z */,
  yaw = 30 /* degrees by which the cuboid is turned about its upright axis */,
  height = 0.075 /* m of the cuboid's centre over that of the rectangle */,
  laid = false /* laid on the slope at the start in place of falling on it */,
} = {}) => {
  const [length, tall, width, mass] = [0.07, 0.05, 0.1, 2.75]; // along x, y, z
  const [planeWidth, planeLength, plate] = [0.25, 0.2, 5e-3]; // along x and z before it is turned
  const square = (a: number, b: number): number => (mass * (a * a + b * b)) / 12;
  const incline = turn([0, 0, 1], slope);
  const upright = turn([0, 1, 0], yaw);
  return model({
    title: 'Box on plane',
    gravity: [0, -9.81, 0],
    bodies: {
      // In the body's frame the rectangle faces +z; the frame is turned so that this is y, and by the slope.
      plane: body({
        shape: translate([0, 0, -plate / 2], box([planeWidth, planeLength, plate])),
        contact: { surfaces: [{ kind: 'rectangle', width: planeWidth, length: planeLength }], thickness: plate },
        fixed: true,
        orientation: quaternion.multiply(incline, turn([1, 0, 0], -90)),
        colour: [0.45, 0.5, 0.58, 1],
      }),
      cuboid: body({
        shape: box([length, tall, width]),
        contact: {
          // the lower face, facing down
          surfaces: [
            {
              kind: 'rectangle',
              width: length,
              length: width,
              position: [0, -tall / 2, 0],
              orientation: turn([1, 0, 0], 90),
            },
          ],
          thickness: plate,
        },
        mass,
        inertia: [square(tall, width), square(length, width), square(length, tall)],
        position: laid ? quaternion.rotate(incline, [0, tall / 2, 0]) : [0, height, 0],
        orientation: laid ? quaternion.multiply(incline, upright) : upright,
        colour: [0.85, 0.45, 0.2, 1],
      }),
    },
    contacts: {
      defaults: {
        // F = c pⁿ + d p p' in each corner
        normalLaw: { kind: 'oestersoetebier', stiffness: 1e7, exponent: 1.1, damping: 1e7, dampingExponent: 1 },
        frictionLaw: { kind: 'makkar', staticSpeed: 1e-4, viscousSpeed: 1e-2 },
        staticFriction: 0.12,
        kineticFriction: 0.08,
      },
    },
    simulation: { stop: 1, interval: 1e-3 },
    plots: {
      'force of the plane on the cuboid': ['contacts.plane-cuboid.force.x', 'contacts.plane-cuboid.force.y'],
      'corners that touch': 'cuboid.contact.touching',
      'centre of the cuboid': ['cuboid.position.x', 'cuboid.position.y'],
      'angular velocity': ['cuboid.angularVelocity.x', 'cuboid.angularVelocity.y', 'cuboid.angularVelocity.z'],
      energy: ['energy.kinetic', 'energy.potential', 'energy.dissipated', 'energy.total'],
    },
  });
};
