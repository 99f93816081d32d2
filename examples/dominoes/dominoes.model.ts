// A row of dominoes knocked over by the first. And a box packed tight with them, from which a side is taken away.
// npx tippetop run examples/dominoes --count 30 --spacing 0.015
import { acrylic, body, box, cos, fixed, sin, halfSpace, model, planar } from 'tippetop';

export default ({
  count = 20,
  height = 0.048 /* m */,
  width = 0.024 /* m */,
  thickness = 0.0075 /* m */,
  spacing = 0.02 /* m from face to face */,
  push = 0.5 /* m/s with which the top of the first starts */,
  friction = 0.2 /* of two dominoes */,
  floorFriction = 0.6,
  restitution = 0.4,
  inPlane = true /* held from turning aside */,
  modulus = 0,
  tolerance = 0.01 /* of depths */,
} = {}) => {
  const pitch = thickness + spacing;
  return model({
    title: 'Dominoes',
    bodies: {
      floor: body({ shape: halfSpace(), material: acrylic, fixed: true, colour: [0.8, 0.78, 0.72, 1] }),
      domino: Array.from({ length: count }, (_, i) =>
        body({
          shape: box([thickness, width, height]),
          material: acrylic,
          position: [i * pitch, 0, height / 2],
          ...(i === 0 && !inPlane && { velocity: [push / 2, 0, 0], angularVelocity: [0, push / height, 0] }),
          colour: i % 2 === 0 ? [0.85, 0.45, 0.15, 1] : [0.95, 0.93, 0.88, 1],
        }),
      ),
    },
    joints: inPlane ? { track: Array.from({ length: count }, (_, i) => planar({ body: `domino[${i}]`, normal: [0, 1, 0], at: [i * pitch, 0, height / 2], ...(i === 0 && { initialSpin: push / height, initialVelocity: [push / 2, 0, 0] }) })) } : {},
    contacts: {
      tolerance,
      defaults: { friction, restitution, ...(modulus > 0 && { reducedModulus: modulus }) },
      pairs: [{ between: ['floor', 'domino'], friction: floorFriction }],
    },
    simulation: { stop: 1.2, interval: 0.002 },
  });
};

/** A box packed tight with dominoes on end, tilted towards a side that lets go. */
export const packed = ({
  count = 10,
  height = 0.048 /* m */,
  width = 0.024 /* m */,
  thickness = 0.0075 /* m */,
  wall = 0.005 /* m */,
  tilt = 15 /* degrees by which the box is tilted towards the side that lets go */,
  release = 0.5 /* s */,
  friction = 0.3,
  restitution = 0.3,
  modulus = 1e8,
} = {}) => {
  const inside = count * thickness;
  const angle = (tilt * Math.PI) / 180;
  const side = (size: readonly [number, number, number], position: readonly [number, number, number]) =>
    body({ shape: box(size), material: acrylic, fixed: true, position, colour: [0.6, 0.65, 0.7, 0.4] });
  return model({
    title: 'A box of dominoes',
    gravity: [9.81 * sin(angle), 0, -9.81 * cos(angle)],
    bodies: {
      floor: body({ shape: halfSpace(), material: acrylic, fixed: true, colour: [0.8, 0.78, 0.72, 1] }),
      back: side([wall, width + 2 * wall, height], [-wall / 2, 0, height / 2]),
      left: side([inside, wall, height], [inside / 2, (width + wall) / 2, height / 2]),
      right: side([inside, wall, height], [inside / 2, -(width + wall) / 2, height / 2]),
      gate: body({ shape: box([wall, width + 2 * wall, height]), material: acrylic, position: [inside + wall / 2, 0, height / 2] }),
      domino: Array.from({ length: count }, (_, i) =>
        body({
          shape: box([thickness, width, height]),
          material: acrylic,
          position: [(i + 0.5) * thickness, 0, height / 2],
          colour: i % 2 === 0 ? [0.85, 0.45, 0.15, 1] : [0.95, 0.93, 0.88, 1],
        }),
      ),
    },
    joints: { latch: fixed({ body: 'gate' }) },
    events: { open: { at: release, release: 'latch' } },
    contacts: { defaults: { friction, restitution, reducedModulus: modulus } },
    simulation: { stop: 1.5, interval: 0.005 },
  });
};
