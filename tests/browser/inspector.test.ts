/** The contact inspector over a real recording: arrows, patches, intersections, strip and filter against what was recorded. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTACT, CONTACT_STATES } from '../../src/results/contact-records.js';
import { contactsOf } from '../../src/viewer/inspector/contact-rows.js';
import { sliding } from './sliding.model.js';
import { openRooms, type Rooms } from './viewer-rooms.js';

interface Arrow {
  pair: string;
  kind: string;
  on: string;
  from: [number, number, number];
  vector: [number, number, number];
  force: number;
}

let rooms: Rooms;
let page: Page;
let peak: number; // the instant of the ball's impact

const table = () => rooms.recording.table('contacts');
const recorded = (label: string, instant: number) => {
  const pair = table().labels.indexOf(label);
  return contactsOf(table().instant(instant), (p) => p === pair);
};
const goTo = (instant: number): Promise<Arrow[]> =>
  page.evaluate(
    `(async () => { const { player, inspector } = window.tippetop; player.goTo(${instant}); await inspector.settled(); return inspector.arrows(); })()`,
  );
const arrows = (): Promise<Arrow[]> =>
  page.evaluate('window.tippetop.inspector.settled().then(() => window.tippetop.inspector.arrows())');
const length = (v: readonly number[]): number => Math.hypot(...v);

beforeAll(async () => {
  rooms = await openRooms(sliding(), { stopTime: 0.3, interval: 2e-3 });
  const forces = rooms.recording.signal('ball.contact.force.z');
  peak = forces.argmax();
  page = await rooms.open({ viewport: { width: 800, height: 480 } });
  await page.evaluate(
    "document.querySelector('.viewer-plots').hidden = true; window.tippetop.inspector.visible = true",
  );
});
afterAll(async () => {
  await rooms?.close();
});

describe('arrows', () => {
  test('start at the recorded points, have the recorded directions, and one scale for all', async () => {
    const drawn = await goTo(peak);
    expect(new Set(drawn.map(({ pair }) => pair))).toEqual(new Set(table().labels));
    const scales: number[] = [];
    for (const label of table().labels) {
      const [contact] = recorded(label, peak);
      const of = (kind: string) => drawn.find((arrow) => arrow.pair === label && arrow.kind === kind)!;
      const normal = of('normal');
      expect(normal.from).toEqual([...contact.point]);
      expect(normal.force).toBeCloseTo(contact.normalForce, 9);
      // forces are drawn on what moves: up on ball and crate, whichever of the pair they are
      expect(normal.on).toBe(label.replace(/^floor – | – floor$|^crate – /, ''));
      expect(normal.vector[2] / length(normal.vector)).toBeGreaterThan(0.99);
      const friction = of('friction');
      expect(friction.force).toBeCloseTo(length(contact.friction), 9);
      const sign = Math.sign(normal.vector[2] * contact.normal[2]);
      for (let k = 0; k < 3; k++)
        expect(friction.vector[k] / length(friction.vector)).toBeCloseTo(
          (sign * contact.friction[k]) / length(contact.friction),
          9,
        );
      scales.push(normal.force / length(normal.vector), friction.force / length(friction.vector));
    }
    for (const scale of scales) expect(scale / scales[0]).toBeCloseTo(1, 9);
    // the greatest force of the run is a quarter of the scene across
    const size: number = await page.evaluate('window.tippetop.stage.size');
    const greatest = Math.max(...table().column(CONTACT.normalForce));
    expect(greatest / scales[0] / (2 * size)).toBeCloseTo(0.25, 6);
  });

  test('are seen where the camera puts them', async () => {
    const drawn = await goTo(peak);
    const ball = drawn.find(({ pair, kind }) => pair === 'ball – floor' && kind === 'normal')!;
    const along = (part: number): number[] => ball.from.map((x, k) => x + part * ball.vector[k]);
    const points = [0.3, 0.5, 0.7, 1.12, -0.12].map(along);
    // drawn and projected at once, with one camera
    const colours: number[][] = await page.evaluate(`(async () => {
      const { stage } = window.tippetop;
      const drawn = stage.toPng();
      const places = ${JSON.stringify(points)}.map((point) => stage.project(point));
      const { width } = stage.view;
      const picture = await createImageBitmap(await drawn);
      const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
      pen.drawImage(picture, 0, 0);
      const ratio = picture.width / width;
      return places.map(({ x, y }) => [...pen.getImageData(Math.floor(x * ratio), Math.floor(y * ratio), 1, 1).data]);
    })()`);
    const isGreen = ([r, g, b]: number[]): boolean =>
      Math.abs(r) < 40 && Math.abs(g - 158) < 40 && Math.abs(b - 115) < 40;
    expect(colours.map(isGreen)).toEqual([true, true, true, false, false]);
  });

  test('get as long as a person asks for', async () => {
    const [before] = await goTo(peak);
    await page.fill('.inspector-scale', '500');
    await page.press('.inspector-scale', 'Enter');
    const [after] = await arrows();
    expect(after.force).toBe(before.force);
    expect(after.force / length(after.vector)).toBeCloseTo(500, 6);
    await page.click('.inspector-per button');
    const [back] = await arrows();
    expect(length(back.vector)).toBeCloseTo(length(before.vector), 12);
    expect(await page.textContent('.inspector-legend')).toMatch(/^\d+(\.\d+)? k?N$/);
  });
});

test('the list has the numbers of the recording', async () => {
  await goTo(peak);
  const rows = await page.locator('.inspector-contacts button').allTextContents();
  const all = table().labels.flatMap((label) => recorded(label, peak));
  expect(rows).toHaveLength(all.length);
  const [contact] = recorded('floor – crate', peak);
  const row = rows.find((text) => text.startsWith('floor – crate'))!;
  expect(row).toContain(`${contact.normalForce.toPrecision(3)} N`);
  expect(row).toContain(`depth ${(1e6 * contact.depth).toPrecision(3)} µm`);
  expect(row).toContain(`|T|/N ${(length(contact.friction) / contact.normalForce).toPrecision(3)}`);
  expect(row).toContain({ open: 'open', stick: 'sticks', slip: 'slips' }[contact.state]);
  expect(CONTACT_STATES).toContain(contact.state);
});

test('intersections: polygons whose forces add up to the recorded one, and the recorded volume', async () => {
  await goTo(peak);
  await page.check('[data-shows=intersections]');
  const drawn = await arrows();
  for (const label of table().labels) {
    const [contact] = recorded(label, peak);
    const polygons = drawn.filter(({ pair, kind }) => pair === label && kind === 'polygon');
    expect(polygons.length).toBeGreaterThan(1);
    expect(polygons.reduce((sum, { force }) => sum + force, 0) / contact.normalForce).toBeCloseTo(1, 9);
  }
  // choosing one brings the camera to it and tells its volume
  await page.locator('.inspector-contacts button', { hasText: 'floor – crate' }).click();
  await page.waitForFunction(
    "document.querySelector('.inspector-about strong')?.textContent.startsWith('Intersection')",
  );
  const [contact] = recorded('floor – crate', peak);
  expect(await page.textContent('.inspector-about')).toContain(
    `Intersection ${(1e9 * contact.volume).toPrecision(4)} mm³, as recorded`,
  );
  await page.waitForFunction(`(() => {
    const { x, y } = window.tippetop.stage.project(${JSON.stringify(contact.point)});
    const view = document.querySelector('.viewer-view');
    return Math.abs(x - view.clientWidth / 2) < 4 && Math.abs(y - view.clientHeight / 2) < 4;
  })()`);
  await page.uncheck('[data-shows=intersections]');
});

describe('the strip', () => {
  const sums = (labels: readonly string[]): number[] => {
    const pairs = labels.map((label) => table().labels.indexOf(label));
    return Array.from({ length: rooms.recording.rows }, (_, k) =>
      contactsOf(table().instant(k), (pair) => pairs.includes(pair)).reduce(
        (sum, { normalForce }) => sum + normalForce,
        0,
      ),
    );
  };
  const shown = (): Promise<number[]> => page.evaluate('[...window.tippetop.inspector.strip.forces]');

  test('has the sum of the normal forces; a press beside a spike goes to the spike', async () => {
    const forces = await shown();
    sums(table().labels).forEach((sum, k) => {
      expect(forces[k]).toBeCloseTo(sum, 9);
    });
    await goTo(0);
    const x: number = await page.evaluate(`window.tippetop.inspector.strip.placeOf(${peak})`);
    await page.locator('.strip-area').click({ position: { x: x + 2, y: 20 } });
    await arrows();
    expect(await page.evaluate('window.tippetop.player.instant')).toBe(forces.indexOf(Math.max(...forces)));
  });

  test('and the view follow the filter', async () => {
    await page.click('.inspector-filter summary');
    await page.fill('.inspector-filter input[type=search]', 'brick');
    await page.getByRole('button', { name: 'Only these' }).click();
    const drawn = await goTo(peak);
    expect(new Set(drawn.map(({ pair }) => pair))).toEqual(new Set(['crate – brick']));
    await page.waitForFunction("document.querySelector('.strip-label').textContent.startsWith('crate – brick')");
    const wanted = sums(['crate – brick']);
    (await shown()).forEach((force, k) => {
      expect(force).toBeCloseTo(wanted[k], 9);
    });
    await page.getByRole('button', { name: 'All' }).click();
    expect(new Set((await arrows()).map(({ pair }) => pair)).size).toBe(3);
  });
});

test('hidden, nothing of it is left; and nobody complained', async () => {
  await page.evaluate('window.tippetop.inspector.visible = false');
  expect(await page.evaluate('window.tippetop.inspector.arrows().length')).toBe(0);
  await page.evaluate('window.tippetop.inspector.dispose()');
  expect(await page.locator('.inspector').count()).toBe(0);
  expect(await page.evaluate('window.tippetop.stage.overlay.children.length')).toBe(0);
  expect(rooms.complaints).toEqual([]);
});
