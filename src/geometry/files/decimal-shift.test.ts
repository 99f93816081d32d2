import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatShifted, lengthParser, lengthWriter } from './decimal-shift.js';
import { parseShifted } from './number-parser.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (text: string, shift: number) => parseShifted(bytes(text), 0, text.length, shift);

describe('parseShifted', () => {
  test('rounds once where a product rounds twice', () => {
    expect(0.9 * 0.001).not.toBe(0.0009);
    expect(parse('0.9', -3)).toBe(0.0009);
  });

  test('gives what the engine gives for the same decimal with its exponent moved', () => {
    const exponent = fc.integer({ min: -330, max: 330 });
    const digits = fc.bigInt({ min: 0n, max: 10n ** 22n });
    fc.assert(
      fc.property(
        fc.boolean(),
        digits,
        fc.nat(22),
        exponent,
        fc.integer({ min: -6, max: 3 }),
        (negative, whole, point, e, shift) => {
          const d = String(whole);
          const split = Math.max(0, d.length - point);
          const mantissa = `${negative ? '-' : ''}${d.slice(0, split)}.${d.slice(split)}`;
          expect(parse(`${mantissa}e${e}`, shift)).toBe(Number(`${mantissa}e${e + shift}`));
          expect(parse(mantissa, shift)).toBe(Number(`${mantissa}e${shift}`));
        },
      ),
      { seed: 1, numRuns: 2000 },
    );
  });

  test.each(['', '-', '+', '.', 'e5', '1e', '1e+', '1.2.3', '0x10', 'nan', 'Infinity', '1,5', '1 ', '--1', '1e5.0'])(
    'refuses "%s"',
    (text) => {
      expect(parse(text, -3)).toBeNaN();
    },
  );

  test('overflows to infinity, as Number does', () => {
    expect(parse('1e999', -3)).toBe(Infinity);
    expect(parse('-1e99999999999999', 0)).toBe(-Infinity);
    expect(parse('1e-99999999999999', 3)).toBe(0);
  });
});

describe('lengthWriter', () => {
  test('writes plain digits that lengthParser turns into the same bits', () => {
    expect(formatShifted(0.012345, 3)).toBe('12.345');
    expect(formatShifted(-1e-9, 6)).toBe('-0.001');
    expect(formatShifted(25, 3)).toBe('25000');
    expect(formatShifted(-0, 3)).toBe('-0');
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.constantFrom('m', 'cm', 'mm', 'um', 'km'), (x, unit) => {
        if (!Number.isFinite(x)) return;
        const text = lengthWriter(unit)(x);
        const back = lengthParser(unit)(bytes(text), 0, text.length);
        expect(Object.is(back, x)).toBe(true);
      }),
      { seed: 2, numRuns: 2000 },
    );
  });
});
