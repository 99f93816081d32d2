// A slender beam on a hub that is brought up to speed: it lags behind, and its own centrifugal pull straightens it again.
// npx tippetop run examples/spin-up-beam --pieces 8
import { applied, body, cos, extrude, model, revolute } from 'tippetop';

const length = 10; // m
const [axial, bending, massPerLength] = [2.8e7 /* EA, N */, 1.4e4 /* EI, N m² */, 1.2 /* kg/m */];
const [speed, time] = [6 /* rad/s */, 15 /* s */];

export default ({
  pieces = 4,
  membrane = true,
  damping = 0.01,
  straightAt = 7.5 /* s, when the hub points along x */,
} = {}) => {
  const height = Math.sqrt((12 * bending) / axial); // of a strip 1 m thick
  const turn = (t: number) =>
    t < time
      ? (speed / time) * ((t * t) / 2 + (time / (2 * Math.PI)) ** 2 * (cos((2 * Math.PI * t) / time) - 1))
      : speed * (t - time / 2);
  const start = -turn(straightAt);
  const along: [number, number, number] = [length * cos(start), -length * cos(start + Math.PI / 2), 0];
  return model({
    title: 'spin-up of a beam',
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
          1,
        ),
        material: { density: massPerLength / height, youngsModulus: axial / height, poissonRatio: 1 / 6 },
        orientation: { axis: [0, 0, 1], angle: start },
        frames: { tip: { position: [length, 0, 0] } },
        flexible: { grid: [20 * pieces, 2], modes: 0, damping, substructures: pieces, membrane },
      }),
    },
    joints: { hub: revolute({ body: 'beam', axis: [0, 0, 1], angle: turn }) },
    forces: { tip: applied({ on: { body: 'beam', at: along }, force: [0, 0, 0] }) },
    plots: { 'Free end': ['beam.tip.position.x', 'beam.tip.position.y'], 'Stress at the hub': ['beam.stress.largest'] },
    simulation: { stop: 10, rtol: 1e-5, interval: 0.02 },
  });
};
