import { expect, test } from 'vitest';
import type { JsonModel } from '../document/document.js';
import { groupsIn, groupsText, typedGroups } from './contact-fields.js';
import { placeOfProblem } from './problem-banner.js';

test('groups are typed as words: one is a text, several a list, none nothing', () => {
  expect(typedGroups(' wheels ')).toBe('wheels');
  expect(typedGroups('wheels, rails;wheels,')).toEqual(['wheels', 'rails']);
  expect(typedGroups(' , ')).toBeUndefined();
  expect(groupsText(['wheels', 'rails'])).toBe('wheels, rails');
  expect(groupsText(undefined)).toBe('');
});

const model = {
  bodies: { arm: { contact: { group: ['wheels', 'rails'] } }, ghost: { contact: false }, rack: [{}, {}, {}, {}] },
  contacts: { sensors: [['arm', 'rack']] },
} as unknown as JsonModel;

test('groups of the model, with that of those who say none', () => {
  expect(groupsIn(model)).toEqual(['default', 'wheels', 'rails']);
});

test('a problem is at an element that can be selected, or at none', () => {
  const at = (path: string): string | undefined => placeOfProblem(model, { path, text: '' });
  expect(at('bodies.arm.shape.sphere.radius')).toBe('bodies.arm');
  expect(at('bodies.rack[3].material')).toBe('bodies.rack[3]');
  expect(at('bodies.rack[4].material')).toBeUndefined();
  expect(at('bodies.gone.shape')).toBeUndefined();
  expect(at('contacts.sensors[0][1]')).toBe('contacts.sensors[0]');
  expect(at('contacts.sensors[1]')).toBeUndefined();
  expect(at('simulation.stop')).toBeUndefined();
});
