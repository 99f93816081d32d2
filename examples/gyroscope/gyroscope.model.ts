// A fast symmetric top on its point: gravity does not topple it, it goes round (precession) and nods (nutation).
// npx tippetop run examples/gyroscope --steady --spin 100
import {
  body,
  brass,
  cone,
  cos,
  cylinder,
  fixed,
  model,
  sin,
  solidMassProperties,
  spherical,
  steel,
  translate,
} from 'tippetop';

export default ({
  spin = 200 /* rad/s about its own axis */,
  tilt = 60 /* degrees from upright */,
  steady = false /* start with the rate of precession at which it does not nod */,
  gravity = 9.81 /* m/s² */,
} = {}) => {
  // Axis z of the body, its point at the origin
  const length = 0.12;
  const centreHeight = 0.07;
  const wheel = translate([0, 0, centreHeight], cylinder({ radius: 0.05, height: 0.015 }));
  const axle = translate([0, 0, length / 2], cylinder({ radius: 0.003, height: length, segments: 24 }));

  // Moments about the point, of wheel and axle together: A across, C along the axis
  const pieces = [wheel, axle].map((solid) => solidMassProperties(solid, brass.density));
  const moment = pieces.reduce((sum, { mass, centroid }) => sum + mass * centroid[2], 0); // m l
  const across = pieces.reduce(
    (sum, { mass, centroid, inertia }) => sum + inertia[0] + mass * centroid[2] * centroid[2],
    0,
  );
  const along = pieces.reduce((sum, { inertia }) => sum + inertia[8], 0);

  // Steady precession Ω: A Ω² cos θ − C ω₃ Ω + m g l = 0, the slow root; written so that cos θ = 0 needs no care
  const theta = (tilt * Math.PI) / 180;
  const turning = along * spin;
  const discriminant = turning * turning - 4 * across * moment * gravity * cos(theta);
  const precession = steady ? (2 * moment * gravity) / (turning + Math.sqrt(discriminant)) : 0;
  const own = spin - precession * cos(theta); // so that the spin about the axis is what was asked for in either case

  return model({
    title: 'Gyroscope',
    contacts: false, // drawn to be seen: parts pass beside each other in one plane
    gravity: [0, 0, -gravity],
    bodies: {
      rotor: body({
        shape: [wheel, axle],
        material: brass,
        frames: { tip: { position: [0, 0, length] } },
        colour: [0.85, 0.65, 0.25, 1],
      }),
      stand: body({
        shape: translate([0, 0, -0.06], cone({ radius: 0.03, height: 0.12 })),
        material: steel,
        colour: [0.35, 0.35, 0.4, 1],
      }),
    },
    joints: {
      foot: fixed({ body: 'stand' }),
      point: spherical({
        body: 'rotor',
        at: [0, 0, 0],
        initialOrientation: { axis: [0, 1, 0], angle: theta },
        initialAngularVelocity: [own * sin(theta), 0, own * cos(theta) + precession],
      }),
    },
    simulation: { stop: 2, interval: 0.002 },
    plots: {
      'tip of the axle': ['rotor.tip.position.x', 'rotor.tip.position.y', 'rotor.tip.position.z'],
      'angular velocity': ['rotor.angularVelocity.x', 'rotor.angularVelocity.y', 'rotor.angularVelocity.z'],
      'angular momentum': ['angularMomentum.x', 'angularMomentum.y', 'angularMomentum.z'],
      energy: ['energy.kinetic', 'energy.potential', 'energy.total'],
    },
  });
};
