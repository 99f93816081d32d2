/** Contact inspector and plots over a real recording, without the rest of the viewer: against what was recorded. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decimal } from '../../src/math/quantity.js';
import { CONTACT, CONTACT_STATES } from '../../src/results/contact-records.js';
import { readCsv } from '../../src/results/csv.js';
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

interface Shown {
  title: string;
  lines: { name: string; unit: string }[];
  axes: { unit: string; side: string }[];
}

let rooms: Rooms;
beforeAll(async () => {
  rooms = await openRooms(sliding(), { stopTime: 0.3, interval: 2e-3 });
});
afterAll(async () => {
  await rooms?.close();
});

describe('the contact inspector', () => {
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
    const forces = rooms.recording.signal('ball.contact.force.z');
    peak = forces.argmax();
    page = await rooms.open({ viewport: { width: 800, height: 480 } });
    await page.evaluate(
      "document.querySelector('.viewer-plots').hidden = true; window.tippetop.inspector.visible = true",
    );
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
});

describe('plots', () => {
  let page: Page;
  const shown = (): Promise<Shown[]> => page.evaluate('window.tippetop.plots.shown()');
  const namesIn = async (plot: number): Promise<string[]> => (await shown())[plot].lines.map(({ name }) => name);
  const time = (): Promise<number> => page.evaluate('window.tippetop.player.time');
  const setTime = (seconds: number) =>
    page.evaluate(`(window.tippetop.player.time = ${seconds}, window.tippetop.player.settled())`);
  /** Rows of the legend of a plot: cells of text */
  const legend = (plot: number): Promise<string[][]> =>
    page.evaluate(
      `[...document.querySelectorAll('.plot')[${plot}].querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))`,
    );

  beforeAll(async () => {
    page = await rooms.open({ viewport: { width: 800, height: 900 } }, '?plots');
    await page.waitForFunction("document.querySelectorAll('.plot tbody tr').length === 7");
  });

  test("the author's plots are there, an axis for each unit", async () => {
    const [heights, speeds] = await shown();
    expect(heights.title).toBe('Heights');
    expect(heights.lines.map(({ name }) => name)).toEqual(
      ['floor', 'ball', 'crate', 'brick'].map((body) => `${body}.position.z`),
    );
    expect(heights.axes).toEqual([{ unit: 'm', side: 'left' }]);
    expect(speeds.axes).toEqual([
      { unit: 'm/s', side: 'left' },
      { unit: 'N', side: 'right' },
    ]);
  });

  test('the legend has the value at the time of the player', async () => {
    await setTime(0.13);
    const height = rooms.recording.signal('ball.position.z');
    const rows = await legend(0);
    expect(rows[1][0]).toContain('ball.position.z mm');
    expect(rows[1][1]).toBe(decimal(1e3 * height.valueAt(0.13)));
    await setTime(0.2511);
    expect((await legend(0))[1][1]).toBe(decimal(1e3 * height.valueAt(0.2511)));
    // statistics of the whole run, in the unit of the line
    expect(rows[1].slice(2, 4)).toEqual([height.min(), height.max()].map((value) => (1e3 * value).toPrecision(4)));
  });

  test('a press goes to a time, a drag zooms all plots, a double press shows everything again', async () => {
    const over = page.locator('.u-over').first();
    const { width } = (await over.boundingBox())!;
    await over.click({ position: { x: width / 3, y: 60 } });
    expect(await time()).toBeCloseTo(0.1, 2);

    await over.hover({ position: { x: width / 2, y: 50 } });
    await page.mouse.down();
    const { x, y } = (await over.boundingBox())!;
    await page.mouse.move(x + 0.75 * width, y + 50, { steps: 3 });
    await page.mouse.up();
    const csv = readCsv(new TextEncoder().encode(await page.evaluate('window.tippetop.plots.csv()')));
    expect(csv.times[0]).toBeCloseTo(0.15, 2);
    expect(csv.times.at(-1)).toBeCloseTo(0.225, 2);
    // every row of it to the bit, from both plots
    const force = rooms.recording.signal('ball.contact.force.z');
    const first = rooms.recording.times.indexOf(csv.times[0]);
    expect([...csv.signal('ball.contact.force.z').values]).toEqual([...force.values.slice(first, first + csv.rows)]);
    const stretch = force.values.slice(first, first + csv.rows);
    expect(Number((await legend(1))[2][3])).toBeCloseTo(Math.max(...stretch), 2);

    await over.dblclick({ position: { x: 30, y: 40 } });
    expect(readCsv(new TextEncoder().encode(await page.evaluate('window.tippetop.plots.csv()'))).rows).toBe(
      rooms.recording.rows,
    );
  });

  test('search: loosely and Enter, by a pattern, by drag, into a new plot', async () => {
    await page.locator('.plot').nth(1).focus();
    await page.fill('.plots-search input', 'cratevx');
    await page.press('.plots-search input', 'Enter');
    await page.waitForFunction("document.querySelectorAll('.plot')[1].querySelectorAll('tbody tr').length === 4");
    expect(await namesIn(1)).toContain('crate.velocity.x');

    await page.fill('.plots-search input', 'brick.{position,velocity}.y');
    await page.press('.plots-search input', 'Shift+Enter');
    await page.waitForFunction("document.querySelectorAll('.plot')[2]?.querySelectorAll('tbody tr').length === 2");
    expect(await namesIn(2)).toEqual(['brick.position.y', 'brick.velocity.y']);

    await page.fill('.plots-search input', 'ball.contact.heat');
    await page
      .locator('.plots-found li')
      .first()
      .dragTo(page.locator('.plot').nth(2), { targetPosition: { x: 200, y: 60 } });
    await page.waitForFunction("document.querySelectorAll('.plot')[2].querySelectorAll('tbody tr').length === 3");
    expect((await shown())[2].axes.map(({ unit }) => unit)).toEqual(['m', 'm/s', 'J']);
    // the same again is no second line
    await page.evaluate("window.tippetop.plots.add('ball.contact.heat', 2)");
    expect(await namesIn(2)).toHaveLength(3);
    expect(await page.evaluate("window.tippetop.plots.add('bal.speed').catch((error) => error.message)")).toContain(
      'there is no signal "bal.speed"',
    );
  });

  test('rates, removal, keys', async () => {
    const choice = page.locator('.plot').nth(2).locator('tbody select').first();
    await choice.selectOption('rate');
    expect(await namesIn(2)).toContain('d/dt brick.position.y');
    // dy/dt is the velocity: both lines share an axis now, and their greatest values agree
    await expect
      .poll(async () => {
        const rows = await legend(2); // drawn in a task of its own
        return Number(rows[0][3]) / Number(rows[1][3]);
      })
      .toBeCloseTo(1, 2);
    await page.locator('.plot').nth(2).getByRole('button', { name: 'Remove ball.contact.heat' }).click();
    expect(await namesIn(2)).toHaveLength(2);
    await page.locator('.plot').nth(2).focus();
    await page.keyboard.press('+');
    await expect.poll(() => page.locator('.plots-bar button', { hasText: 'Whole run' }).isEnabled()).toBe(true);
    await page.keyboard.press('0');
    expect(await page.locator('.plots-bar button', { hasText: 'Whole run' }).isEnabled()).toBe(false);
    await page.keyboard.press('Delete');
    expect(await shown()).toHaveLength(2);
  });

  test('files, clearing, and nobody complained', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.plots-bar button', { hasText: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('ball-and-crate.csv');
    const [width, height]: number[] = await page.evaluate(
      'window.tippetop.plots.png().then(createImageBitmap).then((picture) => [picture.width, picture.height])',
    );
    expect(width).toBeGreaterThan(700);
    expect(height).toBeGreaterThan(2 * 190);
    await page.locator('.plots-bar button', { hasText: 'Clear' }).click();
    expect(await shown()).toEqual([{ title: '', lines: [], axes: [] }]);
    await page.evaluate('window.tippetop.plots.dispose()');
    expect(await page.locator('.plots').count()).toBe(0);
    expect(rooms.complaints).toEqual([]);
  });
});
