/**
 * Works on a model again whenever its file, or one that it is made of, is saved: for `run --watch` and `view`. Every time in a process of
 * its own, so that no module is an old one, and a model that hangs or crashes takes nothing with it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { relative } from 'node:path';
import { MAIN } from '../../node/package-root.js';
import type { DrawnModel, ViewServer } from '../../node/view-server.js';
import type { LiveState } from '../../viewer/content.js';
import { FileWatch } from './file-watch.js';
import { type Message, WATCHED } from './report-to-parent.js';

/** ms that a process has to keep what it computed before its successor starts */
const PATIENCE = 2000;

export interface LiveWork {
  /** Files that are known to belong to the model; what else it is made of its process tells. */
  readonly files: readonly string[];
  /** The command line of the process, such as `run swing.model.ts --length 2` */
  readonly words: () => readonly string[];
  /** Start with it, or wait for the first change. */
  readonly atOnce: boolean;
  /** Told what has become of it */
  readonly server?: ViewServer | undefined;
}

/** Until Ctrl-C or a kill. */
export async function live({ files, words, atOnce, server }: LiveWork): Promise<void> {
  let child: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();
  let turn = 0;
  let version = 0;
  const tell = (state: Omit<LiveState, 'version'>, model?: DrawnModel): void =>
    server?.tell({ version, ...state }, model);

  const start = async (): Promise<void> => {
    const mine = ++turn;
    child?.kill('SIGTERM');
    const late = setTimeout(() => child?.kill('SIGKILL'), PATIENCE);
    await ended;
    clearTimeout(late);
    if (mine !== turn) return;
    tell({ running: true });
    let error: string | undefined;
    let model: DrawnModel | undefined;
    const worker = spawn(process.execPath, [MAIN, ...words()], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
      env: { ...process.env, [WATCHED]: '1' },
    });
    child = worker;
    worker.on('message', (message: Message) => {
      if (message.kind === 'file') watch.add(message.file);
      else if (message.kind === 'error') error = message.text;
      else model = message.model;
    });
    ended = new Promise((resolve) => {
      // 'close' comes after the last message
      worker.on('close', (code, signal) => {
        child = undefined;
        resolve();
        if (mine !== turn) return;
        // A run that is not to be trusted ends with 1 and has its results; what has told no error is shown.
        if (error === undefined && (code ?? 2) > 1)
          error = signal ? `ended by ${signal}` : `ended with exit code ${code}`;
        if (error === undefined) version++;
        tell({ running: false, ...(error !== undefined && { error }) }, model);
        console.log(`watching ${described(watch.files)}   (Ctrl-C ends it)`);
      });
    });
  };

  const watch = new FileWatch((saved) => {
    console.log(`\n${saved.map(shown).join(', ')} saved`);
    void start();
  });
  for (const file of files) watch.add(file);
  if (atOnce) void start();
  else console.log(`watching ${described(watch.files)}   (Ctrl-C ends it)`);

  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => {
        turn++; // what is under way is not told any more
        child?.kill(signal);
        resolve();
      });
  });
  watch.close();
  await ended;
  await server?.close();
}

const shown = (file: string): string => {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
};

function described(files: readonly string[]): string {
  const [first, ...others] = files;
  return `${shown(first)}${others.length > 0 ? ` and ${others.length} ${others.length === 1 ? 'file' : 'files'} it uses` : ''}`;
}
