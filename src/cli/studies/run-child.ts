/** The program of a process that computes runs of a study: gets its setup, then runs, one batch after another; ends with whoever started it. */
import { setImmediate as breathe } from 'node:timers/promises';
import { loadModel } from '../../node/model-files/load-model.js';
import type { FromChild, ToChild } from '../../node/studies/run-pool.js';
import { type PreparedRuns, prepareRuns, runTask } from '../../studies/run-task.js';
import { keeperFor } from './kept-recordings.js';
import { loadStudy } from './study-files.js';
import type { ChildSetup } from './study-setup.js';

let prepared: PreparedRuns | undefined;
let keep: ReturnType<typeof keeperFor>;
/** Runs since memory was last cleared */
let uncleared = 0;
const RUNS_BETWEEN_CLEARINGS = 1000;
const tell = (message: FromChild): void => {
  process.send!(message);
};

process.on('message', async (message: ToChild) => {
  if (message.kind === 'setup') {
    try {
      const {
        modelFile,
        export: name,
        studyFile,
        run,
        keepIn,
      } = message.setup as ChildSetup & { keepIn?: Parameters<typeof keeperFor>[0] };
      const functions = studyFile ? (await loadStudy(studyFile)).outputs : {};
      prepared = prepareRuns(await loadModel(modelFile, name), run, functions);
      keep = keeperFor(keepIn);
      tell({ kind: 'ready' });
    } catch (error) {
      tell({ kind: 'refused', message: error instanceof Error ? error.message : String(error) });
    }
    return;
  }
  const outcomes = [];
  for (const task of message.tasks)
    outcomes.push(await runTask(prepared!, task, { breathe: async () => void (await breathe()), ...keep(task) }));
  tell({ kind: 'outcomes', outcomes, memory: process.memoryUsage.rss() });
  // Left to itself, the engine lets a few kB of every run lie until half as much again is in use; clearing costs some 0.05 ms a run.
  uncleared += message.tasks.length;
  if (uncleared < RUNS_BETWEEN_CLEARINGS) return;
  uncleared = 0;
  globalThis.gc?.();
});

// Ctrl-C goes to all processes of a terminal; the one that started us decides.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));
