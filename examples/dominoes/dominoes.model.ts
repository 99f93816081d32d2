// A row of dominoes knocked over by the first. And a box packed tight with them, from which a side is taken away.
// npx tippetop run examples/dominoes --count 30 --spacing 0.015
import { acrylic, body, box, halfSpace, model, planar } from 'tippetop';

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
