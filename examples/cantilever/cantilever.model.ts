// A steel strip, clamped at one end, bent by a weight at the other that is cut off: statics first, then its modes ring.
// npx tippetop run examples/cantilever --load 500
import { applied, body, extrude, fixed, model } from 'tippetop';

export default ({
  length = 1 /* m */,
  height = 0.1 /* m */,
  thickness = 0.01 /* m */,
  youngsModulus = 210e9 /* Pa */,
  load = 1000 /* N, at the free end */,
  letGo = 0.005 /* s */,
  damping = 0.005,
  modes = 6,
} = {}) =>
  model({
    title: 'cantilever',
    gravity: [0, 0, 0],
    contacts: false,
    bodies: {
      beam: body({
        shape: extrude(
          [
            [0, -height / 2],
            [length, -height / 2],
            [length, height / 2],
            [0, height / 2],
          ],
          thickness,
        ),
        material: { density: 7850, youngsModulus, poissonRatio: 0.3 },
        frames: { tip: { position: [length, 0, 0] } },
        flexible: {
          grid: [40, 4],
          modes,
          damping,
          membrane: false,
          gauges: { root: { at: [0.1 * length, height / 2] } },
        },
      }),
    },
    joints: { wall: fixed({ body: 'beam' }) },
    forces: {
      weight: applied({ on: { body: 'beam', at: [length, 0, 0] }, force: (t) => [0, t < letGo ? -load : 0, 0] }),
    },
    plots: { 'Free end': ['beam.tip.position.y'], 'Stress near the wall': ['beam.stress.root.mises'] },
    simulation: { start: 'equilibrium', stop: 0.05, interval: 2e-4, rtol: 1e-5 },
  });
