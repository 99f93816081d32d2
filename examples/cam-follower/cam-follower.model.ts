// An eccentric cam under a flat and beside a round follower, both pressed on by springs. Outlines are lines and arcs, so cams are round
// and lifts have closed forms; with chords the followers would fall from facet to facet.
// npx tippetop run examples/cam-follower --eccentricity 0.008
import { body, circle, extrude, flattened, model, type Outline, prismatic, revolute, steel } from 'tippetop';

export default ({
  radius = 0.02 /* m, of the cam */,
  eccentricity = 0.005 /* m, of its middle from the shaft */,
  roundness = 0.008 /* m, radius of the round follower's nose */,
  speed = 1 /* turns per s */,
  preload = 2 /* N, of a spring at its least lift */,
  stiffness = 100 /* N/m, of the springs */,
  friction = 0.1,
  chords = 0 /* of a full circle in place of arcs; 0: arcs */,
} = {}) => {
  const width = 0.01;
  // The cam's middle is on +x as drawn: a flat above stands at R, a nose on +x at e + R + ρ
  const cam = { outer: circle(radius, [eccentricity, 0]), holes: [circle(0.25 * radius)] };
  const foot = eccentricity + 0.006; // wider than the contact wanders, which is as far as the eccentricity
  const flat: Outline = [
    [-foot, 0],
    [foot, 0],
    [foot, 0.004],
    [0.004, 0.004],
    [0.004, 0.05],
    [-0.004, 0.05],
    [-0.004, 0.004],
    [-foot, 0.004],
  ];
  const nose: Outline = [
    [0, -roundness],
    [0.05, -roundness],
    [0.05, roundness],
    [0, roundness, 1], // half a circle about the follower's origin
  ];
  const draw = (figure: Parameters<typeof extrude>[0]) =>
    extrude(chords > 0 ? flattened(figure, chords) : figure, width);
  const start = eccentricity + radius + roundness;
  return model({
    title: 'Eccentric cam, flat and round follower',
    gravity: 'none',
    bodies: {
      cam: body({ shape: draw(cam), material: steel, colour: [0.85, 0.65, 0.2, 1] }),
      flat: body({ shape: draw(flat), material: steel, position: [0, radius, 0], colour: [0.35, 0.5, 0.65, 1] }),
      round: body({ shape: draw(nose), material: steel, position: [start, 0, 0], colour: [0.6, 0.35, 0.3, 1] }),
    },
    joints: {
      shaft: revolute({ body: 'cam', axis: [0, 0, 1], at: [0, 0, 0], speed: 2 * Math.PI * speed }),
      // positions are lifts above where the followers are drawn; springs press towards the shaft
      lift: prismatic({
        body: 'flat',
        axis: [0, 1, 0],
        spring: { stiffness, rest: -eccentricity - preload / stiffness },
      }),
      push: prismatic({
        body: 'round',
        axis: [1, 0, 0],
        spring: { stiffness, rest: -2 * eccentricity - preload / stiffness },
      }),
    },
    contacts: { defaults: { friction, restitution: 0 }, exclude: [['flat', 'round']] },
    simulation: { stop: 2 / speed, interval: 1 / (200 * speed), rtol: 1e-4 },
    plots: {
      lifts: ['lift.position', 'push.position'],
      'force on the followers': ['contacts.cam-flat.force.y', 'contacts.cam-round.force.x'],
      'torque of the shaft': 'shaft.torque.z',
    },
  });
};
