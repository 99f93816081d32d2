/** A play that is gone back in has the recording of one that never was, and takes it up from a snapshot. */
import { expect, test, vi } from 'vitest';
import { modelFromJson } from '../../model/json.js';
import type { HandNote } from '../../simulation/hand.js';
import { Simulation } from '../../simulation/simulation.js';
import { notesUntil } from '../play/kept-play.js';
import type { Answer } from './messages.js';
import { Runner } from './runner.js';

const MODEL = {
  title: 'brick',
  bodies: {
    floor: { shape: { halfSpace: {} }, material: 'oak', fixed: true },
    brick: { shape: { box: { size: [0.1, 0.1, 0.1] } }, material: 'oak', position: [0, 0, 0.2] },
  },
};
const STEP = 0.004;

test('back in time and on again: the recording is that of the notes alone', async () => {
  const answers: Answer[] = [];
  const restore = vi.spyOn(Simulation.prototype, 'restore');
  const runner = new Runner({
    build: async () => ({ model: built, parameters: [] }),
    post: (answer) => answers.push(answer),
    versions: {},
  });
  const built = await modelFromJson(MODEL, {});
  const source = { kind: 'scene', model: MODEL, files: {} } as never;
  await runner.receive({ kind: 'play', number: 1, source, play: { step: STEP } });
  await runner.receive({ kind: 'until', time: 3.1 });
  await runner.receive({ kind: 'hand', note: { action: 'grab', grip: 0, body: 'brick', point: [0.02, 0, 0.1] } });
  await runner.receive({ kind: 'hand', note: { action: 'move', grip: 0, point: [0.2, 0, 0.5] } });
  await runner.receive({ kind: 'until', time: 3.6 });
  const asked = async (what: 'notes'): Promise<HandNote[]> => {
    await runner.receive({ kind: 'ask', number: -1, what });
    const last = answers.at(-1);
    return JSON.parse((last?.kind === 'answer' && last.text) || '[]') as HandNote[];
  };
  const liveFrom = STEP * Math.round(3.4 / STEP);
  const notes = notesUntil(await asked('notes'), liveFrom);
  expect(notes.map(({ action }) => action)).toEqual(['grab', 'move', 'release']);

  await runner.receive({ kind: 'play', number: 2, source, play: { step: STEP, notes, liveFrom } });
  expect(restore).toHaveBeenCalledTimes(1);
  // all rows are told anew, from the first on
  const rows = answers.flatMap((answer) =>
    answer.kind === 'rows' && answer.number === 2 ? [...answer.rows.times] : [],
  );
  expect(rows[0]).toBe(0);
  expect(rows.at(-1)).toBeCloseTo(liveFrom, 1);
  await runner.receive({ kind: 'until', time: 3.9 });
  await runner.receive({ kind: 'stop' });
  const end = answers.find((answer) => answer.kind === 'end' && answer.number === 2);
  const done = await asked('notes');
  const stopTime =
    end?.kind === 'end'
      ? answers.flatMap((a) => (a.kind === 'rows' && a.number === 2 ? [...a.rows.times] : [])).at(-1)!
      : 0;
  const again = new Simulation(built, {
    integrator: 'time-stepping',
    step: STEP,
    interval: 4 * STEP,
    stopTime,
    handling: done,
  });
  again.advance();
  expect(end?.kind === 'end' && end.end.hash).toBe(again.finish().hash);
}, 20_000);
