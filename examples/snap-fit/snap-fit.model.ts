// A snap-fit hook of nylon is pushed over a catch: it bends out of the way and clicks home.
// npx tippetop run examples/snap-fit --friction 0.1
import { body, extrude, fixed, model, prismatic } from 'tippetop';

export default ({
  length = 0.03 /* m */,
  height = 0.002 /* m */,
  thickness = 0.006 /* m */,
  hook = 0.0015 /* m, deep */,
  clearance = 0.0003 /* m, between hook arm and catch */,
  friction = 0.2,
  speed = 0.2 /* m/s */,
  modes = 6,
  damping = 0.02,
} = {}) => {
  const nylon = { density: 1140, youngsModulus: 2.8e9, poissonRatio: 0.4, friction };
  const back = length - 0.0035; // the steep side of the hook
  const start = 0.006; // m, how far the catch is at first
  return model({
    title: 'snap-fit',
    gravity: [0, 0, 0],
    bodies: {
      clip: body({
        shape: extrude(
          [
            [0, 0],
            [back, 0],
            [back + 0.0004, -hook],
            [back + 0.0009, -hook],
            [length, -0.0002],
            [length, height],
            [0, height],
          ],
          thickness,
        ),
        material: nylon,
        frames: {
          tip: { position: [length, height, thickness / 2] },
          nose: { position: [back + 0.0009, -hook, thickness / 2] },
        },
        flexible: { meshSize: 0.0007, modes, damping, gauges: { root: { at: [0.005, height] } } },
      }),
      catch: body({
        shape: extrude(
          [
            [0, -0.006],
            [0.003, -0.006],
            [0.003, 0],
            [0, 0],
          ],
          thickness,
        ),
        material: { density: 7850, youngsModulus: 210e9, poissonRatio: 0.3, friction },
        position: [length + start, -clearance, 0],
      }),
    },
    joints: {
      wall: fixed({ body: 'clip', at: [0, height / 2, thickness / 2] }),
      push: prismatic({ body: 'catch', axis: [1, 0, 0], speed: -speed }),
    },
    plots: {
      'Nose of the hook': ['clip.nose.position.y'],
      'Force to push': ['contacts.clip-catch.force.x'],
      'Stress near the wall': ['clip.stress.root.mises', 'clip.stress.largest'],
    },
    simulation: { stop: 0.07, interval: 2e-4, rtol: 1e-4 },
  });
};
