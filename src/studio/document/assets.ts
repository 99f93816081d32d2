/** Bytes of pictures and CAD files, each kept once under its SHA-256. */
import type { Asset } from './document.js';

export interface AssetStore {
  /** Keeps them, and says under what. */
  put(name: string, bytes: Uint8Array): Promise<Asset>;
  /** Undefined where they are not kept here: a document from elsewhere */
  get(hash: string): Promise<Uint8Array | undefined>;
}

export async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const textHash = (text: string): Promise<string> => hashOf(new TextEncoder().encode(text));

/** While the page is open; where the browser keeps nothing, and in tests. */
export class MemoryAssets implements AssetStore {
  readonly #bytes = new Map<string, Uint8Array>();

  async put(name: string, bytes: Uint8Array): Promise<Asset> {
    const hash = await hashOf(bytes);
    this.#bytes.set(hash, bytes);
    return { hash, name, bytes: bytes.length };
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    return this.#bytes.get(hash);
  }
}
