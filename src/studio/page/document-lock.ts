/** One tab keeps a document: it holds a lock of the browser's by the document's key, which ends with the tab, however that ends. */
export class DocumentLock {
  #release: (() => void) | undefined;
  /** Where the browser has no locks, every tab saves. */
  isOurs = true;

  /** Lets go of the one before. @returns whether no other tab has it */
  async take(key: string): Promise<boolean> {
    this.#release?.();
    this.#release = undefined;
    this.isOurs = true;
    if (!navigator.locks) return true;
    this.isOurs = await new Promise<boolean>((resolve) => {
      void navigator.locks.request(`tippetop-studio ${key}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise<void>((release) => (this.#release = release));
      });
    });
    return this.isOurs;
  }
}
