// A short bar of steel strikes a long one end on. Both deform as solids, so no coefficient of restitution is given: it comes out, as the ratio of
// their lengths (Saint-Venant; Goldsmith, Impact, 1960, ch. 2), for what the long bar rings with is lost to its flight.
// npx tippetop run examples/striking-bars --target 0.1
import { body, extrude, model } from 'tippetop';

export default ({
  striker = 0.1 /* m, its length */,
  target = 0.2 /* m, its length */,
  side = 0.02 /* m, of both square sections */,
  speed = 1 /* m/s of the striker */,
  modes = 60 /* of the target; the striker has as many per length */,
  damping = 0 /* of critical */,
} = {}) => {
  // ν = 0: bars of the theory, without inertia across them
  const steel = { density: 7850, youngsModulus: 210e9, poissonRatio: 0 };
  const waveSpeed = Math.sqrt(steel.youngsModulus / steel.density);
  const bar = (from: number, length: number, velocity: number, gauge: number) =>
    body({
      shape: extrude(
        [
          [from, -side / 2],
          [from + length, -side / 2],
          [from + length, side / 2],
          [from, side / 2],
        ],
        side,
      ),
      material: steel,
      // solids: one layer of tetrahedra, sides half as long as the bar is thick
      flexible: {
        grid: [Math.round((2 * length) / side), 1],
        layers: 1,
        modes: Math.round((modes * length) / target),
        damping,
        gauges: { middle: { at: [gauge, 0, side] } },
      },
      velocity: [velocity, 0, 0],
    });
  return model({
    title: 'bars that strike end on',
    gravity: 'none',
    bodies: {
      striker: bar(-striker - 1e-8, striker, speed, -striker / 2),
      target: bar(0, target, 0, target / 2),
    },
    contacts: { defaults: { friction: 0 } },
    plots: {
      'Force between the bars': ['contacts.*.force.x'],
      'Velocity of both': ['striker.velocity.x', 'target.velocity.x'],
      'Stress in the middle of both': ['striker.stress.middle.mises', 'target.stress.middle.mises'],
    },
    simulation: { stop: (4 * striker) / waveSpeed, interval: (0.02 * striker) / waveSpeed, rtol: 1e-5 },
  });
};
