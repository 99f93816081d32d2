// Quarter of a car over a bump: body, wheel, spring, damper, bump stop, and a tyre that can leave the road.
// npx tippetop run examples/quarter-car --speed 10 --bump-height 0.05
import { body, box, cylinder, lineForce, model, prismatic, rotate, sin, translate } from 'tippetop';

export default ({
  bodyMass = 300 /* kg, on this wheel */,
  wheelMass = 40 /* kg */,
  stiffness = 20e3 /* N/m, of the suspension */,
  damping = 1500 /* N s/m, of the suspension */,
  tyreStiffness = 180e3 /* N/m */,
  travelUp = 0.06 /* m, of the wheel until the bump stop */,
  travelDown = 0.08 /* m */,
  stopStiffness = 200e3 /* N/m, of the rubber stops */,
  bumpHeight = 0.08 /* m */,
  bumpLength = 0.6 /* m */,
  speed = 5 /* m/s */,
  gravity = 9.81 /* m/s² */,
} = {}) => {
  const wheelRadius = 0.3;
  // The wheel meets the bump at t = 0.
  const road = (t: number) => {
    const along = speed * t;
    if (!(along > 0 && along < bumpLength)) return 0;
    const s = sin((Math.PI * along) / bumpLength);
    return bumpHeight * s * s;
  };
  // Drawn at rest under its own weight: the suspension carries the body, the tyre carries both.
  const tyreLength = wheelRadius + ((bodyMass + wheelMass) * gravity) / tyreStiffness;
  const up = [0, 0, 1] as const;
  // Drawn beside the wheel, from one height to another
  const strut = (radius: number, from: number, to: number) =>
    translate([0, -0.2, (from + to) / 2], cylinder({ radius, height: to - from }));
  return model({
    title: 'Quarter car',
    contacts: false, // drawn to be seen: parts pass beside each other in one plane
    gravity: [0, 0, -gravity],
    bodies: {
      chassis: body({
        // the strut's tube hangs from it
        shape: [translate([0, 0, 0.35], box([1.2, 0.5, 0.3])), strut(0.045, 0.05, 0.25)],
        mass: bodyMass,
        position: [0, 0, 0.7],
        colour: [0.2, 0.45, 0.7, 1],
      }),
      wheel: body({
        // with its hub, and the rod that slides in the tube
        shape: [
          rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius: wheelRadius, height: 0.2 })),
          translate(
            [0, -0.15, 0],
            rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius: 0.05, height: 0.16 })),
          ),
          strut(0.025, 0, 0.5),
        ],
        mass: wheelMass,
        position: [0, 0, wheelRadius],
        colour: [0.2, 0.2, 0.22, 1],
      }),
      road: body({
        shape: translate([0, 0, -0.05], box([1.6, 0.6, 0.1])),
        mass: 1, // moved by hand: its mass does not matter
        colour: [0.55, 0.55, 0.5, 1],
      }),
    },
    joints: {
      heave: prismatic({ body: 'chassis', axis: up }),
      suspension: prismatic({
        body: 'wheel',
        to: 'chassis',
        axis: up, // positive: the wheel moves up into the body
        spring: { stiffness, rest: (-bodyMass * gravity) / stiffness },
        damping,
        // Restitution 1: the rubber springs back, the damper takes the energy.
        stops: { lower: -travelDown, upper: travelUp, stiffness: stopStiffness, restitution: 1 },
      }),
      profile: prismatic({ body: 'road', axis: up, position: road }),
    },
    forces: {
      // Pushes but never pulls.
      tyre: lineForce({
        from: 'road',
        to: 'wheel',
        law: (length) => tyreStiffness * Math.max(0, tyreLength - length),
      }),
    },
    simulation: { stop: 3, interval: 0.005 },
    plots: {
      heights: ['heave.position', 'wheel.position.z', 'profile.position'],
      'suspension travel': 'suspension.position',
      'tyre force': 'tyre.force',
      'body speed': 'heave.speed',
    },
  });
};
