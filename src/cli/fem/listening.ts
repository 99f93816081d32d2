/** Long steps in a terminal: between them Ctrl-C is heard, which a loop without pauses would never let in. */

/**
 * Takes steps to their result. Ctrl-C asks them to end with what there is; a second one ends the process.
 *
 * @param tell after a step, at most every 5 s or ten steps
 */
export async function listening<State extends { readonly iteration: number }, Result>(
  steps: Generator<State, Result, boolean>,
  tell: (state: State) => void,
): Promise<{ readonly result: Result; readonly stopped: boolean }> {
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    console.log('  Ctrl-C: ends with the design so far; once more ends at once');
  };
  process.once('SIGINT', stop);
  try {
    let next = steps.next();
    let told = performance.now();
    while (!next.done) {
      await new Promise((resolve) => setImmediate(resolve));
      const { iteration } = next.value;
      if (iteration % 10 === 0 || iteration === 1 || performance.now() - told > 5000) {
        tell(next.value);
        told = performance.now();
      }
      next = steps.next(!stopped);
    }
    return { result: next.value, stopped };
  } finally {
    process.removeListener('SIGINT', stop);
  }
}
