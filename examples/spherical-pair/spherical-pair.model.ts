// Two rigid bodies hanging on ball joints, one on the other: six degrees of freedom, tumbling through all orientations.
// npx tippetop run examples/spherical-pair --stop 20
import { body, box, cos, model, sin, sphere, spherical, translate } from 'tippetop';

export default ({ speed = 1 /* factor on the initial angular velocities */, gravity = 9.81 /* m/s² */ } = {}) =>
  model({
    title: 'Two bodies on ball joints',
    contacts: false, // drawn to be seen: parts pass beside each other in one plane
    gravity: [0, 0, -gravity],
    bodies: {
      // Frames at the upper ball joint; mass 1 kg each, moments about the centre of mass in kg m²
      upper: body({
        shape: [sphere(0.06), translate([0, 0, -0.5], box([0.04, 0.2, 0.9]))],
        mass: 1,
        centreOfMass: [0, 0, -0.5],
        inertia: [0.09, 0.08, 0.02],
        colour: [0.2, 0.45, 0.7, 1],
      }),
      lower: body({
        shape: [sphere(0.06), translate([0.1, 0, -0.4], box([0.25, 0.04, 0.7]))],
        mass: 1,
        centreOfMass: [0.1, 0, -0.4],
        inertia: [0.07, 0.05, 0.03],
        position: [0, 0, -1],
        frames: { tip: { position: [0, 0, -1] } },
        colour: [0.85, 0.45, 0.15, 1],
      }),
    },
    joints: {
      shoulder: spherical({ body: 'upper', at: [0, 0, 0], initialAngularVelocity: [speed, 2 * speed, 3 * speed] }),
      elbow: spherical({
        body: 'lower',
        to: 'upper',
        at: [0, 0, -1],
        initialOrientation: { axis: [1, 0, 0], angle: 0.6 },
        // Against the upper body: (−2, 0.5, 1) rad/s in the lower body's axes, which are turned by 0.6 rad about x
        initialAngularVelocity: [-2 * speed, (0.5 * cos(0.6) - sin(0.6)) * speed, (0.5 * sin(0.6) + cos(0.6)) * speed],
      }),
    },
    simulation: { stop: 2, interval: 0.01 },
    plots: {
      'tip of the lower body': ['lower.tip.position.x', 'lower.tip.position.y', 'lower.tip.position.z'],
      'angular velocity': ['lower.angularVelocity.x', 'lower.angularVelocity.y', 'lower.angularVelocity.z'],
      energy: ['energy.kinetic', 'energy.potential', 'energy.total'],
    },
  });
