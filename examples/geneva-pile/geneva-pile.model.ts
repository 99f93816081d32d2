// Geneva wheels fall on a heap: solids that are not convex, slot over tooth, in steps of known length.
// npx tippetop run examples/geneva-pile --count 10
import { body, brass, genevaWheel, halfSpace, model, random } from 'tippetop';

export default ({ count = 6, radius = 0.03 /* m */, seed = 5, step = 1e-3 /* s */ } = {}) => {
  const draw = random(seed);
  const shape = genevaWheel({ slots: 4, radius, height: 0.3 * radius, segments: 32 });
  return model({
    title: 'A pile of Geneva wheels',
    bodies: {
      floor: body({ shape: halfSpace({ extent: 0.2 }), material: brass, fixed: true, colour: [0.8, 0.78, 0.72, 1] }),
      wheel: Array.from({ length: count }, (_, i) =>
        body({
          shape,
          material: brass,
          position: [
            draw.uniformBetween(-0.3, 0.3) * radius,
            draw.uniformBetween(-0.3, 0.3) * radius,
            (0.4 + 0.7 * i) * radius,
          ],
          orientation: [1, 0, 0, draw.uniformBetween(0, 0.5)],
          colour: i % 2 === 0 ? [0.8, 0.65, 0.3, 1] : [0.6, 0.45, 0.2, 1],
        }),
      ),
    },
    contacts: { defaults: { friction: 0.3, restitution: 0.1 } },
    simulation: { integrator: 'time-stepping', step, stop: 1, interval: 0.01 },
    plots: { heights: 'wheel*.position.z', energy: 'energy.*' },
  });
};
