import { describe, expect, test } from 'vitest';
import type { Vec2 } from '../../math/vec3.js';
import { modelFromJson } from '../../model/json.js';
import { setSketch } from '../commands/document-commands.js';
import { History } from '../commands/history.js';
import { emptyDocument, sceneModel } from '../document/document.js';
import type { Sketch } from '../document/sketch.js';
import { SketchDesk } from './desk.js';
import { toDxf, toSvg, withDrawing } from './exchange.js';
import { areaOf, asCircle, circle } from './outline.js';
import { newPicture } from './picture.js';
import { putIntoScene, sketchOf } from './put-into-scene.js';
import { snap } from './snap.js';

/** A desk over a document, as the page has it. */
function setUp() {
  const history = new History(emptyDocument());
  const refused: string[] = [];
  const sketch = (): Sketch => sketchOf(history.document.value, 'plate');
  const desk = new SketchDesk({
    sketch,
    change: (next, label, gesture) =>
      void history.do(setSketch, { name: 'plate', sketch: next, label }, gesture === undefined ? {} : { gesture }),
    changed: () => undefined,
    moved: () => undefined,
    refuse: (why) => refused.push(why),
  });
  const click = (...points: Vec2[]): void => {
    for (const point of points) desk.click(snap(point, sketch().outlines, { reach: 1e-4 }));
  };
  return { history, desk, sketch, click, refused };
}

describe('the desk', () => {
  test('lines and an arc, closed on the first corner', () => {
    const { desk, click, sketch } = setUp();
    click([0, 0], [0.02, 0]);
    desk.tool = 'arc';
    click([0.03, 0.01], [0.02, 0.02]); // through, end: half a circle
    desk.tool = 'line';
    click([0, 0.02], [0, 0]);
    const { outline } = sketch().outlines;
    expect(outline.closed).toBe(true);
    expect(outline.corners).toHaveLength(4);
    expect(areaOf(outline)).toBeCloseTo(4e-4 + (Math.PI / 2) * 1e-4, 15);
    click([0.1, 0.1]); // the next click begins another
    expect(Object.keys(sketch().outlines)).toEqual(['outline', 'outline2']);
  });
  test('an outline that was left open goes on from its last corner', () => {
    const { desk, click, sketch } = setUp();
    click([0, 0], [0.02, 0]);
    desk.tool = 'select';
    desk.tool = 'line';
    click([0.02, 0], [0.02, 0.02], [0, 0]);
    expect(Object.keys(sketch().outlines)).toEqual(['outline']);
    expect(sketch().outlines.outline).toMatchObject({ closed: true });
    expect(areaOf(sketch().outlines.outline)).toBeCloseTo(2e-4, 15);
  });
  test('by typed numbers alone', () => {
    const { desk, sketch } = setUp();
    desk.typed(0, 0);
    desk.typed(0.03, 0);
    desk.typed(0.04, Math.PI / 2);
    desk.close();
    expect(areaOf(sketch().outlines.outline)).toBeCloseTo(6e-4, 15);
    desk.tool = 'circle';
    desk.typed(0.02, 0.01); // its centre
    desk.typed(0.005, 0);
    expect(asCircle(sketch().outlines.circle)).toEqual({ centre: [0.02, 0.01], radius: expect.closeTo(0.005, 15) });
  });
  test('every click can be taken back; a drag is one', () => {
    const { desk, click, sketch, history } = setUp();
    click([0, 0], [0.02, 0], [0.02, 0.02], [0, 0]);
    for (let i = 0; i < 3; i++) {
      desk.choose({ outline: 'outline', corner: 2 });
      desk.moveTo([0.02, 0.03 + 0.01 * i], 'drag');
    }
    expect(sketch().outlines.outline.corners[2]).toEqual([0.02, 0.05, 0]);
    history.undo();
    expect(sketch().outlines.outline.corners[2]).toEqual([0.02, 0.02, 0]);
    for (let i = 0; i < 4; i++) history.undo();
    expect(sketch().outlines).toEqual({});
    expect(desk.chosen).toBeUndefined();
    expect(desk.chain).toBeUndefined();
  });
  test('bend, insert, delete the corner, delete the outline', () => {
    const { desk, click, sketch } = setUp();
    click([0, 0], [0.02, 0], [0.02, 0.02], [0, 0]);
    desk.choose({ outline: 'outline', edge: 0 });
    desk.bendTo([0.01, -0.01]);
    expect(sketch().outlines.outline.corners[0][2]).toBeCloseTo(1, 12);
    desk.insert('outline', 1);
    expect(desk.chosen).toEqual({ outline: 'outline', corner: 2 });
    expect(sketch().outlines.outline.corners).toHaveLength(4);
    desk.remove();
    expect(sketch().outlines.outline.corners).toHaveLength(3);
    desk.choose({ outline: 'outline' });
    desk.remove();
    expect(sketch().outlines).toEqual({});
  });
  test('what cannot be closed is refused in words', () => {
    const { desk, click, refused } = setUp();
    click([0, 0], [0.02, 0]);
    desk.close();
    expect(refused).toEqual(['expected at least 3 corners to close an outline, or 2 and an arc']);
  });
  test('the scale of a picture, then its origin', () => {
    const { desk, click, sketch, history } = setUp();
    const picture = newPicture('a.png', { width: 1000, height: 500 }); // 10 cm wide
    history.do(setSketch, { name: 'plate', sketch: { outlines: {}, picture } });
    desk.tool = 'scale';
    click([-0.05, 0], [0.05, 0]);
    expect(desk.setLength(0.002)).toBe(true);
    expect(sketch().picture).toMatchObject({ scale: expect.closeTo(2e-6, 18), at: [0, 0] });
    click([0, 0], [1e-3, 0], [1e-3, 1e-3], [0, 0]);
    desk.tool = 'origin';
    click([1e-3, 1e-3]);
    expect(sketch().picture?.at).toEqual([-1e-3, -1e-3]);
    expect(sketch().outlines.outline.corners[2]).toEqual([0, 0, 0]);
  });
});

describe('a solid of it', () => {
  const drawn: Sketch = {
    outlines: {
      plate: {
        corners: [
          [0.01, 0, 0],
          [0.03, 0, 1],
          [0.03, 0.02, 0],
          [0.01, 0.02, 0],
        ],
        closed: true,
      },
      bore: circle([0.02, 0.01], 0.004),
    },
  };
  const put = (sketch: Sketch, kind: 'extrude' | 'revolve') => {
    const history = new History({ ...emptyDocument(), sketches: { plate: sketch } });
    const args = { name: 'plate', choice: { kind, height: 2e-3, material: 'brass' } };
    history.do(putIntoScene, args);
    return { history, args };
  };
  test('goes into the scene, runs there, and is made anew', async () => {
    const { history, args } = put(drawn, 'extrude');
    const model = sceneModel(history.document.value)!;
    const built = await modelFromJson(model);
    expect([...built.bodies.keys()]).toEqual(['floor', 'plate']);
    history.do(putIntoScene, { ...args, choice: { ...args.choice, height: 5e-3 } });
    const again = sceneModel(history.document.value)!;
    expect(Object.keys(again.bodies)).toEqual(['floor', 'plate']);
    expect(again.bodies.plate).toMatchObject({ shape: { extrude: { height: 5e-3 } }, material: 'brass' });
    history.undo();
    history.undo();
    expect(Object.keys(sceneModel(history.document.value)!.bodies)).toEqual(['floor']);
  });
  test('turned about the y axis, from either side; not across', async () => {
    const { history } = put(drawn, 'revolve');
    expect((await modelFromJson(sceneModel(history.document.value)!)).bodies.has('plate')).toBe(true);
    const left = {
      outlines: { a: { corners: drawn.outlines.plate.corners.map(([x, y, b]) => [-x, y, -b] as const), closed: true } },
    };
    const other = put(left, 'revolve').history;
    expect((await modelFromJson(sceneModel(other.document.value)!)).bodies.has('plate')).toBe(true);
    const across = { outlines: { a: circle([0, 0], 0.01) } };
    expect(() => put(across, 'revolve')).toThrow('lies on both sides of the axis');
  });
  test('out and in again: DXF and SVG keep arcs', () => {
    const area = (sketch: Sketch): number[] => Object.values(sketch.outlines).map(areaOf);
    for (const [bytes, file] of [
      [toDxf(drawn, 'plate'), 'a.dxf'],
      [toSvg(drawn, 'plate'), 'a.svg'],
    ] as const) {
      const { sketch, notes } = withDrawing({ outlines: {} }, bytes, file);
      expect(notes).toEqual([]);
      for (const [i, value] of area(sketch).entries()) expect(value).toBeCloseTo(area(drawn)[i], 12);
      expect(Object.values(sketch.outlines)[0].corners).toHaveLength(4);
    }
    expect(() => toDxf({ outlines: {} }, 'x')).toThrow('nothing drawn');
  });
});
