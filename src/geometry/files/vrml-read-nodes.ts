/**
 * The nodes of a VRML 2.0 file as a tree, or rather a graph: USE gives the same node again. A node is known only after
 * its closing bracket, so no node can contain itself.
 *
 * Left out, each with a note: PROTO and EXTERNPROTO and what they would make, scripts, routes. Lists of numbers are
 * kept as typed arrays; those that say nothing about the shape (normals, texture coordinates) are not kept.
 *
 * ISO/IEC 14772-1:1997 (VRML97), annex A.
 */
import { GrowingFloat64 } from './growing.js';
import type { VrmlScanner } from './vrml-read-scanner.js';

/** Numbers, flags and words as they stand; `nodes` of a field such as children, or of one node as geometry. */
export interface VrmlField {
  readonly numbers: Float64Array;
  readonly words: readonly string[];
  readonly nodes: readonly VrmlNode[];
}

export interface VrmlNode {
  readonly type: string;
  /** Name given by DEF. */
  readonly name: string;
  readonly line: number;
  readonly fields: ReadonlyMap<string, VrmlField>;
}

const DEEPEST = 200;
/** Nodes whose content does not matter for the shape. */
const SKIPPED_NODES = new Set(['Script', 'Normal', 'TextureCoordinate', 'Color']);
const NO_NUMBERS = new Float64Array(0);

export function readVrmlNodes(scanner: VrmlScanner, notes: Set<string>): VrmlNode[] {
  const named = new Map<string, VrmlNode>();
  const roots: VrmlNode[] = [];
  while (scanner.next() !== 'end') {
    if (skipStatement(scanner, notes)) continue;
    const node = readNode(scanner, named, notes, 0);
    if (node) roots.push(node);
  }
  return roots;
}

/** PROTO, EXTERNPROTO or ROUTE if the word just read begins one. */
function skipStatement(scanner: VrmlScanner, notes: Set<string>): boolean {
  if (scanner.is('ROUTE')) {
    for (let i = 0; i < 3; i++) scanner.next(); // a.b TO c.d
    return true;
  }
  const isProto = scanner.is('PROTO');
  if (!isProto && !scanner.is('EXTERNPROTO')) return false;
  scanner.next();
  notes.add(`${isProto ? 'PROTO' : 'EXTERNPROTO'} ${scanner.text().slice(0, 60)} was skipped`);
  scanner.next();
  skipBrackets(scanner, '[');
  scanner.next();
  if (isProto) skipBrackets(scanner, '{');
  else if (scanner.token === '[') skipBrackets(scanner, '[');
  return true;
}

/** Everything from the opening bracket just read to its closing one. */
function skipBrackets(scanner: VrmlScanner, opening: '[' | '{'): void {
  if (scanner.token !== opening) throw scanner.error(`expected ${opening}, got ${scanner.got()}`);
  const line = scanner.line;
  let depth = 1;
  while (depth > 0) {
    const token = scanner.next();
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (token === 'end') throw scanner.error(`the ${opening} of line ${line} is not closed; is the file cut off?`);
  }
}

/** The node that begins with the word just read; undefined for NULL and for one that is skipped. */
function readNode(
  scanner: VrmlScanner,
  named: Map<string, VrmlNode>,
  notes: Set<string>,
  depth: number,
): VrmlNode | undefined {
  if (depth > DEEPEST) throw scanner.error(`nodes are nested deeper than ${DEEPEST} levels`);
  if (scanner.is('NULL')) return undefined;
  if (scanner.is('USE')) {
    scanner.next();
    const node = named.get(scanner.text());
    if (!node) notes.add(`USE ${scanner.text().slice(0, 60)} was skipped: no such node was read before`);
    return node;
  }
  let name = '';
  if (scanner.is('DEF')) {
    if (scanner.next() !== 'word') throw scanner.error(`expected a name after DEF, got ${scanner.got()}`);
    name = scanner.text();
    scanner.next();
  }
  const { line } = scanner;
  if (scanner.token !== 'word' || !isName(scanner))
    throw scanner.error(`expected a node such as Shape or Transform, got ${scanner.got()}`);
  const type = scanner.text();
  if (scanner.next() !== '{') throw scanner.error(`expected { after ${type.slice(0, 60)}, got ${scanner.got()}`);
  if (SKIPPED_NODES.has(type)) {
    skipBrackets(scanner, '{');
    const node = { type, name, line, fields: new Map<string, VrmlField>() };
    if (name) named.set(name, node);
    return node;
  }

  const fields = new Map<string, VrmlField>();
  for (let token = scanner.next(); token !== '}'; token = scanner.next()) {
    if (token === 'end')
      throw scanner.error(`${type.slice(0, 60)} of line ${line} is not closed; is the file cut off?`);
    if (token !== 'word') throw scanner.error(`expected a field of ${type.slice(0, 60)}, got ${scanner.got()}`);
    if (skipStatement(scanner, notes)) continue;
    const field = scanner.text();
    fields.set(field, readField(scanner, named, notes, depth));
  }
  const node = { type, name, line, fields };
  if (name) named.set(name, node);
  return node;
}

function readField(scanner: VrmlScanner, named: Map<string, VrmlNode>, notes: Set<string>, depth: number): VrmlField {
  const nodes: VrmlNode[] = [];
  if (scanner.next() === '[') {
    // A list of numbers, strings, flags or nodes
    const { line } = scanner;
    const numbers = new GrowingFloat64();
    while (scanner.next() !== ']') {
      if (scanner.token === 'end') throw scanner.error(`the list of line ${line} is not closed; is the file cut off?`);
      const value = scanner.number();
      if (!Number.isNaN(value)) numbers.push(value);
      else if (scanner.token !== 'string' && !scanner.is('TRUE') && !scanner.is('FALSE')) {
        if (skipStatement(scanner, notes)) continue;
        const node = readNode(scanner, named, notes, depth + 1);
        if (node) nodes.push(node);
      }
    }
    return { numbers: numbers.length > 0 ? numbers.toArray() : NO_NUMBERS, words: [], nodes };
  }
  if (scanner.token === 'string') return { numbers: NO_NUMBERS, words: [scanner.text()], nodes };
  if (scanner.is('TRUE') || scanner.is('FALSE')) return { numbers: NO_NUMBERS, words: [scanner.text()], nodes };
  if (scanner.is('IS')) {
    scanner.next();
    return { numbers: NO_NUMBERS, words: [scanner.text()], nodes };
  }
  if (!Number.isNaN(scanner.number())) {
    // One value of several numbers, e.g. a vector
    const numbers: number[] = [];
    do numbers.push(scanner.number());
    while (scanner.next() === 'word' && !Number.isNaN(scanner.number()));
    scanner.back();
    return { numbers: Float64Array.from(numbers), words: [], nodes };
  }
  const node = readNode(scanner, named, notes, depth + 1);
  if (node) nodes.push(node);
  return { numbers: NO_NUMBERS, words: [], nodes };
}

/** Whether the word may name a node or field: it begins with a letter or underscore. */
function isName(scanner: VrmlScanner): boolean {
  const c = scanner.bytes[scanner.start];
  return (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a) || c === 0x5f || c >= 0x80;
}
