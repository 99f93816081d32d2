// Restitution and friction of a ball on a floor, from its filmed track: 240 frames a second for 1.2 s, two bounces, noise of 2 mm.
// npx tippetop study run thrown-ball
import { study } from 'tippetop';

export default study({
  title: 'Thrown ball: restitution and friction from a track',
  model: 'thrown-ball.model.ts',
  parameters: {
    restitution: { from: 0.3, to: 0.95 },
    friction: { from: 0.02, to: 0.3 },
  },
  search: { kind: 'levenberg-marquardt' },
  measurements: {
    file: 'track.csv',
    signals: {
      'ball.position.x': { column: 'x', deviation: 2e-3 },
      'ball.position.z': { column: 'z', deviation: 2e-3 },
    },
  },
  outputs: { reach: "final('ball.position.x')" },
});
