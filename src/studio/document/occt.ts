/** Files that Open CASCADE reads. It comes as 3 MB when the first one is opened: the page fetches its program, for workers ask the network for nothing, and hands it over among the document's files. */

export const NEEDS_OCCT = /\.(step|stp|iges|igs)$/i;

/** Under this name among the files of a source */
export const OCCT_WASM = 'occt-import-js.wasm';

let fetched: Promise<Uint8Array | undefined> | undefined;
/** Undefined where the page was built without it */
export const occtProgram = (): Promise<Uint8Array | undefined> =>
  (fetched ??= fetch(OCCT_WASM).then(
    async (answer) => (answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined),
    () => undefined,
  ));
