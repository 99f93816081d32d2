import { describe, expect, test } from 'vitest';
import { namesOf, searchNames } from './search.js';

const names = [
  'time.step',
  'ball.position.x',
  'ball.position.z',
  'ball.velocity.z',
  'ball.angularVelocity.z',
  'blimp.zeta',
  'contacts.floor-ball.force.z',
  'rack[3].position.z',
  'rack[17].position.z',
];
const found = (pattern: string): string[] => searchNames(pattern, names).map(({ index }) => names[index]);

describe('searchNames', () => {
  test('nothing asked: everything', () => {
    expect(found(' ')).toEqual(names);
    expect(searchNames('', names, 2)).toHaveLength(2);
  });

  test('globs', () => {
    expect(found('rack[*].position.z')).toEqual(['rack[3].position.z', 'rack[17].position.z']);
    expect(found('ball.{position,velocity}.z')).toEqual(['ball.position.z', 'ball.velocity.z']);
    expect(found('*.{position')).toEqual([]); // not finished yet
  });

  test('letters in order, starts of parts first', () => {
    expect(found('bpz')[0]).toBe('ball.position.z');
    expect(found('bav')[0]).toBe('ball.angularVelocity.z');
    expect(found('force ball')[0]).toBe('contacts.floor-ball.force.z');
    expect(found('FORCE')[0]).toBe('contacts.floor-ball.force.z');
    expect(found('r17')[0]).toBe('rack[17].position.z');
    expect(found('qqq')).toEqual([]);
    expect(found('velocity z')[0]).toBe('ball.velocity.z');
  });

  test('the letters that matched spell the word', () => {
    for (const { index, letters } of searchNames('bpz', names))
      expect(letters.map((k) => names[index][k].toLowerCase()).join('')).toBe('bpz');
  });

  test('ten thousand names are no wait', () => {
    const many = Array.from({ length: 10_000 }, (_, k) => `rack[${k}].position.x`);
    const start = performance.now();
    expect(searchNames('rack 777 x', many, 50)[0].index).toBe(777);
    expect(performance.now() - start).toBeLessThan(2000); // a bound for a busy machine: nobody notices a tenth of it
  });
});

test('signals the author chose', () => {
  expect(namesOf(['ball.velocity.z', 'rack[*].position.z', 'ball.velocity.z', '{', 'absent'], names)).toEqual([
    'ball.velocity.z',
    'rack[3].position.z',
    'rack[17].position.z',
  ]);
});
