// A triangle of balls that touch, hit by one more; 100 layers make 5050 balls: Elmqvist et al. (2015), Fig. 1.
// npx tippetop run examples/billiard --layers 100 --view
import { model } from 'tippetop';

const radius = 0.5; // m
const elastic = { density: 2000, youngsModulus: 1e7, poissonRatio: 0.3, restitution: 1, friction: 0 };

export default ({ layers = 100, speed = 1 /* m/s */, step = 4e-4 /* s */, stop = 8 /* s */ } = {}) => {
  const layer = (i: number) => Array.from({ length: i + 1 }, (_, j) => [(i * Math.sqrt(3)) / 2, j - i / 2, 0]);
  return model({
    title: `Billiard of ${(layers * (layers + 1)) / 2} balls`,
    gravity: 'none',
    grains: {
      species: { ball: { radius, material: elastic, restitution: 1, friction: 0 } },
      packings: {
        rack: {
          species: 'ball',
          arrangement: 'given',
          at: Array.from({ length: layers - 1 }, (_, i) => layer(i)).flat(),
        },
        back: { species: 'ball', arrangement: 'given', at: layer(layers - 1) },
        cue: { species: 'ball', arrangement: 'given', at: [[-1.05, 0, 0]], velocity: [speed, 0, 0] },
      },
      step,
      skin: 0.1,
    },
    simulation: { stop, interval: stop / 200 },
    plots: {
      'wave arrives': ['back.kinetic'],
      cue: ['cue.velocity.x'],
      energy: ['grains.energy', 'grains.kinetic', 'grains.elastic'],
    },
  });
};
