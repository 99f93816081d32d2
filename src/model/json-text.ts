/**
 * JSON text as a person writes it: read strictly (RFC 8259), refused with line, column and what is wrong there. A key that
 * stands twice in one object is refused too, for the first of two bodies of one name would vanish without a word.
 */
import { FileError } from '../errors.js';

/** Deeper nesting than any model has; keeps the reader from running out of stack. */
const DEEPEST = 200;

/**
 * The value that `text` stands for.
 *
 * @param file name for the error
 * @throws FileError with line and column
 */
export function parseJson(text: string, file: string): unknown {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  new Scanner(source, file).document();
  return JSON.parse(source);
}

/** Walks over the text; stops at the first thing that is not JSON. */
class Scanner {
  readonly #text: string;
  readonly #file: string;
  #at = 0;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  document(): void {
    this.#space();
    if (this.#at === this.#text.length) this.#refuse('expected a model { "bodies": … }, got an empty file');
    this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) this.#refuse(`expected nothing behind the model, got ${this.#found()}`);
  }

  #value(depth: number): void {
    if (depth > DEEPEST) this.#refuse(`expected at most ${DEEPEST} brackets inside each other`);
    const c = this.#text[this.#at];
    if (c === '{') this.#object(depth);
    else if (c === '[') this.#array(depth);
    else if (c === '"') this.#string();
    else if (!this.#take(/(?:true|false|null)(?![\w$])/y) && !this.#number())
      this.#refuse(`expected a value, got ${this.#found()}`);
  }

  #object(depth: number): void {
    const keys = new Set<string>();
    this.#at++;
    this.#space();
    if (this.#take(/\}/y)) return;
    for (;;) {
      const start = this.#at;
      if (this.#text[start] !== '"') this.#refuse(`expected a key in double quotes, got ${this.#found()}`);
      this.#string();
      const key = JSON.parse(this.#text.slice(start, this.#at)) as string;
      if (keys.has(key)) this.#refuse(`"${key}" stands twice in this object; the first would be lost`, start);
      keys.add(key);
      this.#space();
      if (!this.#take(/:/y)) this.#refuse(`expected ":" behind "${key}", got ${this.#found()}`);
      this.#space();
      this.#value(depth + 1);
      if (this.#end('}')) return;
    }
  }

  #array(depth: number): void {
    this.#at++;
    this.#space();
    if (this.#take(/\]/y)) return;
    do this.#value(depth + 1);
    while (!this.#end(']'));
  }

  /** Behind an element: true at the closing bracket, false past a comma. */
  #end(bracket: ']' | '}'): boolean {
    this.#space();
    const c = this.#text[this.#at];
    if (c !== bracket && c !== ',') this.#refuse(`expected "," or "${bracket}", got ${this.#found()}`);
    const comma = this.#at++;
    if (c === bracket) return true;
    this.#space();
    if (this.#text[this.#at] === bracket) this.#refuse(`a comma before "${bracket}"; JSON allows none there`, comma);
    return false;
  }

  #string(): void {
    const start = this.#at++;
    let c = this.#text[this.#at];
    while (c !== undefined && c >= ' ' && c !== '"') {
      if (c !== '\\') this.#at++;
      else if (!this.#take(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y))
        this.#refuse('expected an escape: \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and 4 hexadecimal digits');
      c = this.#text[this.#at];
    }
    if (c === '"') this.#at++;
    else if (c === undefined || c === '\n' || c === '\r') this.#refuse('this text has no closing quote', start);
    else this.#refuse('expected \\t or \\u and 4 digits for this character');
  }

  /** True past a number; refuses what only looks like one. */
  #number(): boolean {
    const start = this.#at;
    if (!/[-+.\d]/.test(this.#text[start] ?? '')) return false;
    if (this.#take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.$])/y)) return true;
    const [written] = /^[\w.+-]+/.exec(this.#text.slice(start)) ?? [''];
    return this.#refuse(`expected a number such as -0.5 or 1e-3, got ${written}`);
  }

  #space(): void {
    this.#take(/[ \t\r\n]*/y);
    if (/^\/[/*]/.test(this.#text.slice(this.#at, this.#at + 2)))
      this.#refuse('a comment; JSON has none, a TypeScript model has');
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const [taken] = pattern.exec(this.#text) ?? [];
    if (taken === undefined) return false;
    this.#at += taken.length;
    return true;
  }

  /** What stands here, for the message. */
  #found(): string {
    if (this.#at >= this.#text.length) return 'the end of the file';
    const [word] = /^(?:[\p{L}\p{N}_$]+|.)/su.exec(this.#text.slice(this.#at, this.#at + 40)) ?? [''];
    return word === "'" ? 'a single quote (JSON wants double ones)' : `"${word}"`;
  }

  #refuse(defect: string, at = this.#at): never {
    const before = this.#text.slice(0, at).split(/\r\n|\r|\n/);
    throw new FileError(this.#file, `line ${before.length}, column ${before.at(-1)!.length + 1}`, defect);
  }
}
