/**
 * Looks through a STEP file before Open CASCADE gets it: that the file is whole, that every entity is defined once and
 * every reference leads somewhere, and which unit its lengths are in. Open CASCADE guesses on where this does not hold,
 * and may never come back.
 *
 * ISO 10303-21:2016 (clear text encoding), §5.4, §9 and §11.
 */
import { FileError } from '../../errors.js';
import type { LengthUnit } from './cad-document.js';
import { GrowingFloat64, GrowingUint32 } from './growing.js';
import { asciiText, parseNumber } from './number-parser.js';
import { quote } from './text-reader.js';

export interface StepStructure {
  /** Units of length that the geometry uses; empty if the file names none that we know. */
  readonly units: readonly LengthUnit[];
  /** Names of other files that it says parts of it are in */
  readonly otherFiles: readonly string[];
}

/** @throws FileError naming the entity or line */
export function checkStep(bytes: Uint8Array, file: string): StepStructure {
  return new StepChecker(bytes, file).check();
}

class StepChecker {
  readonly #bytes: Uint8Array;
  readonly #file: string;
  #position = 0;
  /** Numbers of the entities in the order of the file, and where each begins. */
  readonly #names = new GrowingFloat64();
  readonly #starts = new GrowingFloat64();
  /** References in the order of the file; entity i has those from #firstReference[i] on. */
  readonly #references = new GrowingFloat64();
  readonly #firstReference = new GrowingUint32();
  /** Entities that define a unit of length, and those that say which units hold. */
  readonly #lengthUnits = new Map<number, string>();
  readonly #assigned = new Set<number>();
  readonly #otherFiles = new Set<string>();

  constructor(bytes: Uint8Array, file: string) {
    this.#bytes = bytes;
    this.#file = file;
  }

  check(): StepStructure {
    let opening = this.#statement();
    if (opening !== 'ISO-10303-21') throw this.#error(0, 'expected ISO-10303-21; as the first words of a STEP file');
    let inData = false;
    let complete = false;
    while (!complete) {
      opening = this.#statement();
      if (opening === undefined)
        throw this.#error(this.#bytes.length, 'the file ends without END-ISO-10303-21; it is cut off');
      if (opening === 'END-ISO-10303-21') complete = true;
      else if (opening === 'DATA') inData = true;
      else if (opening === 'ENDSEC') inData = false;
      else if (inData && opening !== '#')
        throw this.#error(this.#start, `expected #number=…, got "${opening.slice(0, 40)}"`);
    }
    if (this.#names.length === 0) throw this.#error(this.#start, 'expected a DATA section with entities, got none');
    this.#firstReference.push(this.#references.length);
    this.#checkReferences();
    return { units: this.#units(), otherFiles: [...this.#otherFiles] };
  }

  #start = 0;

  /** Reads to the next `;`. Gives the first word, `#` for an entity, undefined at the end of the file. */
  #statement(): string | undefined {
    const bytes = this.#bytes;
    const end = bytes.length;
    let i = this.#position;
    let depth = 0;
    let word: string | undefined;
    let entity = -1;
    let isUnit = false;
    let isAssignment = false;
    let started = false;
    for (; i < end; i++) {
      const c = bytes[i];
      if (c <= 0x20) continue;
      if (c === SLASH && bytes[i + 1] === STAR) {
        const from = i;
        i += 2;
        while (i < end && !(bytes[i] === STAR && bytes[i + 1] === SLASH)) i++;
        if (i >= end) throw this.#error(from, 'a comment does not end; is the file cut off?');
        i++;
        continue;
      }
      if (!started) {
        started = true;
        this.#start = i;
      }
      if (c === APOSTROPHE || c === QUOTE) {
        const from = i;
        for (i++; i < end && bytes[i] !== c; i++);
        if (i >= end) throw this.#error(from, 'a text does not end; is the file cut off?');
      } else if (c === OPEN) {
        if (++depth > DEEPEST) throw this.#error(i, `brackets are nested deeper than ${DEEPEST} levels`);
      } else if (c === CLOSE) {
        if (--depth < 0) throw this.#error(i, 'a bracket is closed that was not opened');
      } else if (c === SEMICOLON) {
        if (depth !== 0) throw this.#error(this.#start, 'a bracket is not closed before ;');
        i++;
        break;
      } else if (c === HASH) {
        const from = ++i;
        let value = 0;
        for (; i < end && bytes[i] >= 0x30 && bytes[i] <= 0x39; i++) value = value * 10 + bytes[i] - 0x30;
        if (i === from || value > Number.MAX_SAFE_INTEGER) throw this.#error(from - 1, 'expected a number after #');
        i--;
        if (word === undefined) {
          word = '#';
          entity = value;
          this.#names.push(value);
          this.#starts.push(this.#start);
          this.#firstReference.push(this.#references.length);
        } else if (entity >= 0) this.#references.push(value);
        if (isAssignment && entity >= 0 && value !== entity) this.#assigned.add(value);
      } else if (isLetter(c)) {
        const from = i;
        while (i < end && (isLetter(bytes[i]) || (bytes[i] >= 0x30 && bytes[i] <= 0x39) || bytes[i] === 0x2d)) i++;
        if (word === undefined) word = asciiText(bytes, from, Math.min(i, from + 100));
        else if (i - from === 13 && asciiText(bytes, from, i) === 'DOCUMENT_FILE') this.#noteFile(i);
        else if (i - from === 11) isUnit ||= asciiText(bytes, from, i) === 'LENGTH_UNIT';
        else if (i - from === 28) isAssignment ||= asciiText(bytes, from, i) === 'GLOBAL_UNIT_ASSIGNED_CONTEXT';
        i--;
      } else if (c === DOT && isLetter(bytes[i + 1])) {
        for (i++; i < end && (isLetter(bytes[i]) || isDigit(bytes[i])); i++); // an enumeration such as .MILLI.
        if (bytes[i] !== DOT) throw this.#error(this.#start, 'expected . at the end of an enumeration such as .MILLI.');
      } else if (isDigit(c) || c === DOT || c === 0x2d || c === 0x2b) {
        const from = i;
        while (i < end && isNumberByte(bytes[i])) i++;
        const value = parseNumber(bytes, from, i);
        if (!Number.isFinite(value)) throw this.#error(from, `expected a finite number, got ${quote(bytes, from, i)}`);
        word ??= asciiText(bytes, from, i);
        i--;
      } else if (word === undefined) word = String.fromCharCode(c);
    }
    this.#position = i;
    if (!started) return undefined;
    if (i >= end && bytes[end - 1] !== SEMICOLON)
      throw this.#error(this.#start, 'the last statement does not end with ;, the file is cut off');
    if (isUnit && entity >= 0)
      this.#lengthUnits.set(entity, asciiText(bytes, this.#start, Math.min(i, this.#start + 2000)));
    return word ?? '';
  }

  /** DOCUMENT_FILE('bolt.stp', …): where parts of an assembly are (ISO 10303-41, external files). */
  #noteFile(from: number): void {
    const name = /^\s*\(\s*'([^']+)'/.exec(asciiText(this.#bytes, from, Math.min(this.#bytes.length, from + 300)))?.[1];
    if (name && this.#otherFiles.size < MOST_NAMED) this.#otherFiles.add(name);
  }

  /** `GENERAL_PROPERTY` of `#12=GENERAL_PROPERTY('…')` */
  #typeOf(entity: number): string {
    const at = this.#starts.values[entity];
    const text = asciiText(this.#bytes, at, Math.min(this.#bytes.length, at + 200));
    return /=\s*\(?\s*([A-Z0-9_]+)/i.exec(text)?.[1] ?? '';
  }

  /** Entity that is made of itself: what the entities of the circle are tells whether a shape or a remark about one is broken. */
  #circle(stack: ArrayLike<number>, depth: number, target: number): FileError {
    const names = this.#names.values;
    const members: number[] = [];
    for (let k = depth; k >= 0; k--) {
      members.push(stack[k]);
      if (stack[k] === target) break;
    }
    const types = members.map((entity) => this.#typeOf(entity));
    const remark = types.some((type) => REMARK.test(type)) && !types.some((type) => SHAPE.test(type));
    const i = stack[depth];
    return this.#error(
      this.#starts.values[i],
      `#${names[i]} (${this.#typeOf(i)}) refers to #${names[target]} (${this.#typeOf(target)}), which is made of it` +
        (remark ? '; the circle is in a property, not in a shape: export without properties (PMI, validation)' : ''),
    );
  }

  /** Every entity once, every reference defined, no entity part of itself. */
  #checkReferences(): void {
    const count = this.#names.length;
    const names = this.#names.values;
    const indexOf = new Map<number, number>();
    for (let i = 0; i < count; i++) {
      const first = indexOf.get(names[i]);
      if (first !== undefined)
        throw this.#error(
          this.#starts.values[i],
          `#${names[i]} is defined twice, first in ${this.#line(this.#starts.values[first])}`,
        );
      indexOf.set(names[i], i);
    }
    const references = new Uint32Array(this.#references.length);
    const firstReference = this.#firstReference.values;
    for (let i = 0; i < count; i++)
      for (let r = firstReference[i]; r < firstReference[i + 1]; r++) {
        const target = indexOf.get(this.#references.values[r]);
        if (target === undefined)
          throw this.#error(
            this.#starts.values[i],
            `#${names[i]} refers to #${this.#references.values[r]}, which is not defined`,
          );
        references[r] = target;
      }

    // Depth-first search with an own stack: an entity met again while it is open contains itself.
    const state = new Uint8Array(count); // 0 new, 1 open, 2 done
    const next = firstReference.slice(0, count);
    const stack = new Uint32Array(count);
    for (let root = 0; root < count; root++) {
      if (state[root] !== 0) continue;
      let depth = 0;
      stack[0] = root;
      state[root] = 1;
      while (depth >= 0) {
        const i = stack[depth];
        if (next[i] < firstReference[i + 1]) {
          const target = references[next[i]++];
          if (state[target] === 1) throw this.#circle(stack, depth, target);
          if (state[target] === 0) {
            state[target] = 1;
            stack[++depth] = target;
          }
        } else {
          state[i] = 2;
          depth--;
        }
      }
    }
  }

  #units(): LengthUnit[] {
    const units = new Set<LengthUnit>();
    for (const [entity, text] of this.#lengthUnits) {
      // A conversion-based unit stands on an SI unit, which does not count then.
      if (this.#assigned.size > 0 && !this.#assigned.has(entity)) continue;
      const unit = unitOf(text);
      if (unit) units.add(unit);
    }
    return [...units];
  }

  #line(at: number): string {
    let line = 1;
    for (let i = 0; i < at; i++) if (this.#bytes[i] === 0x0a) line++;
    return `line ${line}`;
  }

  #error(at: number, defect: string): FileError {
    return new FileError(this.#file, this.#line(at), defect);
  }
}

function unitOf(text: string): LengthUnit | undefined {
  const conversion = /CONVERSION_BASED_UNIT\s*\(\s*'([^']*)'/.exec(text)?.[1].trim().toLowerCase();
  if (conversion !== undefined) {
    if (/^in(ch(es)?)?$/.test(conversion)) return 'in';
    if (/^(ft|foot|feet)$/.test(conversion)) return 'ft';
    return undefined;
  }
  const prefix = /SI_UNIT\s*\(\s*(\$|\.\w+\.)\s*,\s*\.METRE\.\s*\)/.exec(text)?.[1];
  return prefix === undefined ? undefined : SI_PREFIXES.get(prefix);
}

const SI_PREFIXES: ReadonlyMap<string, LengthUnit> = new Map([
  ['$', 'm'],
  ['.CENTI.', 'cm'],
  ['.MILLI.', 'mm'],
  ['.MICRO.', 'um'],
  ['.KILO.', 'km'],
]);

/** Properties, and what ties them to what they are of */
const REMARK = /PROPERTY|DESCRIPTIVE|MEASURE_REPRESENTATION|ATTRIBUTE|ANNOTATION|DRAUGHTING/i;
/** What shapes are made of */
const SHAPE = /BREP|SHELL|FACE|EDGE|VERTEX|CURVE|SURFACE|POINT|PLACEMENT|ASSEMBLY_USAGE|TRANSFORM/i;
const MOST_NAMED = 1000;

/** Brackets inside each other; real files have about five. */
const DEEPEST = 100;

const isLetter = (c: number): boolean => (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a) || c === 0x5f;
const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39;
const isNumberByte = (c: number): boolean =>
  isDigit(c) || c === DOT || c === 0x2d || c === 0x2b || c === 0x45 || c === 0x65;

const APOSTROPHE = 0x27;
const QUOTE = 0x22;
const OPEN = 0x28;
const CLOSE = 0x29;
const SEMICOLON = 0x3b;
const HASH = 0x23;
const SLASH = 0x2f;
const DOT = 0x2e;
const STAR = 0x2a;
