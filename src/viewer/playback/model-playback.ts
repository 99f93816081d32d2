/** A model that has not been run: one instant, as drawn. */
import { ModelError } from '../../errors.js';
import { NO_GRAINS } from '../../results/scene/grain-frames.js';
import { drawnPoses } from '../../results/scene/poses.js';
import { drawnSurfaces } from '../../results/scene/surface-frames.js';
import type { Scene } from '../../results/scene.js';
import type { Playback } from './playback.js';
import { noContacts } from './recording-playback.js';

export function modelPlayback(scene: Scene, parameters: Playback['parameters'] = {}): Playback {
  return {
    title: scene.title,
    scene,
    times: new Float64Array(1),
    signals: [],
    events: [],
    parameters,
    versions: {},
    trust: {},
    state: 'model',
    hash: '',
    pairs: [],
    frame: async () => ({
      time: 0,
      poses: drawnPoses(scene.bodies),
      velocities: new Float64Array(6 * scene.bodies.length).fill(Number.NaN),
    }),
    signal: async (name) => {
      throw new ModelError('playback.signal', `there is no signal "${name}": the model has not been run`);
    },
    contacts: async () => noContacts(),
    contactForces: async () => new Float64Array(1),
    deforms: false,
    surfaces: async () => drawnSurfaces(scene),
    surfaceRanges: async () => ({}),
    grains: async () => NO_GRAINS,
    close: () => undefined,
  };
}
