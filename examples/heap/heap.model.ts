// Boxes, balls, cylinders, capsules and hexagonal prisms of steel, oak and rubber fall into a tray and come to rest.
// npx tippetop run examples/heap --count 30
import {
  body,
  box,
  capsule,
  cos,
  cylinder,
  extrude,
  model,
  oak,
  rubber,
  type Solid,
  sin,
  sphere,
  steel,
  translate,
} from 'tippetop';

const materials = [steel, oak, rubber];
const colours = [
  [0.62, 0.65, 0.7, 1],
  [0.72, 0.52, 0.3, 1],
  [0.2, 0.2, 0.22, 1],
] as const;

export default ({
  count = 12,
  size = 0.05 /* m, of the solids */,
  depth = 5e-5 /* of a size: how deep they rest; 0: as hard as they are, at several times the steps */,
  rollingFriction = 0.02 /* 0: balls and cylinders roll on as long as nothing is in their way */,
  gravity = 9.81 /* m/s² */,
} = {}) => {
  const hexagon = (radius: number): [number, number][] =>
    Array.from({ length: 6 }, (_, k) => [radius * cos((k * Math.PI) / 3), radius * sin((k * Math.PI) / 3)]);
  const shape = (i: number): Solid => {
    const a = size * (0.8 + 0.08 * ((3 * i) % 7)); // five kinds, seven sizes, three materials: no two alike among 105
    switch (i % 5) {
      case 0:
        return box([a, 0.8 * a, 0.6 * a]);
      case 1:
        return sphere(0.4 * a);
      case 2:
        return cylinder({ radius: 0.35 * a, height: 0.8 * a });
      case 3:
        return capsule({ radius: 0.25 * a, height: 0.6 * a });
      default:
        return translate([0, 0, -0.3 * a], extrude(hexagon(0.45 * a), 0.6 * a));
    }
  };

  // Three by two in a layer, each layer turned against the one below
  const pitch = 1.6 * size;
  const solids = Array.from({ length: count }, (_, i) => {
    const layer = Math.floor(i / 6);
    const [column, row] = [i % 3, Math.floor((i % 6) / 3)];
    const aside = 0.1 * size;
    return body({
      shape: shape(i),
      material: materials[i % 3],
      colour: colours[i % 3],
      position: [
        (column - 1) * pitch + aside * cos(2.4 * i),
        (row - 0.5) * pitch + aside * sin(2.4 * i),
        1.2 * size + layer * pitch,
      ],
      orientation: { axis: [cos(2.4 * i), sin(2.4 * i), 0.3], angle: 1.1 * i },
    });
  });

  // walls as high as what falls in needs
  const walls = Math.max(1.5, 0.6 * Math.ceil(count / 6)) * size;
  const [length, width, height, wall] = [5 * size, 3.4 * size, walls, 0.2 * size];
  const slab = (x: number, y: number, z: number, at: [number, number, number]): Solid => translate(at, box([x, y, z]));
  const inside = 0.5 * (height - wall);
  return model({
    title: 'Heap',
    gravity: [0, 0, -gravity],
    contacts: { ...(depth > 0 && { depth }), defaults: { rollingFriction } },
    bodies: {
      tray: body({
        shape: [
          slab(length + 2 * wall, width + 2 * wall, wall, [0, 0, -0.5 * wall]),
          slab(wall, width + 2 * wall, height, [-0.5 * (length + wall), 0, inside]),
          slab(wall, width + 2 * wall, height, [0.5 * (length + wall), 0, inside]),
          slab(length, wall, height, [0, -0.5 * (width + wall), inside]),
          slab(length, wall, height, [0, 0.5 * (width + wall), inside]),
        ],
        material: oak,
        fixed: true,
        colour: [0.8, 0.7, 0.55, 0.35],
      }),
      solid: solids,
    },
    simulation: { stop: 2 },
    plots: { 'kinetic energy': 'energy.kinetic', 'force on the first': 'solid[0].contact.force.z' },
  });
};
