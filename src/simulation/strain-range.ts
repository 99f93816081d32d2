/** Says where a body deformed more than small strain in its frame can tell. */
import { NODE, type System } from '../assembly/system.js';
import type { Recording } from '../results/recording.js';
import { coordinateNames } from '../results/scene/flexible-scene.js';

/** rad: beyond this an end that turns also shortens its part noticeably, by a part of θ²/6 */
const LARGEST_TURN = 0.1;

/** Beyond this strain the change of lengths and sections counts, which small strain leaves out; few materials stay elastic so far */
const LARGEST_STRAIN = 0.05;

/** Bodies strained beyond what small strain tells: their shape and stress are a rough guess, and the run is doubtful. */
export function overstrained({ flexible = [] }: System, recording: Recording): { reason: string; remedy: string }[] {
  return flexible.flatMap(({ name, part }) => {
    const stress = `${ownName(name)}.stress.largest`;
    if (!recording.has(stress)) return [];
    let strain = 0;
    for (const value of recording.signal(stress).values) strain = Math.max(strain, value / part.material.youngsModulus);
    if (!(strain > LARGEST_STRAIN)) return [];
    return [
      {
        reason: `${name} is strained by ${(100 * strain).toPrecision(2)} %, and small strain is good to ${100 * LARGEST_STRAIN} %: its shape and stress are a rough guess`,
        remedy: 'check its youngsModulus and its loads; a part that is meant to stretch so far is beyond this theory',
      },
    ];
  });
}

export function turnNotes({ flexible = [], tree }: System, recording: Recording): string[] {
  return flexible.flatMap(({ name, nodes, membrane }) => {
    const signals = coordinateNames(ownName(name), nodes.length);
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

/** `bodies.arm` is `arm` in the names of signals */
const ownName = (name: string): string => name.slice(name.indexOf('.') + 1);
