// A steel ball falls on an aluminium plate that one edge holds, beside its middle line: the plate bends and twists, and rings when the ball has left it.
// npx tippetop run examples/ball-on-plate --aside 0
import { body, extrude, fixed, model, sphere } from 'tippetop';

export default ({
  length = 0.16 /* m, from the wall */,
  width = 0.08 /* m */,
  thickness = 0.004 /* m */,
  radius = 0.012 /* m, of the ball */,
  height = 0.05 /* m that it falls */,
  aside = 0.024 /* m, from the middle line */,
  modes = 8,
} = {}) =>
  model({
    title: 'ball on a plate',
    gravity: [0, 0, -9.81],
    bodies: {
      plate: body({
        shape: extrude(
          [
            [0, -width / 2],
            [length, -width / 2],
            [length, width / 2],
            [0, width / 2],
          ],
          thickness,
        ),
        material: { density: 2700, youngsModulus: 70e9, poissonRatio: 0.33 },
        // a solid: two layers of tetrahedra over the thickness
        flexible: { grid: [12, 6], layers: 2, modes, gauges: { root: { at: [0.1 * length, 0, thickness] } } },
        frames: { tip: { position: [length, 0, thickness] } },
      }),
      ball: body({
        shape: sphere(radius),
        material: { density: 7850, youngsModulus: 210e9, poissonRatio: 0.3 },
        position: [0.75 * length, aside, thickness + radius + height],
      }),
    },
    joints: { wall: fixed({ body: 'plate', at: [0, 0, 0] }) },
    contacts: { defaults: { friction: 0.2 } },
    plots: {
      'Tip of the plate': ['plate.tip.position.z'],
      'Stress near the wall': ['plate.stress.root.mises'],
      'Force of the ball': ['contacts.plate-ball.force.z'],
    },
    simulation: { stop: 0.14, interval: 2e-4, rtol: 1e-5 },
  });
