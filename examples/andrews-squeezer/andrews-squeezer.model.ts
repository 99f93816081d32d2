// Andrews' squeezing mechanism: seven bodies in a plane, three loops through one pin, a stiff spring, a constant torque.
// Built from bodies and joints; the data are those of Schiehlen (1990), the start that of Hairer & Wanner, Solving ODEs II, §VII.7.
// npx tippetop run examples/andrews-squeezer --torque 0.02
import { atan2, body, box, cos, cylinder, model, revolute, rotate, type Solid, sin, spring, translate } from 'tippetop';

type Point = readonly [number, number];

export default ({
  torque = 0.033 /* N m on the crank */,
  stiffness = 4530 /* N/m */,
  restLength = 0.07785 /* m, of the spring */,
} = {}) => {
  // Fixed points, m
  const A: Point = [-0.06934, -0.00227];
  const B: Point = [-0.03635, 0.03273];
  const C: Point = [0.014, 0.072];

  // Angles at which all loops are closed, rad
  const beta = -0.06171389001427645;
  const theta = 0;
  const gamma = 0.4552798191630704;
  const phi = 0.22266839016588588;
  const delta = 0.48736497954384256;
  const omega = -0.22266839016588588;
  const epsilon = 1.2305474445498212;

  // From `origin` in a frame turned by `angle`: x along, y across
  const point = (origin: Point, angle: number, x: number, y = 0): Point => [
    origin[0] + x * cos(angle) - y * sin(angle),
    origin[1] + x * sin(angle) + y * cos(angle),
  ];
  // Each body's frame: origin at its first pin. The letters are those of the source.
  const O: Point = [0, 0];
  const crankPin = point(O, beta, 0.007); // rr
  const P = point(crankPin, beta + theta, -0.028); // d: the pin where four bodies meet
  const E = point(A, delta, 0.04); // zt
  const H = point(A, epsilon, 0, -0.04); // u

  // Flat parts in layers, so that one sees them all; mass properties are given and do not depend on the drawing.
  const thickness = 1.5e-3;
  const bar = (layer: number, from: Point, to: Point): Solid => {
    const [x, y] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.sqrt(x * x + y * y);
    const flat = translate([length / 2, 0, 0], box([length + 4e-3, 4e-3, thickness]));
    return translate([from[0], from[1], 2e-3 * layer], rotate(atan2(y, x), flat));
  };
  const part = (
    origin: Point,
    angle: number,
    mass: number,
    inertia: number,
    centre: Point,
    shape: Solid[],
    colour: readonly [number, number, number, number],
  ) =>
    body({
      shape,
      mass,
      inertia: [inertia / 2, inertia / 2, inertia], // only the last acts in the plane
      centreOfMass: [centre[0], centre[1], 0],
      position: [origin[0], origin[1], 0],
      orientation: { axis: [0, 0, 1], angle },
      colour,
    });
  const pin = (name: string, to: string | undefined, [x, y]: Point) => ({
    body: name,
    ...(to !== undefined && { to }),
    at: [x, y, 0] as const,
    axis: [0, 0, 1] as const,
  });

  return model({
    title: "Andrews' squeezing mechanism",
    contacts: false, // drawn to be seen: parts pass beside each other in one plane
    gravity: 'none',
    bodies: {
      // K1 … K7 of the source
      crank: part(
        O,
        beta,
        0.04325,
        2.194e-6,
        [0.00092, 0],
        [cylinder({ radius: 0.009, height: thickness })],
        [0.8, 0.2, 0.2, 1],
      ),
      link: part(crankPin, beta + theta, 0.00365, 4.41e-7, [-0.0115, 0], [bar(1, O, [-0.028, 0])], [0.9, 0.6, 0.2, 1]),
      plate: {
        ...part(
          B,
          gamma,
          0.02373,
          5.255e-6,
          [0.01043, -0.01874],
          [bar(2, O, [0, -0.035]), bar(2, O, [0.02, -0.018]), bar(2, [0, -0.035], [0.02, -0.018])],
          [0.3, 0.6, 0.3, 1],
        ),
        frames: { hook: { position: [0.02, -0.018, 0] } },
      },
      innerLink: part(E, delta + phi, 0.00706, 5.667e-7, [0, -0.00579], [bar(3, O, [0, -0.02])], [0.5, 0.4, 0.7, 1]),
      innerArm: part(A, delta, 0.0705, 1.169e-5, [0.02308, 0.00916], [bar(4, O, [0.04, 0])], [0.2, 0.45, 0.7, 1]),
      outerLink: part(H, epsilon + omega, 0.00706, 5.667e-7, [0.00579, 0], [bar(5, O, [0.02, 0])], [0.5, 0.7, 0.7, 1]),
      outerArm: part(A, epsilon, 0.05498, 1.912e-5, [0.00449, -0.01228], [bar(6, O, [0, -0.04])], [0.35, 0.35, 0.4, 1]),
    },
    joints: {
      drive: revolute({ ...pin('crank', undefined, O), torque }), // β
      crankJoint: revolute(pin('link', 'crank', crankPin)), // Θ
      plateBearing: revolute(pin('plate', undefined, B)), // γ
      innerBearing: revolute(pin('innerArm', undefined, A)), // δ
      innerJoint: revolute(pin('innerLink', 'innerArm', E)), // Φ
      outerBearing: revolute(pin('outerArm', undefined, A)), // ε
      outerJoint: revolute(pin('outerLink', 'outerArm', H)), // Ω
      platePin: revolute(pin('plate', 'link', P)),
      innerPin: revolute(pin('innerLink', 'link', P)),
      outerPin: revolute(pin('outerLink', 'link', P)),
    },
    forces: {
      spring: spring({ from: [C[0], C[1], 0], to: 'plate.hook', stiffness, restLength }),
    },
    simulation: { stop: 0.03, interval: 1e-4, rtol: 1e-8 },
    plots: {
      'crank and link': ['drive.angle', 'crankJoint.angle'],
      'other angles': ['plateBearing.angle', 'innerJoint.angle', 'innerBearing.angle', 'outerBearing.angle'],
      spring: ['spring.length', 'spring.force'],
      energy: ['energy.kinetic', 'energy.elastic', 'energy.supplied'],
    },
  });
};
