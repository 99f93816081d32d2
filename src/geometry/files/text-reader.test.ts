import { describe, expect, test } from 'vitest';
import { decodeText, quote, TextReader, type TextReaderOptions } from './text-reader.js';

const reader = (text: string, options?: TextReaderOptions) =>
  new TextReader(new TextEncoder().encode(text), 'a.txt', options);

/** Lines as arrays of words, with their numbers. */
function words(text: string, options?: TextReaderOptions): [number, string[]][] {
  const source = reader(text, options);
  const lines: [number, string[]][] = [];
  while (source.nextLine()) {
    const { line } = source;
    const found: string[] = [];
    while (source.nextWord()) found.push(source.word());
    lines.push([line, found]);
  }
  return lines;
}

describe('lines and words', () => {
  test.each([
    ['\n', 'LF'],
    ['\r\n', 'CR LF'],
    ['\r', 'CR'],
  ])('lines end with %j', (end) => {
    expect(words(['a b', '', '\t c  d \t', 'e'].join(end))).toEqual([
      [1, ['a', 'b']],
      [2, []],
      [3, ['c', 'd']],
      [4, ['e']],
    ]);
    expect(words(`a${end}`)).toEqual([[1, ['a']]]);
  });

  test('an empty file has no line; blank lines have no words', () => {
    expect(words('')).toEqual([]);
    expect(words('\n\n')).toEqual([
      [1, []],
      [2, []],
    ]);
    expect(reader('\n \n').nextWordInFile()).toBe(false);
  });

  test('comments end the words of a line; inside a word the character is a character', () => {
    expect(words('a #b c\n#d\na#b', { comment: '#' })).toEqual([
      [1, ['a']],
      [2, []],
      [3, ['a#b']],
    ]);
  });

  test('continued lines are one line with its words', () => {
    expect(words('f 1 2 \\\n 3\\\r\n4\nf', { continuation: true })).toEqual([
      [1, ['f', '1', '2', '3', '4']],
      [4, ['f']],
    ]);
    expect(words('a \\\nb')).toEqual([
      [1, ['a', '\\']],
      [2, ['b']],
    ]);
  });

  test('words across lines', () => {
    const source = reader('a\n\n  b c\nd');
    const found: string[] = [];
    while (source.nextWordInFile()) found.push(`${source.line}${source.word()}`);
    expect(found).toEqual(['1a', '3b', '3c', '4d']);
  });

  test('a byte order mark is no word; UTF-16 is refused', () => {
    expect(words('\ufeffsolid')).toEqual([[1, ['solid']]]);
    expect(() => new TextReader(Uint8Array.of(0xff, 0xfe, 0x41, 0), 'a.txt')).toThrow(/UTF-16/);
  });

  test('the rest of a line', () => {
    const source = reader('solid  a part \r\nfacet');
    source.nextWordInFile();
    expect(source.restOfLine()).toBe('a part');
    expect(source.nextLine()).toBe(true);
    expect(source.restOfLine()).toBe('facet');
    expect(source.nextLine()).toBe(false);
  });
});

test('words compare in either case', () => {
  const source = reader('Facet facets face');
  source.nextWordInFile();
  expect(source.wordIs('facet')).toBe(true);
  source.nextWord();
  expect(source.wordIs('facet')).toBe(false);
  source.nextWord();
  expect(source.wordIs('facet')).toBe(false);
});

describe('errors say the line, what was expected and what came', () => {
  test.each([
    ['1 x', 'a.txt, line 1: expected y, a finite number, got "x"'],
    ['1', 'a.txt, line 1: expected y, a finite number, got the end of the file'],
    ['1\n2', 'a.txt, line 1: expected y, a finite number, got the end of the line'],
    ['1 nan', 'a.txt, line 1: expected y, a finite number, got "nan"'],
    ['1 1e999', 'a.txt, line 1: expected y, a finite number, got "1e999"'],
  ])('%j', (text, message) => {
    const source = reader(text);
    source.nextLine();
    expect(source.number('x')).toBe(1);
    expect(() => source.number('y')).toThrow(message);
  });

  test('whole numbers', () => {
    const source = reader('7 7.5');
    source.nextLine();
    expect(source.integer('a count')).toBe(7);
    expect(() => source.integer('a count')).toThrow('a.txt, line 1: expected a count, a whole number, got "7.5"');
  });

  test('long and unprintable words are shown in short', () => {
    const bytes = new TextEncoder().encode(`\x07${'x'.repeat(1e6)}`);
    expect(quote(bytes, 0, bytes.length)).toBe(`"\\x07${'x'.repeat(39)}…"`);
  });
});

test('a line of 20 MB takes neither a long string nor long', () => {
  const bytes = new Uint8Array(20e6).fill(0x78);
  const source = new TextReader(bytes, 'a.txt');
  expect(source.nextWordInFile()).toBe(true);
  expect(source.word().length).toBeLessThanOrEqual(1000);
  expect(source.wordNumber()).toBeNaN();
  expect(source.nextLine()).toBe(false);
});

test('text in UTF-8, else in Latin-1', () => {
  expect(decodeText(new TextEncoder().encode('Räder'))).toBe('Räder');
  expect(decodeText(Uint8Array.of(0x52, 0xe4, 0x64))).toBe('Räd');
});
