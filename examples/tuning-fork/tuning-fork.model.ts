// A tuning fork of steel, struck on both prongs at once: it rings at one frequency, that of its prongs, and its stem hardly moves.
// npx tippetop run examples/tuning-fork --length 0.09
import { applied, body, extrude, fixed, model, type Outline } from 'tippetop';

export default ({
  length = 0.1 /* m, of the prongs from the bottom of the fork */,
  width = 0.004 /* m, of a prong */,
  gap = 0.008 /* m between them */,
  thickness = 0.006 /* m */,
  blow = 40 /* N */,
  damping = 0.001,
} = {}) => {
  const half = gap / 2 + width;
  const stem = 0.03; // m
  const outline: Outline = [
    [-width / 2, -stem],
    [width / 2, -stem],
    [width / 2, 0],
    [half, 0.004],
    [half, length],
    [gap / 2, length],
    [gap / 2, width + gap / 2, -1], // round at the bottom
    [-gap / 2, width + gap / 2],
    [-gap / 2, length],
    [-half, length],
    [-half, 0.004],
    [-width / 2, 0],
  ];
  const duration = 2e-4; // s
  const pulse = (t: number): number => (t < duration ? blow * Math.sin((Math.PI * t) / duration) : 0);
  const tip = (side: number) => [side * (half - width / 2), length, 0] as const;
  return model({
    title: 'tuning fork',
    gravity: 'none',
    contacts: false,
    bodies: {
      fork: body({
        shape: extrude(outline, thickness),
        material: { density: 7850, youngsModulus: 210e9, poissonRatio: 0.3 },
        frames: { right: { position: tip(1) }, stem: { position: [0, -stem / 2, 0] } },
        flexible: { meshSize: 0.002, modes: 4, damping, membrane: false, gauges: { root: { at: [half, 0.02] } } },
      }),
    },
    joints: { hand: fixed({ body: 'fork', at: [0, -stem, 0] }) },
    forces: {
      right: applied({ on: { body: 'fork', at: tip(1) }, force: (t) => [-pulse(t), 0, 0] }),
      left: applied({ on: { body: 'fork', at: tip(-1) }, force: (t) => [pulse(t), 0, 0] }),
    },
    plots: { 'Right prong': ['fork.right.position.x'], 'Stress at its root': ['fork.stress.root.mises'] },
    simulation: { stop: 0.03, interval: 5e-5, rtol: 1e-5 },
  });
};
