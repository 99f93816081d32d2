/** Building in a real Chromium: by mouse alone, by keyboard alone, and as a screen reader is told of it. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeStl } from '../../src/geometry/files/stl-write.js';
import { box } from '../../src/geometry/index.js';
import type { DataRecord } from '../../src/studio/document/document.js';
import { MODEL, STUDIO, serveStudio, untilTrue } from './studio-page.js';

const LIMIT = 120_000;
const studio = serveStudio();
let page: Page;

beforeAll(async () => {
  page = await studio.newPage();
  await page.goto(studio.server.url);
  await page.locator('[data-example]').first().waitFor();
}, LIMIT);

const until = (expression: string): Promise<void> => untilTrue(page, expression, LIMIT);
const drawn = (...bodies: string[]): Promise<void> =>
  until(
    `(() => { const names = window.tippetop.session?.playback.scene.bodies.map(({ name }) => name) ?? []; return ${JSON.stringify(bodies)}.every((name) => names.includes(name) && ${MODEL}.bodies[name] !== undefined); })()`,
  );
const elements = (group: 'bodies' | 'joints'): Promise<Record<string, DataRecord>> =>
  page.evaluate(`${MODEL}.${group} ?? {}`);
/** Where a point of the world, m, is on the screen */
const at = (point: readonly number[]): Promise<{ readonly x: number; readonly y: number }> =>
  page.evaluate(
    `(() => { const { left, top } = document.querySelector('canvas').getBoundingClientRect(); const { x, y } = window.tippetop.stage.project(${JSON.stringify(point)}); return { x: left + x, y: top + y }; })()`,
  );
/** Until the eye has come where it goes */
const rested = (): Promise<void> =>
  until(
    `(() => { const { controls } = window.tippetop.stage.view; const goes = (place) => controls[place](undefined, false).distanceTo(controls[place](undefined, true)); return Math.max(goes('getPosition'), goes('getTarget')) < 1e-3 * controls.distance; })()`,
  );
const press = async (point: readonly number[]): Promise<void> => {
  const { x, y } = await at(point);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.up();
};
const tool = (name: RegExp): Promise<void> =>
  page.getByRole('toolbar', { name: 'Tools' }).getByRole('button', { name }).click();

describe('by mouse', () => {
  test(
    'tiles that are pressed faster than they are drawn stand beside each other, also in a scene that is wrong',
    async () => {
      await page.getByRole('button', { name: /New scene/ }).click();
      const pressed = (...names: string[]): Promise<void> =>
        page.evaluate(
          `for (const name of ${JSON.stringify(names)}) document.querySelector('[data-place=' + name + ']').click()`,
        );
      await pressed('box', 'gears', 'cylinder', 'cylinder');
      await drawn('box', 'cylinder', 'cylinder2', 'pinion');
      const ends = (await page.evaluate(
        `(() => {
          const { shapes, bodies } = window.tippetop.session.playback.scene;
          return ['box', 'pinion', 'cylinder', 'cylinder2'].map((wanted) => {
            const { parts, pose } = bodies.find(({ name }) => name === wanted);
            const x = parts.flatMap(({ shape }) => [...shapes[shape].vertices].filter((_, i) => i % 3 === 0)); // none is turned
            return [pose.position[0] + Math.min(...x), pose.position[0] + Math.max(...x)];
          });
        })()`,
      )) as [number, number][];
      for (const [i, [, right]] of ends.slice(0, -1).entries()) expect(ends[i + 1][0]).toBeGreaterThan(right);
      await page.evaluate(`${STUDIO}.history.selection.set(['bodies.box'])`);
      const size = page.getByRole('textbox', { name: /^size/ }).first();
      await size.fill('-1');
      await size.press('Enter');
      await until(`${STUDIO}.problem.value !== undefined`);
      await pressed('ball', 'ball');
      await until(`${MODEL}.bodies.ball2 !== undefined`);
      const { ball, ball2 } = (await elements('bodies')) as Record<string, { position: number[] }>;
      expect(ball.position[0]).toBeGreaterThan(ends[3][1]);
      expect(ball2.position[0] - ball.position[0]).toBeGreaterThan(0.09);
      await page.evaluate(`${STUDIO}.showGallery()`);
    },
    LIMIT,
  );

  test(
    'a hinge by a circle and the floor, and by two circles: the axis is that of the circle',
    async () => {
      await page.getByRole('button', { name: /New scene/ }).click();
      for (const name of ['cylinder', 'cylinder'] as const) await page.locator(`[data-place=${name}]`).click();
      await drawn('cylinder', 'cylinder2');
      await rested();
      const [a, b] = Object.values(await elements('bodies')).slice(-2) as { position: number[] }[];
      const top = ({ position: [x, y, z] }: { position: number[] }): number[] => [x, y, z + 0.05];
      await tool(/^Joint/);
      await press(top(a));
      await press([a.position[0] + 0.05, a.position[1] - 0.11, 0]); // the floor
      await until(`${MODEL}.joints?.cylinderAxis !== undefined`);
      const { cylinderAxis } = await elements('joints');
      expect(cylinderAxis).toMatchObject({ kind: 'revolute', body: 'cylinder' });
      expect(cylinderAxis.to).toBeUndefined();
      const axis = cylinderAxis.axis as number[];
      const place = cylinderAxis.at as number[];
      expect([Math.hypot(axis[0], axis[1]), Math.abs(axis[2]) - 1].every((x) => Math.abs(x) < 1e-12)).toBe(true);
      expect(Math.hypot(place[0] - a.position[0], place[1] - a.position[1])).toBeLessThan(1e-12);
      await page.keyboard.press('Control+z');
      await until(`${MODEL}.joints?.cylinderAxis === undefined`);

      await rested();
      await tool(/^Joint/);
      await press(top(b));
      await press(top(a));
      await until(`${MODEL}.joints?.cylinder2Axis !== undefined`);
      const { cylinder2Axis } = await elements('joints');
      expect(cylinder2Axis).toMatchObject({ kind: 'revolute', body: 'cylinder2', to: 'cylinder' });
      // the second went onto the first, centre on centre
      const moved = (await elements('bodies')).cylinder2.position as number[];
      expect(Math.hypot(...moved.map((x, k) => x - a.position[k]))).toBeLessThan(1e-12);
      await page.keyboard.press('Control+z'); // place and hinge are one
      await until(`Math.abs(${MODEL}.bodies.cylinder2.position[0] - ${b.position[0]}) < 1e-12`);
    },
    LIMIT,
  );

  test(
    'an arrow drags a part by the grid and onto the axis of another; copies, circles of them, mirror images',
    async () => {
      await drawn('cylinder2');
      const { cylinder, cylinder2 } = (await elements('bodies')) as Record<string, { position: number[] }>;
      await page.locator('[data-path="bodies.cylinder2"]').click();
      await tool(/^Move/);
      // along x, back to the first: the arrow is found as a hand finds it
      const { x, y } = await at(cylinder2.position);
      const end = await at(cylinder2.position.map((value, k) => value + (k === 0 ? 0.05 : 0)));
      const length = Math.hypot(end.x - x, end.y - y);
      const [u, v] = [(end.x - x) / length, (end.y - y) / length];
      let reach = 56; // beyond the squares that move it in a plane
      for (; reach < 160; reach += 6) {
        await page.mouse.move(x + reach * u, y + reach * v);
        if (await page.evaluate(`${STUDIO}.drawing.isAimed()`)) break;
      }
      expect(reach).toBeLessThan(160);
      const goal = await at(cylinder.position);
      const [gx, gy] = [goal.x - x, goal.y - y];
      await page.mouse.down();
      // on and on, until it is said that it has snapped
      for (let part = 0.5; part < 1.3; part += 0.02) {
        await page.mouse.move(x + reach * u + part * gx, y + reach * v + part * gy);
        const told = (await page.evaluate(`document.querySelector('.studio-status').textContent`)) as string;
        if (told.includes('snapped to a circle')) break;
      }
      await page.mouse.up();
      await until(`${MODEL}.bodies.cylinder2.position[0] < ${cylinder2.position[0] - 0.05}`);
      const now = ((await elements('bodies')).cylinder2.position as number[]).slice(0, 2);
      expect(Math.hypot(now[0] - cylinder.position[0], now[1] - cylinder.position[1])).toBeLessThan(1e-12);
      await page.keyboard.press('Control+z');

      const count = async (): Promise<number> => Object.keys(await elements('bodies')).length;
      const before = await count();
      await tool(/^Duplicate/);
      await expect.poll(count, { timeout: LIMIT }).toBe(before + 1);
      await page.locator('[data-path="bodies.cylinder2"]').click();
      await tool(/^Copies/);
      const dialog = page.getByRole('dialog', { name: 'Copies' });
      await dialog.getByRole('combobox', { name: 'Arrangement' }).selectOption('circle');
      const many = dialog.getByRole('textbox', { name: 'How many' });
      await many.fill('few');
      await many.press('Enter'); // is no number, and nothing is made
      expect(await dialog.isVisible()).toBe(true);
      await many.fill('4');
      await dialog.getByRole('button', { name: 'Make them' }).click();
      await expect.poll(count, { timeout: LIMIT }).toBe(before + 4);
      const around = Object.values(await elements('bodies'))
        .slice(-3)
        .map(({ position }) => position as number[]);
      for (const [x, y] of around)
        expect(Math.hypot(x, y)).toBeCloseTo(Math.hypot(cylinder2.position[0], cylinder2.position[1]), 12);
      expect(around[1][0]).toBeCloseTo(-cylinder2.position[0], 12); // half a turn on
      await page.locator('[data-path="bodies.cylinder2"]').click();
      await tool(/^Mirror/);
      await page.getByRole('textbox', { name: 'Plane at in mm' }).fill('500');
      await page.keyboard.press('Enter');
      await expect.poll(count, { timeout: LIMIT }).toBe(before + 5);
      const mirrored = Object.values(await elements('bodies')).at(-1)?.position as number[];
      expect(mirrored[0]).toBeCloseTo(1 - cylinder2.position[0], 12);
    },
    LIMIT,
  );
});

describe('on a tablet', () => {
  test(
    'what is wrong is told over the view, with a way to the part; groups and sensors are set in fields',
    async () => {
      await page.setViewportSize({ width: 820, height: 1100 });
      await page.evaluate(`${STUDIO}.showGallery()`);
      await page.getByRole('button', { name: /New scene/ }).click();
      const panel = page.getByRole('button', { name: /^Panel at the left/ });
      expect(await panel.getAttribute('aria-pressed')).toBe('true'); // it is the one there is room for
      for (const name of ['box', 'cylinder']) await page.locator(`[data-place=${name}]`).click();
      await page.getByRole('button', { name: /^Panel at the right/ }).click();
      await drawn('box', 'cylinder');
      const touches = page.getByLabel('touches groups');
      await touches.fill('wheels');
      await touches.press('Enter');
      const alert = page.locator('.studio-problem');
      await expect
        .poll(() => alert.textContent())
        .toContain('bodies.cylinder.contact.touches: no body is in the group "wheels"');
      expect(await page.locator('.viewer-panel.left').isVisible()).toBe(false);
      await page.evaluate(`${STUDIO}.history.selection.set(['bodies.box'])`);
      await page.getByLabel('contact groups').fill('wheels, blocks');
      await page.getByLabel('contact groups').press('Enter');
      await until(`${STUDIO}.problem.value === undefined`);
      expect(await alert.isVisible()).toBe(false);
      expect(await elements('bodies')).toMatchObject({
        box: { contact: { group: ['wheels', 'blocks'] } },
        cylinder: { contact: { touches: 'wheels' } },
      });

      await page.evaluate(`${STUDIO}.history.selection.set(['bodies.box', 'bodies.cylinder'])`);
      await tool(/^Contact sensor/);
      expect(await page.evaluate(`${MODEL}.contacts.sensors`)).toEqual([['box', 'cylinder']]);
      await page.getByRole('combobox', { name: 'Sensor against' }).selectOption('floor');
      expect(await page.evaluate(`${MODEL}.contacts.sensors`)).toEqual([['box', 'floor']]);
      // a problem of another part: the button goes there
      await page.evaluate(`${STUDIO}.history.selection.set(['bodies.cylinder'])`);
      const radius = page.getByRole('textbox', { name: 'radius in mm' });
      await radius.fill('-1');
      await radius.press('Enter');
      await page.evaluate(`${STUDIO}.history.selection.set([])`);
      await alert.getByRole('button', { name: 'Show cylinder' }).click();
      expect(await page.evaluate(`${STUDIO}.history.selection.value`)).toEqual(['bodies.cylinder']);
      expect(await radius.inputValue()).toBe('-1');
      await page.keyboard.press('Control+z');
      await until(`${STUDIO}.problem.value === undefined`);
      await page.setViewportSize({ width: 1280, height: 800 });
      await panel.click();
    },
    LIMIT,
  );

  test(
    'a mesh without a unit asks for it and shows the size; an open one is repaired',
    async () => {
      const brick = box([20, 10, 5]).mesh;
      const open = { ...brick, triangles: brick.triangles.slice(6) }; // one face is missing
      const text = new TextDecoder()
        .decode(writeStl([{ name: 'brick', mesh: open }], { ascii: true }))
        .replace(/(solid)[^\n]*/g, '$1 brick'); // which says no unit
      await page.evaluate(
        `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(text)}], 'brick.stl')); document.querySelector('.studio').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })); })()`,
      );
      const dialog = page.getByRole('dialog', { name: 'Unit of brick.stl' });
      const words = await dialog.textContent();
      for (const size of ['20 × 10 × 5 mm', '200 × 100 × 50 mm', '20 × 10 × 5 m', '508 × 254 × 127 mm'])
        expect(words).toContain(size);
      expect(words).toContain('4 edges have a triangle on one side only');
      await dialog.getByRole('radio', { name: /centimetres/ }).check();
      await dialog.getByRole('button', { name: 'Put it into the scene' }).click();
      await until(`${MODEL}.bodies.brick?.position !== undefined`);
      expect((await elements('bodies')).brick.shape).toEqual({ file: 'brick-repaired.ply', unit: 'cm' });
      // 200 × 100 × 50 mm of steel, as a solid: 10⁻³ m³
      await drawn('brick');
      const mass = `window.tippetop.session.playback.scene.bodies.find(({ name }) => name === 'brick').mass`;
      expect(await page.evaluate(mass)).toBeCloseTo(7.85, 2);
    },
    LIMIT,
  );
});

describe('by keyboard', () => {
  const focused = (selector: string): Promise<boolean> =>
    page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) === true`);
  const tabTo = async (selector: string): Promise<void> => {
    for (let i = 0; i < 120 && !(await focused(selector)); i++) await page.keyboard.press('Tab');
    expect(await focused(selector), selector).toBe(true);
  };

  test(
    'from the gallery to a hinge, a run and a kept play, without a pointer',
    async () => {
      await page.evaluate(`${STUDIO}.showGallery()`);
      await until(`document.activeElement?.textContent.includes('New scene')`);
      await page.keyboard.press('Enter');
      await tabTo('[data-place=cylinder]');
      await page.keyboard.press('Enter');
      await drawn('cylinder');
      await tabTo('[data-path="bodies.cylinder"]');
      await page.keyboard.press('Enter');
      await page.keyboard.press('PageUp'); // by the grid, upwards
      await until(`${MODEL}.bodies.cylinder.position[2] > 0.0501`);
      // turned about x, and back
      await tabTo('[aria-label="turned about x in °"]');
      for (const angle of ['90', '0']) {
        await page.keyboard.press('Control+a');
        await page.keyboard.type(angle);
        await page.keyboard.press('Enter');
        await until(`(${MODEL}.bodies.cylinder.orientation?.[1] ?? 0) ${angle === '90' ? '> 0.7' : '=== 0'}`);
      }
      await tabTo('.studio-properties [data-feature] , .studio-feature button, .studio-properties button');
      for (let i = 0; i < 60; i++) {
        if (await page.evaluate(`document.activeElement?.textContent === 'Hinge here'`)) break;
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await until(`${MODEL}.joints?.cylinderAxis?.kind === 'revolute'`);
      await page.keyboard.press('Control+Enter');
      await until(`${STUDIO}.runs.now.value.phase === 'ended'`);
      await page.keyboard.press('Alt+4');
      await until(`${STUDIO}.runs.now.value.phase === 'running' && window.tippetop.session.player.time > 0.1`);
      await page.keyboard.press('u');
      await page.evaluate('document.activeElement?.blur()');
      await page.keyboard.press('Enter');
      await until(`${STUDIO}.history.document.value.plays['play 1'] !== undefined`);
      expect(await page.evaluate(`document.querySelector('.studio-live').textContent`)).not.toBe('');
    },
    LIMIT,
  );

  test(
    'every control has a name, in every activity; Tab goes from the bar over the panels to the foot',
    async () => {
      const devtools = await page.context().newCDPSession(page);
      const roles = new Set([
        'button',
        'textbox',
        'searchbox',
        'slider',
        'checkbox',
        'combobox',
        'tab',
        'radio',
        'link',
        'spinbutton',
      ]);
      const nameless: string[] = [];
      for (const activity of ['build', 'sketch', 'run', 'play', 'gallery']) {
        if (activity === 'gallery') await page.evaluate(`${STUDIO}.showGallery()`);
        else await page.evaluate(`${STUDIO}.open(${JSON.stringify(activity)})`);
        await page.waitForTimeout(300);
        const { nodes } = await devtools.send('Accessibility.getFullAXTree');
        const controls = nodes.filter(({ ignored, role }) => !ignored && roles.has(String(role?.value)));
        expect(controls.length, activity).toBeGreaterThan(10);
        for (const { role, name, backendDOMNodeId } of controls)
          if (!String(name?.value ?? '').trim()) nameless.push(`${activity}: ${role?.value} ${backendDOMNodeId}`);
      }
      expect(nameless).toEqual([]);
      await page.evaluate(`${STUDIO}.open('build')`);
      const order = (await page.evaluate(
        `(() => {
          const regions = ['.studio-bar', '.viewer-panel.left', '.studio-view', '.viewer-panel.right', '.studio-foot'].map((name) => document.querySelector(name));
          const all = [...document.querySelectorAll('button, input, select, [tabindex="0"]')].filter((one) => one.offsetParent !== null && one.tabIndex >= 0 && !one.disabled);
          return all.map((one) => regions.findIndex((region) => region?.contains(one))).filter((place) => place >= 0);
        })()`,
      )) as number[];
      expect(new Set(order)).toEqual(new Set([0, 1, 2, 3, 4]));
      expect(order).toEqual([...order].sort((a, b) => a - b));
      expect(studio.complaints).toEqual([]);
    },
    LIMIT,
  );
});
