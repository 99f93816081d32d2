import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseInteger, parseNumber, parseShifted } from './number-parser.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string): number => parseNumber(bytesOf(text), 0, bytesOf(text).length);

/** Independent: Number() on text that matches the grammar, NaN otherwise. */
const reference = (text: string): number =>
  /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text) ? Number(text) : Number.NaN;

describe('numbers have the bits that Number() gives', () => {
  test.each([
    ...['0', '-0', '+0', '1', '-1.5', '.5', '5.', '+1e5', '1E-5', '0001.5', '0.1', '123456789012345', '1e22', '1e23'],
    ...['9007199254740993', '123456789012345678', '0.30000000000000004', '4.9406564584124654e-324', '1e-400', '1e400'],
    ...['1.7976931348623157e308', '2.2250738585072011e-308', '6.02214076e23', '0e-500', '0.000000000000000000001e21'],
    ...['179769313486231580793e289', '8.41e21', '9.5367431640625e-07', `0.${'0'.repeat(400)}1e401`, '9'.repeat(500)],
  ])('%s', (text) => {
    expect(parse(text)).toBe(reference(text)); // toBe is Object.is: −0 differs from 0
    expect(parse(text)).not.toBeNaN();
  });

  test('doubles in all their decimal forms', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: 0, max: 20 }), (x, digits) => {
        for (const text of [String(x), x.toExponential(), x.toExponential(digits), x.toPrecision(digits + 1)])
          if (!Object.is(parse(text), Number(text))) return false;
        return true;
      }),
      { seed: 1, numRuns: 5000 },
    );
  });

  test('single-precision numbers as mesh programs write them', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (x) => {
        for (const text of [x.toFixed(6), x.toPrecision(9), x.toExponential(6)])
          if (!Object.is(parse(text), Number(text))) return false;
        return true;
      }),
      { seed: 2, numRuns: 5000 },
    );
  });

  test('numbers at and beside the middle between two doubles, where rounding is hardest', () => {
    const digits = fc.bigInt({ min: 2n ** 53n, max: 2n ** 54n - 1n });
    fc.assert(
      fc.property(
        digits,
        fc.integer({ min: 0, max: 18 }),
        fc.constantFrom('', '1', '.5', '49', '51'),
        (n, down, tail) => {
          // 2n + 1 needs 55 bits: halfway between doubles, and with digits after it just above.
          for (const text of [`${2n * n + 1n}${tail}`, `${2n * n + 1n}${tail}e-${down}`, `${2n * n - 1n}e${down}`])
            if (!Object.is(parse(text), Number(text))) return false;
          return true;
        },
      ),
      { seed: 4, numRuns: 5000 },
    );
  });

  test('exact ties, with digits after the point', () => {
    // (2n + 1) / 2^k with 2n + 1 of 54 bits lies exactly between two doubles; its decimal is (2n + 1) 5^k e-k.
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 52n, max: 2n ** 53n - 1n }), fc.integer({ min: 1, max: 8 }), (n, k) => {
        const text = `${(2n * n + 1n) * 5n ** BigInt(k)}e-${k}`;
        return Object.is(parse(text), Number(text));
      }),
      { seed: 6, numRuns: 5000 },
    );
  });

  test('moving the point rounds once', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.integer({ min: -6, max: 3 }), (x, shift) => {
        const text = x.toFixed(12); // toFixed never gives an exponent below 1e21
        const bytes = bytesOf(text);
        return Object.is(parseShifted(bytes, 0, bytes.length, shift), Number(`${text}e${shift}`));
      }),
      { seed: 5, numRuns: 5000 },
    );
  });

  test('what is no decimal number is NaN, and nothing else is', () => {
    const character = fc.constantFrom(...'0123456789.-+eE xnainf,'.split(''));
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 8 }), (text) => Object.is(parse(text), reference(text))),
      { seed: 3, numRuns: 20_000 },
    );
    for (const text of [
      '',
      '-',
      '.',
      'e5',
      '1e',
      '1e+',
      'nan',
      'inf',
      '0x10',
      '1,5',
      '1 ',
      ' 1',
      '1.2.3',
      '--1',
      '1_0',
    ])
      expect(parse(text), text).toBeNaN();
  });
});

test('a range inside other text is read alone', () => {
  expect(parseNumber(bytesOf('12345'), 1, 3)).toBe(23);
});

test('whole numbers', () => {
  const integer = (text: string) => parseInteger(bytesOf(text), 0, text.length);
  expect(integer('42')).toBe(42);
  expect(integer('-7')).toBe(-7);
  expect(integer('+7')).toBe(7);
  expect(integer('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  for (const text of ['', '-', '1.0', '1e3', '9007199254740993', '9'.repeat(400), '0x1', ' 1'])
    expect(integer(text), text).toBeNaN();
});
