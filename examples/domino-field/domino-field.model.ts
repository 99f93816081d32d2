// Five hundred dominoes in twenty lines; a board falls on the first of each.
// npx tippetop run examples/domino-field --lines 5 --each 40
import { body, box, halfSpace, model, oak } from 'tippetop';

const [thickness, width, height] = [7.5e-3, 24e-3, 48e-3]; // m, of a domino

export default ({
  lines = 20,
  each = 25,
  spacing = 0.024 /* m, from domino to domino */,
  step = 2e-3 /* s */,
} = {}) => {
  const across = 0.032; // m, from line to line
  const board = lines * across;
  return model({
    title: 'A field of dominoes',
    bodies: {
      table: body({
        shape: halfSpace({ extent: 0.6 }),
        material: oak,
        fixed: true,
        position: [0.5 * each * spacing, 0, 0],
        colour: [0.8, 0.78, 0.72, 1],
      }),
      board: body({
        shape: box([2 * thickness, board, 1.5 * height]),
        material: oak,
        position: [-1.5 * spacing, 0, 0.75 * height],
        // a push that takes it over its edge
        angularVelocity: [0, 6, 0],
        velocity: [6 * 0.75 * height, 0, 6 * thickness],
        colour: [0.5, 0.35, 0.25, 1],
      }),
      domino: Array.from({ length: lines * each }, (_, i) =>
        body({
          shape: box([thickness, width, height]),
          material: oak,
          position: [(i % each) * spacing, (Math.floor(i / each) - (lines - 1) / 2) * across, height / 2],
          colour: Math.floor(i / each) % 2 === 0 ? [0.86, 0.55, 0.3, 1] : [0.35, 0.5, 0.65, 1],
        }),
      ),
    },
    contacts: { defaults: { friction: 0.3, restitution: 0.2 } },
    simulation: { integrator: 'time-stepping', step, stop: 1.2, interval: 0.02 },
    plots: { last: `domino[${each - 1}].position.*`, energy: 'energy.*' },
  });
};
