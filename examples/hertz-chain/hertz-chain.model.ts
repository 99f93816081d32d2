// A row of balls struck by one of them: the blow travels as a single hump a few balls wide, a solitary wave (Nesterenko 1983).
// npx tippetop run examples/hertz-chain --view
import { model } from 'tippetop';

export default ({
  balls = 60,
  radius = 0.01, // m
  speed = 1, // m/s, of the first
} = {}) => {
  const steel = { density: 7850, youngsModulus: 210e9, poissonRatio: 0.3, restitution: 1, friction: 0 };
  const row = Array.from({ length: balls }, (_, k) => [2 * radius * k, 0, 0]);
  return model({
    title: 'Hertz chain',
    gravity: 'none',
    grains: {
      species: { ball: { radius, material: steel, restitution: 1, friction: 0 } },
      packings: {
        striker: { species: 'ball', arrangement: 'given', at: row.slice(0, 1), velocity: [speed, 0, 0] },
        row: { species: 'ball', arrangement: 'given', at: row.slice(1, 20) },
        first: { species: 'ball', arrangement: 'given', at: [row[20]] },
        between: { species: 'ball', arrangement: 'given', at: row.slice(21, 40) },
        second: { species: 'ball', arrangement: 'given', at: [row[40]] },
        rest: { species: 'ball', arrangement: 'given', at: row.slice(41) },
      },
      step: 2e-7,
    },
    simulation: { stop: 1.4e-3, interval: 1e-6 },
    plots: { 'the wave passes': ['first.velocity.x', 'second.velocity.x'], 'greatest force': 'grains.force' },
  });
};
