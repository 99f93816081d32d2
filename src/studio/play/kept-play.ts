/** What a hand did, as data: cut at a time to go on from there, or as a model that does it again. */
import type { HandNote } from '../../simulation/hand.js';
import type { Data, JsonModel, PlayInputs } from '../document/document.js';
import { STEPS_PER_ROW } from '../run/messages.js';

/** Notes before t; what is held then is let go of. */
export function notesUntil(notes: readonly HandNote[], t: number): HandNote[] {
  const before = notes.filter((note) => note.t < t);
  const open = new Set<number>();
  for (const { action, grip = 0 } of before)
    if (action === 'grab') open.add(grip);
    else if (action === 'release') open.delete(grip);
  return [...before, ...[...open].map((grip): HandNote => ({ t, action: 'release', grip }))];
}

/** The scene with the play in it: `tippetop run` does it again, and its recording has the same hash. */
export function modelOfPlay(model: JsonModel, title: string, { step, duration, notes }: PlayInputs): JsonModel {
  return {
    ...model,
    title,
    simulation: {
      integrator: 'time-stepping',
      step,
      interval: STEPS_PER_ROW * step,
      stop: duration,
      handling: notes as readonly Data[],
    },
  };
}
