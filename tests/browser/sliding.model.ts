/** A ball that is dropped with spin, and a crate with a brick on it that slides over the floor and comes to rest. */
import { body, box, halfSpace, type Model, model, sphere } from '../../src/index.js';

const soft = { name: 'soft', density: 900, youngsModulus: 2e6, poissonRatio: 0.4 };

export const sliding = (): Model =>
  model({
    title: 'ball and crate',
    bodies: {
      floor: body({ shape: halfSpace(), fixed: true, material: soft }),
      ball: body({
        shape: sphere(0.05),
        material: soft,
        position: [-0.2, 0.05, 0.12],
        velocity: [0.4, 0, 0],
        angularVelocity: [0, 0, 30],
      }),
      crate: body({
        shape: box([0.2, 0.16, 0.1]),
        material: soft,
        position: [0.1, 0, 0.0499],
        velocity: [0.8, 0.2, 0],
      }),
      brick: body({
        shape: box([0.06, 0.06, 0.04]),
        material: soft,
        position: [0.12, 0.01, 0.1198],
        velocity: [0.8, 0.2, 0],
      }),
    },
    contacts: { defaults: { friction: 0.4, restitution: 0.4 } },
    plots: { Heights: ['*.position.z'], Speeds: ['ball.velocity.{x,z}', 'ball.contact.force.z'] },
  });
