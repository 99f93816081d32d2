// A row of dominoes knocked over by the first. And a box packed tight with them, from which a side is taken away.
// npx tippetop run examples/dominoes --count 30 --spacing 0.015
// npx tippetop run examples/dominoes --model packed
import { acrylic, body, box, cos, fixed, halfSpace, model, planar, sin, type Vec3 } from 'tippetop';

const red = [0.85, 0.45, 0.15, 1] as const;
const white = [0.95, 0.93, 0.88, 1] as const;
const [height, width, thickness] = [0.048, 0.024, 0.0075]; // m

export default ({
  count = 20,
  spacing = 0.02 /* m from face to face */,
  push = 0.5 /* m/s with which the top of the first starts */,
  friction = 0.2 /* of two dominoes */,
  floorFriction = 0.6,
  restitution = 0.2,
  inPlane = true /* kept from turning aside */,
  modulus = 1e7 /* Pa, reduced, of all contacts */,
} = {}) => {
  const pitch = thickness + spacing;
  const spin = push / height; // about the lower front edge, which does not move
  const start = (i: number): Vec3 => [i * pitch, 0, height / 2];
  const velocity: Vec3 = [push / 2, 0, (spin * thickness) / 2];
  return model({
    title: 'Dominoes',
    bodies: {
      floor: body({
        shape: halfSpace({ extent: (count + 2) * pitch }),
        material: acrylic,
        fixed: true,
        position: [((count - 1) * pitch) / 2, 0, 0],
        colour: [0.8, 0.78, 0.72, 1],
      }),
      domino: Array.from({ length: count }, (_, i) =>
        body({
          shape: box([thickness, width, height]),
          material: acrylic,
          position: start(i),
          ...(i === 0 && !inPlane && { velocity, angularVelocity: [0, spin, 0] }),
          colour: i % 2 === 0 ? red : white,
        }),
      ),
    },
    joints: {
      ...(inPlane && {
        plane: Array.from({ length: count }, (_, i) =>
          planar({
            body: `domino[${i}]`,
            normal: [0, 1, 0],
            at: start(i),
            ...(i === 0 && { initialVelocity: velocity, initialSpin: spin }),
          }),
        ),
      }),
    },
    contacts: {
      defaults: { friction, restitution, reducedModulus: modulus },
      pairs: [{ between: ['floor', 'domino'], friction: floorFriction }],
    },
    simulation: { stop: 0.035 * count, interval: 0.002, rtol: 1e-5 },
    plots: { places: 'domino*.position.x', energy: 'energy.*' },
  });
};

/** A box packed tight with dominoes on end, tilted towards a side that lets go. */
export const packed = ({
  count = 10,
  tilt = 15 /* degrees by which the box is tilted towards the side that lets go */,
  release = 0.5 /* s */,
  friction = 0.3,
  restitution = 0.3,
  modulus = 1e7 /* Pa, reduced, of all contacts */,
} = {}) => {
  const wall = 0.005; // m
  const inside = count * thickness;
  const angle = (tilt * Math.PI) / 180;
  const side = (size: Vec3, position: Vec3) =>
    body({ shape: box(size), material: acrylic, fixed: true, position, colour: [0.6, 0.65, 0.7, 0.4] });
  return model({
    title: 'A box of dominoes',
    gravity: [9.81 * sin(angle), 0, -9.81 * cos(angle)], // drawn in the axes of the box
    bodies: {
      floor: body({
        shape: halfSpace({ extent: 0.5 }),
        material: acrylic,
        fixed: true,
        position: [0.2, 0, 0],
        colour: [0.8, 0.78, 0.72, 1],
      }),
      back: side([wall, width + 2 * wall, height], [-wall / 2, 0, height / 2]),
      left: side([inside, wall, height], [inside / 2, (width + wall) / 2, height / 2]),
      right: side([inside, wall, height], [inside / 2, -(width + wall) / 2, height / 2]),
      gate: body({
        shape: box([wall, width + 2 * wall, height]),
        material: acrylic,
        position: [inside + wall / 2, 0, height / 2],
        colour: [0.45, 0.6, 0.8, 1],
      }),
      domino: Array.from({ length: count }, (_, i) =>
        body({
          shape: box([thickness, width, height]),
          material: acrylic,
          position: [(i + 0.5) * thickness, 0, height / 2],
          colour: i % 2 === 0 ? red : white,
        }),
      ),
    },
    joints: { latch: fixed({ body: 'gate' }) },
    events: { open: { at: release, release: 'latch' } },
    contacts: {
      defaults: { friction, restitution, reducedModulus: modulus },
      sensors: [
        ['domino[0]', 'domino[1]'],
        ['domino[4]', 'domino[5]'],
      ],
    },
    simulation: { stop: 1.2, interval: 0.005 },
    plots: { places: 'domino*.position.x', 'force on the gate': 'gate.contact.force.*', energy: 'energy.*' },
  });
};
