// Boxes, balls and cylinders of oak poured into a box: steps of 4 ms, whatever they hit.
// npx tippetop run examples/heap-in-a-box --count 60
import { body, box, cylinder, halfSpace, model, oak, random, sphere, type Vec3 } from 'tippetop';

const colours = [
  [0.82, 0.53, 0.27, 1],
  [0.93, 0.8, 0.55, 1],
  [0.62, 0.36, 0.2, 1],
] as const;

export default ({ count = 30, width = 0.5 /* m, inside of the box */, seed = 3, step = 4e-3 /* s */ } = {}) => {
  const draw = random(seed);
  const size = (): number => draw.uniformBetween(0.06, 0.1);
  const perRow = Math.max(1, Math.floor(width / 0.16));
  const wall = (extent: Vec3, position: Vec3) =>
    body({ shape: box(extent), material: oak, position, fixed: true, colour: [0.6, 0.65, 0.7, 0.25] });
  const thing = (i: number) => {
    const shape =
      i % 3 === 0
        ? box([size(), size(), size()])
        : i % 3 === 1
          ? sphere(size() / 2)
          : cylinder({ radius: size() / 2, height: size() });
    const place = (k: number): number => (k - (perRow - 1) / 2) * 0.16;
    return body({
      shape,
      material: oak,
      position: [
        place(i % perRow),
        place(Math.floor(i / perRow) % perRow),
        0.1 + 0.16 * Math.floor(i / (perRow * perRow)),
      ],
      orientation: draw.rotation(),
      colour: colours[i % 3],
    });
  };
  return model({
    title: 'A heap in a box',
    bodies: {
      floor: body({ shape: halfSpace({ extent: 1 }), material: oak, fixed: true, colour: [0.8, 0.78, 0.72, 1] }),
      wall: [
        wall([0.02, width + 0.04, 0.25], [width / 2 + 0.01, 0, 0.125]),
        wall([0.02, width + 0.04, 0.25], [-width / 2 - 0.01, 0, 0.125]),
        wall([width, 0.02, 0.25], [0, width / 2 + 0.01, 0.125]),
        wall([width, 0.02, 0.25], [0, -width / 2 - 0.01, 0.125]),
      ],
      thing: Array.from({ length: count }, (_, i) => thing(i)),
    },
    simulation: { integrator: 'time-stepping', step, stop: 3, interval: 0.02 },
    plots: { heights: 'thing*.position.z', energy: 'energy.*' },
  });
};
