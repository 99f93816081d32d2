// A steel ball flies into a wall of loose bricks.
// npx tippetop run examples/wall-and-ball --speed 12 --rows 8
import { body, box, halfSpace, model, oak, sphere, steel, type Vec3 } from 'tippetop';

const [length, depth, height] = [0.2, 0.1, 0.08]; // m, of a brick

export default ({ rows = 6, columns = 5, speed = 8 /* m/s */, step = 2e-3 /* s */ } = {}) => {
  const brick = (row: number, column: number, size: Vec3, x: number) =>
    body({
      shape: box(size),
      material: oak,
      position: [x, 0, (row + 0.5) * height],
      colour: (row + column) % 2 === 0 ? [0.75, 0.35, 0.25, 1] : [0.85, 0.5, 0.35, 1],
    });
  // a running bond: every other row is shifted by half a brick and has half bricks at its ends
  const wall = Array.from({ length: rows }, (_, row) =>
    row % 2 === 0
      ? Array.from({ length: columns }, (_, i) => brick(row, i, [length, depth, height], (i + 0.5) * length))
      : [
          brick(row, 0, [length / 2, depth, height], length / 4),
          ...Array.from({ length: columns - 1 }, (_, i) =>
            brick(row, i + 1, [length, depth, height], (i + 1) * length),
          ),
          brick(row, columns, [length / 2, depth, height], (columns - 0.25) * length),
        ],
  ).flat();
  return model({
    title: 'A wall and a ball',
    bodies: {
      floor: body({
        shape: halfSpace({ extent: 3 }),
        material: oak,
        fixed: true,
        position: [(columns * length) / 2, 0.5, 0],
        colour: [0.8, 0.78, 0.72, 1],
      }),
      ball: body({
        shape: sphere(0.06),
        material: steel,
        position: [(columns * length) / 2, -0.6, 0.65 * rows * height],
        velocity: [0, speed, 0.3],
        colour: [0.4, 0.45, 0.5, 1],
      }),
      brick: wall,
    },
    simulation: { integrator: 'time-stepping', step, stop: 1, interval: 0.01 },
    plots: { ball: 'ball.velocity.*', energy: 'energy.*' },
  });
};
