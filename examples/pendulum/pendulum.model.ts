// Simple pendulum: a point mass on a massless bar, released horizontally. Problem A01 of the IFToMM multibody benchmarks.
// npx tippetop run examples/pendulum --start-angle 170
import { body, cylinder, model, revolute, sphere, translate } from 'tippetop';

export default ({
  length = 1 /* m */,
  mass = 1 /* kg */,
  startAngle = 90 /* degrees from hanging down */,
  damping = 0 /* N m s/rad at the pivot */,
  gravity = 9.81 /* m/s² */,
} = {}) =>
  model({
    title: 'Simple pendulum',
    contacts: false, // drawn to be seen: parts pass beside each other in one plane
    gravity: [0, 0, -gravity],
    bodies: {
      bob: body({
        // Drawn hanging; the shape is for the eye, the mass is a point.
        shape: [
          sphere(0.06 * length),
          translate([0, 0, length / 2], cylinder({ radius: 0.01 * length, height: length })),
        ],
        mass,
        centreOfMass: [0, 0, 0],
        inertia: [0, 0, 0],
        position: [0, 0, -length],
        colour: [0.85, 0.45, 0.15, 1],
      }),
    },
    joints: {
      // A quarter turn about +y takes the bob from (0, −length) to (−length, 0) in the (x, z) plane.
      pivot: revolute({
        body: 'bob',
        axis: [0, 1, 0],
        at: [0, 0, 0],
        initialAngle: (startAngle * Math.PI) / 180,
        damping,
      }),
    },
    simulation: { stop: 10, interval: 0.01 },
    plots: {
      position: ['bob.position.x', 'bob.position.z'],
      'angle and speed': ['pivot.angle', 'pivot.speed'],
      'force in the bar': ['pivot.force.x', 'pivot.force.z'],
      energy: ['energy.kinetic', 'energy.potential', 'energy.total'],
    },
  });
