/** A time limit for what runs in this process and may never come back, such as a model's own loop. */
import { Script } from 'node:vm';

const SLOT = Symbol.for('tippetop.limited');
const call = new Script("globalThis[Symbol.for('tippetop.limited')]()");

/**
 * What `work` gives. What it does after an await is not limited.
 *
 * @throws Error that says how long it was let run
 */
export function withTimeLimit<T>(seconds: number, work: () => T): T {
  const slots = globalThis as unknown as Record<symbol, unknown>;
  slots[SLOT] = work;
  try {
    return call.runInThisContext({ timeout: Math.ceil(1000 * seconds) }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Error(`takes longer than ${seconds} s`);
  } finally {
    delete slots[SLOT];
  }
}
