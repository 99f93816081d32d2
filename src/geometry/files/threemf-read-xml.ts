/**
 * Elements and attributes of an XML file one after the other, straight from its bytes: no tree is built, so a model of
 * 100 MB costs only what the reader keeps of it. Text between elements is skipped; prefixes of names are dropped.
 *
 * Refused: a document type, which brings entities and with them expansion bombs and outside files; other encodings
 * than UTF-8; elements that do not nest; more than 200 levels or 100 attributes.
 *
 *     while (scanner.next())
 *       if (scanner.opens && scanner.is('vertex')) x = scanner.attribute('x');
 *
 * Extensible Markup Language (XML) 1.0, fifth edition, §2 and §3.
 */
import { FileError } from '../../errors.js';
import { asciiText } from './number-parser.js';
import { quote } from './text-reader.js';

const DEEPEST = 200;
const MOST_ATTRIBUTES = 100;
/** Bytes of a value that are looked at: names are for people, and twelve numbers of a transform take 300. */
const LONGEST_TEXT = 1000;

export class XmlScanner {
  readonly bytes: Uint8Array;
  /** The element just met begins here (true) or ends here (false). An empty element does both, in turn. */
  opens = false;
  /** Elements around the one just met. */
  depth = 0;
  /** Range of an attribute's value in `bytes`, set by `attribute`. */
  valueStart = 0;
  valueEnd = 0;
  readonly #file: string;
  readonly #entry: string;
  #position: number;
  /** Start of the element just met, for error messages. */
  #at = 0;
  /** Line of the byte `#countedTo`; lines are counted only when asked for. */
  #line = 1;
  #countedTo = 0;
  #nameStart = 0;
  #nameEnd = 0;
  #isEmpty = false;
  /** 2 per open element: range of its full name */
  readonly #open = new Float64Array(2 * DEEPEST);
  #openCount = 0;
  /** 4 per attribute: ranges of local name and value */
  readonly #attributes = new Float64Array(4 * MOST_ATTRIBUTES);
  #attributeCount = 0;

  /** @param entry name of the file within an archive, for error messages; may be empty */
  constructor(bytes: Uint8Array, file: string, entry: string) {
    this.bytes = bytes;
    this.#file = file;
    this.#entry = entry;
    this.#position = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0; // UTF-8 byte order mark
    if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff) || bytes[0] === 0)
      throw this.error('is XML in UTF-16; save it as UTF-8');
  }

  /** Goes to the next begin or end of an element; false at the end of the file. */
  next(): boolean {
    if (this.#isEmpty) {
      // second half of an empty element
      this.#isEmpty = false;
      this.opens = false;
      return true;
    }
    const { bytes } = this;
    for (;;) {
      let i = this.#position;
      while (i < bytes.length && bytes[i] !== LESS) i++;
      this.#at = i;
      if (i >= bytes.length) {
        this.#at = Math.max(0, bytes.length - 1);
        if (this.#openCount > 0) throw this.error(`the file ends inside <${this.#openName()}>; is it cut off?`);
        return false;
      }
      const mark = bytes[i + 1];
      if (mark === EXCLAMATION || mark === QUESTION) this.#position = this.#skipMarkup(i, mark);
      else {
        this.#position = mark === SLASH ? this.#endTag(i + 2) : this.#startTag(i + 1);
        return true;
      }
    }
  }

  /** The element's name without prefix is `name`. */
  is(name: string): boolean {
    return this.#rangeIs(this.#nameStart, this.#nameEnd, name);
  }

  /** The element's name without prefix. */
  name(): string {
    return asciiText(this.bytes, this.#nameStart, Math.min(this.#nameEnd, this.#nameStart + 100));
  }

  /** Points valueStart and valueEnd at the attribute's value, blanks around it left out; false if there is none. */
  attribute(name: string): boolean {
    const attributes = this.#attributes;
    for (let i = 0; i < 4 * this.#attributeCount; i += 4)
      if (this.#rangeIs(attributes[i], attributes[i + 1], name)) {
        let start = attributes[i + 2];
        let end = attributes[i + 3];
        while (start < end && isBlank(this.bytes[start])) start++;
        while (end > start && isBlank(this.bytes[end - 1])) end--;
        this.valueStart = start;
        this.valueEnd = end;
        return true;
      }
    return false;
  }

  /** The attribute as text, entities replaced; of a very long one only the start; undefined if there is none. */
  text(name: string): string | undefined {
    if (!this.attribute(name)) return undefined;
    const end = Math.min(this.valueEnd, this.valueStart + LONGEST_TEXT);
    const raw = new TextDecoder().decode(this.bytes.subarray(this.valueStart, end));
    if (!raw.includes('&')) return raw;
    return raw.replace(/&([^;&]{0,12});?/g, (whole, entity: string) => {
      const known = PREDEFINED.get(entity);
      if (known !== undefined) return known;
      const code = /^#x[0-9a-f]+$/i.test(entity)
        ? Number.parseInt(entity.slice(2), 16)
        : /^#[0-9]+$/.test(entity)
          ? Number(entity.slice(1))
          : -1;
      if (code >= 0 && code <= 0x10ffff) return String.fromCodePoint(code);
      throw this.error(`expected &amp; or another of the five entities of XML, got "${whole}"`);
    });
  }

  /** The attribute in quotes for an error message, at most 40 bytes of it. */
  got(name: string): string {
    return this.attribute(name) ? quote(this.bytes, this.valueStart, this.valueEnd) : 'none';
  }

  /** Reads on to the end of the element that just began, everything in it included. */
  skip(): void {
    const { depth } = this;
    while (this.next()) if (!this.opens && this.depth === depth) return;
  }

  /** `3D/3dmodel.model, line 12`: where the element just met is. */
  where(): string {
    if (this.#at < this.#countedTo) {
      this.#countedTo = 0;
      this.#line = 1;
    }
    for (let i = this.#countedTo; i < this.#at; i++) if (this.bytes[i] === 0x0a) this.#line++;
    this.#countedTo = this.#at;
    return `${this.#entry}${this.#entry && ', '}line ${this.#line}`;
  }

  /** An error at the element just met, to be thrown. */
  error(defect: string): FileError {
    return new FileError(this.#file, this.where(), defect.length > 500 ? `${defect.slice(0, 500)}…` : defect);
  }

  /** Comments, processing instructions and CDATA; gives the byte after. */
  #skipMarkup(at: number, mark: number): number {
    const closing =
      mark === QUESTION ? '?>' : this.#startsWith(at, '<!--') ? '-->' : this.#startsWith(at, '<![CDATA[') ? ']]>' : '';
    if (closing === '')
      throw this.error('has a document type or another declaration (<!…>), which is refused: it may define entities');
    const last = closing.charCodeAt(closing.length - 1);
    for (let i = at + 2; i < this.bytes.length; i++)
      if (this.bytes[i] === last && this.#startsWith(i - closing.length + 1, closing)) return i + 1;
    throw this.error(`expected ${closing} after ${closing === '-->' ? '<!--' : 'this'}, got the end of the file`);
  }

  #startTag(from: number): number {
    const { bytes } = this;
    let i = this.#readName(from);
    const fullStart = from;
    const fullEnd = i;
    this.#attributeCount = 0;
    for (;;) {
      while (isBlank(bytes[i])) i++;
      const c = bytes[i];
      if (c === GREATER || c === SLASH) break;
      if (this.#attributeCount === MOST_ATTRIBUTES) throw this.error(`expected at most ${MOST_ATTRIBUTES} attributes`);
      i = this.#readAttribute(i);
    }
    this.#nameStart = this.#withoutPrefix(fullStart, fullEnd);
    this.#nameEnd = fullEnd;
    this.opens = true;
    this.depth = this.#openCount;
    if (bytes[i] === SLASH) {
      if (bytes[i + 1] !== GREATER) throw this.error('expected /> at the end of the element');
      this.#isEmpty = true;
      return i + 2;
    }
    if (this.#openCount === DEEPEST) throw this.error(`expected at most ${DEEPEST} levels of elements`);
    this.#open[2 * this.#openCount] = fullStart;
    this.#open[2 * this.#openCount + 1] = fullEnd;
    this.#openCount++;
    return i + 1;
  }

  #readAttribute(from: number): number {
    const { bytes } = this;
    let i = this.#readName(from);
    const nameEnd = i;
    while (isBlank(bytes[i])) i++;
    if (bytes[i] !== EQUALS) throw this.error(`expected = after the attribute ${asciiText(bytes, from, nameEnd)}`);
    i++;
    while (isBlank(bytes[i])) i++;
    const quote = bytes[i];
    if (quote !== 0x22 && quote !== 0x27)
      throw this.error(`expected a quoted value of the attribute ${asciiText(bytes, from, nameEnd)}`);
    const valueStart = ++i;
    while (i < bytes.length && bytes[i] !== quote && bytes[i] !== LESS) i++;
    if (bytes[i] !== quote)
      throw this.error(`the value of the attribute ${asciiText(bytes, from, nameEnd)} does not end`);
    const slot = 4 * this.#attributeCount++;
    this.#attributes[slot] = this.#withoutPrefix(from, nameEnd);
    this.#attributes[slot + 1] = nameEnd;
    this.#attributes[slot + 2] = valueStart;
    this.#attributes[slot + 3] = i;
    return i + 1;
  }

  #endTag(from: number): number {
    const { bytes } = this;
    let i = this.#readName(from);
    const nameEnd = i;
    while (isBlank(bytes[i])) i++;
    if (bytes[i] !== GREATER) throw this.error('expected > at the end of the closing tag');
    const start = this.#openCount > 0 ? this.#open[2 * this.#openCount - 2] : 0;
    const length = this.#openCount > 0 ? this.#open[2 * this.#openCount - 1] - start : -1;
    let same = length === nameEnd - from;
    for (let k = 0; same && k < length; k++) same = bytes[start + k] === bytes[from + k];
    if (!same) {
      const expected = this.#openCount > 0 ? `</${this.#openName()}>` : 'no closing tag';
      throw this.error(`expected ${expected}, got </${asciiText(bytes, from, Math.min(nameEnd, from + 100))}>`);
    }
    this.#openCount--;
    this.depth = this.#openCount;
    this.opens = false;
    this.#attributeCount = 0;
    this.#nameStart = this.#withoutPrefix(from, nameEnd);
    this.#nameEnd = nameEnd;
    return i + 1;
  }

  /** Gives the byte after the name that starts at `from`. */
  #readName(from: number): number {
    const { bytes } = this;
    let i = from;
    while (i < bytes.length && isNameByte(bytes[i])) i++;
    if (i === from || i >= bytes.length)
      throw this.error(i >= bytes.length ? 'the file ends inside a tag; is it cut off?' : 'expected a name in the tag');
    return i;
  }

  #withoutPrefix(start: number, end: number): number {
    for (let i = end - 1; i > start; i--) if (this.bytes[i] === COLON) return i + 1;
    return start;
  }

  #openName(): string {
    const start = this.#open[2 * this.#openCount - 2];
    return asciiText(this.bytes, start, Math.min(this.#open[2 * this.#openCount - 1], start + 100));
  }

  #rangeIs(start: number, end: number, text: string): boolean {
    if (end - start !== text.length) return false;
    for (let i = 0; i < text.length; i++) if (this.bytes[start + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  #startsWith(at: number, text: string): boolean {
    return this.#rangeIs(at, Math.min(at + text.length, this.bytes.length), text);
  }
}

const PREDEFINED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

const isBlank = (c: number): boolean => c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;
/** Anything but blanks and what may follow a name: whether other characters are allowed is not our business. */
const isNameByte = (c: number): boolean =>
  !isBlank(c) && c !== EQUALS && c !== GREATER && c !== SLASH && c !== LESS && c !== 0x22 && c !== 0x27;

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const COLON = 0x3a;
const EXCLAMATION = 0x21;
const QUESTION = 0x3f;
