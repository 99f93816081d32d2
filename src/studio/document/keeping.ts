/** Documents and files in the browser's own store (IndexedDB): a document alone at each change, bytes once under their hash. */
import { type AssetStore, hashOf } from './assets.js';
import type { Asset, StudioDocument } from './document.js';

export interface KeptDocument {
  readonly key: string;
  readonly title: string;
  /** ms since 1970 */
  readonly saved: number;
  readonly document: StudioDocument;
}

export class Keeping implements AssetStore {
  readonly #data: Promise<IDBDatabase>;

  constructor(name = 'tippetop-studio') {
    this.#data = new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore('documents', { keyPath: 'key' });
        request.result.createObjectStore('assets');
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing here'));
    });
    this.#data.catch(() => undefined);
  }

  save(key: string, document: StudioDocument): Promise<void> {
    return this.#write('documents', (store) => store.put({ key, title: document.title, saved: Date.now(), document }));
  }
  forget(key: string): Promise<void> {
    return this.#write('documents', (store) => store.delete(key));
  }
  async load(key: string): Promise<KeptDocument | undefined> {
    return this.#read('documents', (store) => store.get(key)) as Promise<KeptDocument | undefined>;
  }
  /** The newest first */
  async all(): Promise<readonly KeptDocument[]> {
    const list = (await this.#read('documents', (store) => store.getAll())) as KeptDocument[];
    return list.sort((a, b) => b.saved - a.saved);
  }

  async put(name: string, bytes: Uint8Array): Promise<Asset> {
    const hash = await hashOf(bytes);
    await this.#write('assets', (store) => store.put(bytes, hash));
    return { hash, name, bytes: bytes.length };
  }
  async get(hash: string): Promise<Uint8Array | undefined> {
    return this.#read('assets', (store) => store.get(hash)) as Promise<Uint8Array | undefined>;
  }

  async #write(name: string, act: (store: IDBObjectStore) => void): Promise<void> {
    const data = await this.#data;
    return new Promise((resolve, reject) => {
      const transaction = data.transaction(name, 'readwrite', { durability: 'strict' });
      act(transaction.objectStore(name));
      transaction.oncomplete = () => resolve();
      transaction.onerror = () => reject(transaction.error ?? new Error('not kept'));
      transaction.onabort = () => reject(transaction.error ?? new Error('not kept'));
    });
  }

  async #read(name: string, ask: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
    const data = await this.#data;
    return new Promise((resolve, reject) => {
      const request = ask(data.transaction(name).objectStore(name));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('cannot be read'));
    });
  }
}
