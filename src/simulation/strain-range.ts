/** Says where a body deformed more than small strain in its frame can tell. */
import { NODE, type System } from '../assembly/system.js';
import type { Recording } from '../results/recording.js';
import { coordinateNames } from '../results/scene/flexible-scene.js';

/** rad: beyond this an end that turns also shortens its part noticeably, by a part of θ²/6 */
const LARGEST_TURN = 0.1;

export function strainNotes({ flexible = [], tree }: System, recording: Recording): string[] {
  return flexible.flatMap(({ name, nodes, membrane }) => {
    const signals = coordinateNames(name.slice(name.indexOf('.') + 1), nodes.length);
    let most = 0;
    nodes.forEach((node, k) => {
      if (tree.kind[node] !== NODE.revolute || !recording.has(signals[k])) return;
      for (const value of recording.signal(signals[k]).values) most = Math.max(most, Math.abs(value));
    });
    if (most <= LARGEST_TURN * (membrane ? 3 : 1)) return [];
    return [
      `${name} turns by ${most.toPrecision(2)} rad at an interface against its frame, more than its strain is good for; ` +
        (membrane ? 'take more substructures' : 'take substructures if it is a straight strip, or a stiffer part'),
    ];
  });
}
