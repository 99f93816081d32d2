// A ball thrown flat that bounces along a floor: what it loses of its height tells the restitution, what it loses of its speed the friction.
// npx tippetop run examples/thrown-ball --restitution 0.7 --friction 0.16
import { body, halfSpace, model, sphere } from 'tippetop';

export default ({
  restitution = 0.7,
  friction = 0.16,
  speed = 6 /* m/s, level, at the start */,
  height = 1 /* m, of the ball's lowest point at the start */,
  radius = 0.03 /* m */,
  density = 1100 /* kg/m³, rubber */,
  gravity = 9.81 /* m/s² */,
} = {}) =>
  model({
    title: 'Thrown ball',
    gravity: [0, 0, -gravity],
    bodies: {
      floor: body({ shape: halfSpace({ extent: 14 }), fixed: true, colour: [0.62, 0.66, 0.68, 1] }),
      ball: body({
        shape: sphere(radius),
        mass: (density * 4 * Math.PI * radius * radius * radius) / 3,
        position: [0, 0, height + radius],
        velocity: [speed, 0, 0],
        colour: [0.85, 0.4, 0.1, 1],
      }),
    },
    contacts: { defaults: { restitution, friction, reducedModulus: 1e8 } },
    simulation: { stop: 1.2, interval: 0.005 },
    plots: { height: 'ball.position.z', way: 'ball.position.x', speed: ['ball.velocity.x', 'ball.velocity.z'] },
  });
