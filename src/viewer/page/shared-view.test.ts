import { expect, test } from 'vitest';
import { addressOf, viewIn } from './shared-view.js';

const kept = {
  bodies: 'a,b & c=1#2',
  time: 1.25,
  speed: 0.2,
  loop: true,
  picked: 1,
  eye: '{"x":[1,2]}',
  plots: [['ball.position.z', 'å'], []],
};

test('what is looked at goes into an address and comes back; the rest of the address stays', () => {
  const address = addressOf(kept, 'http://127.0.0.1:8080/page/?x=1#old');
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:8080\/page\/\?x=1#view=/);
  expect(viewIn(address)).toEqual(kept);
});

test.each(['', '#', '#view=', '#view=%7B', '#view=null', '#view=%7B%22time%22%3A%22now%22%7D'])(
  'an address that asks for nothing we know (%s) is as none',
  (hash) => {
    expect(viewIn(`file:///report.html${hash}`)).toBeUndefined();
  },
);
