/** Commands and their undo, documents from strangers, links; all without a page. */
import { describe, expect, test } from 'vitest';
import { emptyDocument, type StudioDocument, sceneModel } from '../document/document.js';
import { documentOfLink, linkText } from '../document/link.js';
import { readDocument } from '../document/read.js';
import { combine } from './combine.js';
import type { Command } from './command.js';
import { array, duplicate, mirror } from './copy.js';
import { setParameter } from './document-commands.js';
import { History } from './history.js';
import { move } from './move.js';
import { place } from './place.js';
import { remove } from './remove.js';
import { rename } from './rename.js';
import { addSensor, sensorsOf } from './sensors.js';
import { setValue } from './set-value.js';

const box = { shape: { box: { size: [0.1, 0.1, 0.1] } }, material: 'steel' };
const scene = (): History => {
  const history = new History(emptyDocument('test'));
  history.do(place, {
    elements: [
      { group: 'bodies', name: 'arm', value: { ...box, position: [1, 0, 0] } },
      { group: 'bodies', name: 'tip', value: { ...box, position: [2, 0, 0] } },
      { group: 'joints', name: 'pivot', value: { kind: 'revolute', body: 'arm', at: [1, 0, 0], axis: [0, 0, 1] } },
      {
        group: 'joints',
        name: 'wrist',
        value: { kind: 'revolute', body: 'tip', to: 'arm', at: [2, 0, 0], axis: [0, 0, 1] },
      },
    ],
  });
  return history;
};
const modelOf = (history: History) => sceneModel(history.document.value)!;

describe('contact sensors', () => {
  test('go with their body, and the last leaves no empty list, which would silence every pair', () => {
    const history = scene();
    history.do(addSensor, { between: ['arm', 'floor'] });
    history.do(addSensor, { between: ['arm', 'tip'] });
    expect(() => history.do(addSensor, { between: ['tip', 'arm'] })).toThrow('already one between tip and arm');
    history.do(rename, { path: 'bodies.arm', to: 'beam' });
    expect(sensorsOf(modelOf(history))).toEqual([
      ['beam', 'floor'],
      ['beam', 'tip'],
    ]);
    history.do(remove, { paths: ['contacts.sensors[0]'] });
    expect(sensorsOf(modelOf(history))).toEqual([['beam', 'tip']]);
    history.do(remove, { paths: ['bodies.tip'] });
    expect(modelOf(history).contacts).toEqual({});
  });
  test('are refused where nothing touches anything', () => {
    const history = scene();
    history.do(setValue, { path: ['contacts'], value: false });
    expect(() => history.do(addSensor, { between: ['arm', 'tip'] })).toThrow('contacts: is false');
  });
});

describe('each command, and undo', () => {
  const half = Math.SQRT1_2;
  const cases: readonly [string, (history: History) => StudioDocument, (history: History) => void][] = [
    [
      'set',
      (h) => h.do(setValue, { path: ['bodies', 'arm', 'shape', 'box', 'size', 1], value: 0.3 }),
      (h) => expect(modelOf(h).bodies.arm.shape).toEqual({ box: { size: [0.1, 0.3, 0.1] } }),
    ],
    [
      'rename',
      (h) => h.do(rename, { path: 'bodies.arm', to: 'beam' }),
      (h) => {
        expect(Object.keys(modelOf(h).bodies)).toEqual(['floor', 'beam', 'tip']);
        expect(modelOf(h).joints!.wrist.to).toBe('beam');
        expect(modelOf(h).joints!.pivot.body).toBe('beam');
      },
    ],
    [
      'sense',
      (h) => h.do(addSensor, { between: ['arm', 'floor'] }),
      (h) => expect(modelOf(h).contacts).toEqual({ sensors: [['arm', 'floor']] }),
    ],
    [
      'remove',
      (h) => h.do(remove, { paths: ['bodies.arm'] }),
      (h) => {
        expect(Object.keys(modelOf(h).bodies)).toEqual(['floor', 'tip']);
        expect(modelOf(h).joints).toEqual({});
      },
    ],
    [
      'move',
      (h) => h.do(move, { poses: { arm: { position: [0, 3, 0], orientation: [half, 0, half, 0] } } }),
      (h) => {
        expect(modelOf(h).bodies.arm.position).toEqual([0, 3, 0]);
        // the hinge to the ground goes along: a quarter turn about y takes its axis from z to x
        const { at, axis } = modelOf(h).joints!.pivot as { at: number[]; axis: number[] };
        for (const [k, x] of [0, 3, 0].entries()) expect(at[k]).toBeCloseTo(x, 12);
        for (const [k, x] of [1, 0, 0].entries()) expect(axis[k]).toBeCloseTo(x, 12);
      },
    ],
    [
      'duplicate',
      (h) => h.do(duplicate, { bodies: ['arm'], shift: [0, 1, 0] }),
      (h) => expect(modelOf(h).bodies.arm2.position).toEqual([1, 1, 0]),
    ],
    [
      'array about z',
      (h) =>
        h.do(array, { bodies: ['arm'], count: 4, about: { point: [0, 0, 0], axis: [0, 0, 2], angle: Math.PI / 2 } }),
      (h) => {
        const { position } = modelOf(h).bodies.arm3 as { position: number[] };
        for (const [k, x] of [-1, 0, 0].entries()) expect(position[k]).toBeCloseTo(x, 12);
      },
    ],
    [
      'mirror',
      (h) => h.do(mirror, { bodies: ['arm'], axis: 0, at: 0.5 }),
      (h) => expect(modelOf(h).bodies.arm2.position ?? [0, 0, 0]).toEqual([0, 0, 0]),
    ],
    [
      'cut',
      (h) => h.do(combine, { bodies: ['arm', 'tip'], kind: 'subtract' }),
      (h) => {
        const { subtract } = modelOf(h).bodies.arm.shape as { subtract: { translate?: number[] }[] };
        expect(subtract[1].translate).toEqual([1, 0, 0]);
        expect(Object.keys(modelOf(h).bodies)).toEqual(['floor', 'arm']);
      },
    ],
  ];
  test.each(cases)('%s', (_, act, check) => {
    const history = scene();
    const before = history.document.value;
    act(history);
    check(history);
    const after = history.document.value;
    history.undo();
    expect(history.document.value).toEqual(before);
    history.redo();
    expect(history.document.value).toEqual(after);
  });
  test('one of a list is an element like others; what speaks of those behind it goes along', () => {
    const history = new History(
      readDocument(
        JSON.stringify({
          bodies: { ball: [0, 1, 2, 3].map((x) => ({ ...box, position: [x, 0, 0] })), bar: box },
          joints: { bar: { kind: 'revolute', body: 'ball[2]', to: 'bar' }, last: { kind: 'fixed', body: 'ball[3]' } },
          constraints: { pair: { kind: 'gear', joints: ['bar', 'last'], ratio: 1 } },
          contacts: {
            exclude: [
              ['ball', 'bar'],
              ['ball[1]', 'bar'],
            ],
          },
        }),
      ),
    );
    history.do(setValue, { path: ['bodies', 'ball[1]', 'material'], value: 'brass' });
    history.do(move, { poses: { 'ball[3]': { position: [9, 0, 0], orientation: [1, 0, 0, 0] } } });
    history.do(duplicate, { bodies: ['ball[3]'], shift: [1, 0, 0] });
    expect(modelOf(history).bodies).toMatchObject({
      ball: [{}, { material: 'brass' }, {}, { position: [9, 0, 0] }],
      ball3: { position: [10, 0, 0] },
    });
    history.do(remove, { paths: ['bodies.ball[1]'] });
    expect(modelOf(history).bodies.ball).toHaveLength(3);
    expect(modelOf(history).joints).toMatchObject({ bar: { body: 'ball[1]' }, last: { body: 'ball[2]' } });
    expect(modelOf(history).contacts).toEqual({ exclude: [['ball', 'bar']] });
    history.do(rename, { path: 'bodies.ball[1]', to: 'mine' });
    expect(modelOf(history).joints).toMatchObject({ bar: { body: 'mine', to: 'bar' }, last: { body: 'ball[1]' } });
    // a joint that is called as a body is
    history.do(rename, { path: 'joints.bar', to: 'hinge' });
    expect(modelOf(history)).toMatchObject({
      joints: { hinge: { to: 'bar' } },
      constraints: { pair: { joints: ['hinge', 'last'] } },
    });
    history.do(remove, { paths: ['bodies.ball[0]', 'bodies.ball[1]'] });
    expect(modelOf(history).bodies.ball).toBeUndefined();
    // that of the copy was copied with it
    expect(Object.keys(modelOf(history).joints!)).toEqual(['hinge', 'last2']);
    expect(modelOf(history).joints!.last2).toMatchObject({ body: 'ball3' });
    expect(modelOf(history).contacts).toEqual({ exclude: [] });
  });
  test('a mirror image of what is handed is mirrored in its own frame, and twice is not at all', () => {
    const history = scene();
    const outline = [
      [0, 0],
      [0.3, 0],
      [0, 0.1],
    ];
    history.do(setValue, {
      path: ['bodies', 'arm', 'shape'],
      value: { extrude: { outline, height: 0.1 }, translate: [1, 2, 3] },
    });
    history.do(mirror, { bodies: ['arm'], axis: 0, at: 0.5 });
    expect(modelOf(history).bodies.arm2.shape).toEqual({
      extrude: { outline, height: 0.1 },
      translate: [1, 2, 3],
      moves: [{ mirror: 'x' }],
    });
    history.do(mirror, { bodies: ['arm2'], axis: 0, at: 0.5 });
    expect(modelOf(history).bodies.arm3).toEqual(modelOf(history).bodies.arm);
  });
  test('a drag is one entry, and what is refused changes nothing', () => {
    const history = scene();
    const to = (x: number) =>
      history.do(move, { poses: { tip: { position: [x, 0, 0], orientation: [1, 0, 0, 0] } } }, { gesture: 'drag' });
    for (const x of [3, 4, 5]) to(x);
    history.endGesture();
    to(6);
    history.undo();
    expect(modelOf(history).bodies.tip.position).toEqual([5, 0, 0]);
    history.undo();
    expect(modelOf(history).bodies.tip.position).toEqual([2, 0, 0]);
    const had = history.document.value;
    expect(() => history.do(rename, { path: 'bodies.arm', to: 'tip' })).toThrow('already one of that name');
    expect(() => history.do(setValue as Command<never>, { path: ['__proto__', 'x'], value: 1 } as never)).toThrow(
      'no key',
    );
    expect(history.document.value).toBe(had);
    // of a scene there is no parameter to set
    expect(history.do(setParameter, { name: 'x', value: 1 })).toBe(had);
  });
});

describe('documents from elsewhere', () => {
  const text = (change: object) => JSON.stringify({ ...emptyDocument('x'), ...change });
  const deep = (n: number): unknown => (n === 0 ? 1 : [deep(n - 1)]);
  test.each([
    ['no JSON', 'hello', 'is no JSON'],
    ['a newer version', text({ version: 7 }), 'up to version 1, got 7'],
    ['a prototype key', '{"format":"tippetop-studio","version":1,"__proto__":{"x":1}}', '__proto__'],
    ['too deep', JSON.stringify({ bodies: deep(40) }), 'nested deeper than 32'],
    [
      'huge numbers',
      text({ source: { kind: 'scene', model: { bodies: { a: { mass: 1e308 } } } } }),
      'up to 1000000000000000, got 1e+308',
    ],
    [
      'too many bodies',
      text({ source: { kind: 'scene', model: { bodies: { a: Array(20_001).fill({}) } } } }),
      'at most 20000 bodies, got 20001',
    ],
  ])('%s', (_, written, message) => {
    expect(() => readDocument(written)).toThrow(message);
  });
  test('markup in a name is a name, and a bare model opens', () => {
    const name = '<img src=x onerror=alert(1)>';
    const opened = readDocument(JSON.stringify({ title: name, bodies: { a: box } }), 'm.json');
    expect(opened.title).toBe(name);
    expect(readDocument(JSON.stringify(opened))).toEqual(opened);
  });
  test('a link holds the document; a cut one and a bomb are refused', async () => {
    const { value } = scene().document;
    const link = await linkText(value);
    expect(await documentOfLink(link)).toEqual(value);
    await expect(documentOfLink(link.slice(0, -9))).rejects.toThrow('damaged');
    const bomb = await linkText({ ...value, title: 'a'.repeat(9e6) });
    expect(bomb.length).toBeLessThan(20_000);
    await expect(documentOfLink(bomb)).rejects.toThrow('more than 8 MB');
  });
});
