/** Says where a body deformed more than small strain in its frame can tell. */
import { NODE, type System } from '../assembly/system.js';
import type { Recording } from '../results/recording.js';
import { coordinateNames } from '../results/scene/flexible-scene.js';

/** rad: beyond this an end that turns also shortens its part noticeably, by a part of θ²/6 */
const LARGEST_TURN = 0.1;

/** Beyond this strain the change of lengths and sections counts, which small strain leaves out; few materials stay elastic so far */
const LARGEST_STRAIN = 0.05;

export function strainNotes({ flexible = [], tree }: System, recording: Recording): string[] {
  return flexible.flatMap(({ name, nodes, membrane, part }) => {
    const own = name.slice(name.indexOf('.') + 1);
    const signals = coordinateNames(own, nodes.length);
    const notes: string[] = [];
    const stress = `${own}.stress.largest`;
    if (recording.has(stress)) {
      let strain = 0;
      for (const value of recording.signal(stress).values)
        strain = Math.max(strain, value / part.material.youngsModulus);
      if (strain > LARGEST_STRAIN)
        notes.push(
          `${name} is strained by ${(100 * strain).toPrecision(2)} %, more than small strain is good for: its shape and stress are a rough guess; check its modulus and loads`,
        );
    }
    let most = 0;
    nodes.forEach((node, k) => {
      if (tree.kind[node] !== NODE.revolute || !recording.has(signals[k])) return;
      for (const value of recording.signal(signals[k]).values) most = Math.max(most, Math.abs(value));
    });
    if (most <= LARGEST_TURN * (membrane ? 3 : 1)) return notes;
    return [
      ...notes,
      `${name} turns by ${most.toPrecision(2)} rad at an interface against its frame, more than its strain is good for; ` +
        (membrane ? 'take more substructures' : 'take substructures if it is a straight strip, or a stiffer part'),
    ];
  });
}
