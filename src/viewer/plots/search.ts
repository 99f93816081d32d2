/**
 * Finding signals among thousands. A pattern with *, ? or {a,b} is a glob (results/signal-glob.ts). Anything else is looked for loosely:
 * each word, in any order, as letters that follow each other in the name, the better the closer together and the nearer to the start of a
 * part of the name. `bpz` finds `ball.position.z`, `force wheel` finds `contacts.floor-wheel.force.z`.
 */
import { isGlob, matchesGlob } from '../../results/signal-glob.js';

export interface Found {
  /** Place in the list that was searched */
  readonly index: number;
  /** Letters of the name that matched, for emphasis, ascending; none for a glob */
  readonly letters: readonly number[];
}

/** The best first; in the order of the list where equally good. A pattern that is no glob yet (`{a,`) finds nothing. */
export function searchNames(pattern: string, names: readonly string[], most = Infinity): Found[] {
  const asked = pattern.trim();
  if (asked === '') return names.slice(0, most).map((_, index) => ({ index, letters: [] }));
  if (isGlob(asked)) {
    let matches: (name: string) => boolean;
    try {
      matches = matchesGlob(asked);
    } catch {
      return [];
    }
    return names.flatMap((name, index) => (matches(name) ? [{ index, letters: [] }] : [])).slice(0, most);
  }
  const words = asked.toLowerCase().split(/\s+/);
  const found: (Found & { score: number })[] = [];
  names.forEach((name, index) => {
    const lower = name.toLowerCase();
    const letters = new Set<number>();
    let score = 0;
    for (const word of words) {
      const match = looseMatch(word, name, lower);
      if (!match) return;
      score += match.score;
      for (const letter of match.letters) letters.add(letter);
    }
    // of equal matches the shorter name is meant
    found.push({ index, letters: [...letters].sort((a, b) => a - b), score: score - 0.05 * name.length });
  });
  found.sort((a, b) => b.score - a.score || a.index - b.index);
  return found.slice(0, most).map(({ index, letters }) => ({ index, letters }));
}

const AT_START = 8;
const ADJACENT = 3;
const WHOLE = 4;
const GAP = 0.4;

/**
 * The best way to find a word's letters in this order: dynamic programming over (letter of the word, place in the name), value of a match =
 * bonus for the start of a part or for following the match before, less the gaps.
 */
function looseMatch(word: string, name: string, lower: string): { score: number; letters: number[] } | undefined {
  const whole = lower.indexOf(word);
  const n = name.length;
  const m = word.length;
  if (m > n) return undefined;
  // best[j]: value of the letters so far, the last at place j; from[i][j]: where the letter before was
  let best = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  const from: Int32Array[] = [];
  for (let i = 0; i < m; i++) {
    const next = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
    const origin = new Int32Array(n).fill(-1);
    let reach = Number.NEGATIVE_INFINITY; // best value of a letter before, less the gap up to here
    let reachAt = -1;
    for (let j = 0; j < n; j++) {
      if (lower[j] === word[i]) {
        const bonus = isStart(name, j) ? AT_START : 1;
        if (i === 0) next[j] = bonus - GAP * Math.min(j, 10);
        else {
          const adjacent = j > 0 ? best[j - 1] + ADJACENT : Number.NEGATIVE_INFINITY;
          if (adjacent >= reach && adjacent > Number.NEGATIVE_INFINITY) {
            next[j] = adjacent + bonus;
            origin[j] = j - 1;
          } else if (reachAt >= 0) {
            next[j] = reach + bonus;
            origin[j] = reachAt;
          }
        }
      }
      reach -= GAP;
      if (best[j] > reach) {
        reach = best[j];
        reachAt = j;
      }
    }
    from.push(origin);
    best = next;
  }
  let end = -1;
  for (let j = 0; j < n; j++) if (best[j] > (end < 0 ? Number.NEGATIVE_INFINITY : best[end])) end = j;
  if (end < 0) return undefined;
  const letters: number[] = [];
  for (let i = m - 1, j = end; i >= 0; i--) {
    letters.unshift(j);
    j = from[i][j];
  }
  return { score: best[end] + (whole >= 0 ? WHOLE * m : 0), letters };
}

/** First letter, or the first after a dot, bracket, dash, or a capital or digit after a small letter. */
function isStart(name: string, j: number): boolean {
  if (j === 0) return true;
  const before = name[j - 1];
  if (/[^A-Za-z0-9]/.test(before)) return true;
  return /[a-z]/.test(before) && /[A-Z0-9]/.test(name[j]);
}

/** Names that a signal or a glob of the model's author means, in the order of the list. */
export function namesOf(patterns: readonly string[], names: readonly string[]): string[] {
  const wanted = new Set<string>();
  for (const pattern of patterns) {
    if (!isGlob(pattern)) {
      if (names.includes(pattern)) wanted.add(pattern);
      continue;
    }
    try {
      const matches = matchesGlob(pattern);
      for (const name of names) if (matches(name)) wanted.add(name);
    } catch {
      // a pattern with an open brace names nothing
    }
  }
  return [...wanted];
}
