/** Programs that were asked about or typed here: by their text, not by where they came from. */
import { textHash } from '../document/assets.js';

const KEY = 'tippetop-programs';
const MOST = 200;

const kept = (): string[] => {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
};

const here = new Set<string>();

export async function isAllowed(text: string): Promise<boolean> {
  const hash = await textHash(text);
  return here.has(hash) || kept().includes(hash);
}

export async function allow(text: string): Promise<void> {
  const hash = await textHash(text);
  here.add(hash);
  try {
    localStorage.setItem(KEY, JSON.stringify([hash, ...kept().filter((other) => other !== hash)].slice(0, MOST)));
  } catch {
    // a browser that keeps nothing asks again the next time
  }
}
