/** Recordings of a study's runs, by the run's key: the recording itself and its report, which opens with a click. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeBytes } from '../../node/cad-files.js';
import { writeRecordingFile } from '../../node/recording-files.js';
import { reportOf } from '../../node/report.js';
import type { RunTaskOptions, Task } from '../../studies/run-task.js';

export interface KeptIn {
  readonly folder: string;
  /** Only of runs that fail */
  readonly failures: boolean;
}

export const recordingFile = (folder: string, key: string): string =>
  join(folder, 'recordings', `${key.slice(0, 16)}.h5`);
export const recordingReport = (key: string): string => `recordings/${key.slice(0, 16)}.html`;

/** What keeps the recording of a task; nothing where none is kept */
export function keeperFor(kept: KeptIn | undefined): (task: Task) => Pick<RunTaskOptions, 'keep'> {
  if (!kept) return () => ({});
  return ({ key }) => ({
    keep: async (recording) => {
      if (kept.failures && recording.state !== 'failed') return;
      const file = recordingFile(kept.folder, key);
      await writeRecordingFile(file, recording);
      try {
        await writeBytes(
          join(kept.folder, recordingReport(key)),
          new TextEncoder().encode(reportOf(`run ${key.slice(0, 8)}`, recording)),
        );
      } catch {
        rmSync(join(kept.folder, recordingReport(key)), { force: true }); // the recording is there all the same
      }
    },
  });
}
