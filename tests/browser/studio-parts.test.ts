/** Parts in a real Chromium: solids combined by mouse, springs and forces from the rail, links hinged by pointing, CAD files of every kind dropped in, motors turned while time runs, and a million bodies. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeGlb } from '../../src/geometry/files/gltf-write.js';
import { writeObj } from '../../src/geometry/files/obj-write.js';
import { writeThreeMf } from '../../src/geometry/files/threemf-write.js';
import { box } from '../../src/geometry/index.js';
import { type Quaternion, rotate } from '../../src/math/quaternion.js';
import { add, type Vec3 } from '../../src/math/vec3.js';
import type { DataRecord, PlayInputs } from '../../src/studio/document/document.js';
import { DOCUMENT, MODEL, STUDIO, serveStudio, untilTrue } from './studio-page.js';

const IGES = fileURLToPath(new URL('../fixtures/files/iges/bored-block-mm.igs', import.meta.url));
const LIMIT = 120_000;
const TIME = 'window.tippetop.session.player.time';
/** kg/m³, of the steel of the list */
const STEEL = 7850;
const studio = serveStudio();
let page: Page;

beforeAll(async () => {
  page = await studio.newPage();
  await page.goto(studio.server.url);
  await page.locator('[data-example]').first().waitFor();
}, LIMIT);

const until = (expression: string): Promise<void> => untilTrue(page, expression, LIMIT);
const newScene = async (): Promise<void> => {
  await page.evaluate(`${STUDIO}.showGallery()`);
  await page.getByRole('button', { name: /New scene/ }).click();
  await until(`${STUDIO}.drawing.stage !== undefined`);
};
const put = async (name: string, as = name): Promise<void> => {
  await page.locator(`[data-place=${name}]`).click();
  await until(`window.tippetop.session?.playback.scene.bodies.some((body) => body.name === ${JSON.stringify(as)})`);
};
const tool = (name: RegExp): Promise<void> =>
  page.getByRole('toolbar', { name: 'Tools' }).getByRole('button', { name }).click();
const line = (path: string): ReturnType<Page['locator']> => page.locator(`[data-path="${path}"]`);
const model = (): Promise<DataRecord> => page.evaluate(MODEL);
const drop = (name: string, bytes: Uint8Array): Promise<void> =>
  page.evaluate(
    ({ file, data }) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(data)], file));
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('.studio')!.dispatchEvent(event);
    },
    { file: name, data: [...bytes] },
  );
const mass = (body: string): Promise<number> =>
  page.evaluate(
    `window.tippetop.session?.playback.scene.bodies.find(({ name }) => name === ${JSON.stringify(body)})?.mass ?? 0`,
  );

describe('building', () => {
  // A ball of radius 50 mm with its centre 30 mm above the middle of a cube of 100 mm: beyond the face at 50 mm is a cap of height h = 30 mm, π h² (3 r − h) / 3
  const [side, radius, height] = [0.1, 0.05, 0.03];
  const cap = (Math.PI * height ** 2 * (3 * radius - height)) / 3;
  const [cube, ball] = [side ** 3, (4 / 3) * Math.PI * radius ** 3];

  test(
    'two parts chosen by mouse are united, cut and intersected: the volumes add up',
    async () => {
      await newScene();
      await put('box');
      await put('ball');
      for (const [axis, value] of ['0', '0', '80'].entries()) {
        const field = page.getByRole('textbox', { name: /^position/ }).nth(axis);
        await field.fill(value);
        await field.press('Enter');
        await until(`Math.abs(${MODEL}.bodies.ball.position[${axis}] - ${Number(value) / 1000}) < 1e-12`);
      }
      for (const [button, key, volume] of [
        [/^Unite/, 'union', cube + cap],
        [/^Cut/, 'subtract', cube - (ball - cap)],
        [/^Keep what they share/, 'intersect', ball - cap],
      ] as const) {
        await line('bodies.box').click();
        await line('bodies.ball').click({ modifiers: ['Shift'] });
        await tool(button);
        await until(`${MODEL}.bodies.ball === undefined && ${MODEL}.bodies.box.shape.${key}?.length === 2`);
        // A ball in such a solid is of triangles, which are inside of it: 1 % of its volume
        await expect
          .poll(async () => Math.abs((await mass('box')) / STEEL - volume), { timeout: LIMIT, message: key })
          .toBeLessThan(0.01 * (ball - cap));
        await page.keyboard.press('Control+z');
        await until(
          `${MODEL}.bodies.ball !== undefined && window.tippetop.session.playback.scene.bodies.some(({ name }) => name === 'ball')`,
        );
      }
    },
    LIMIT,
  );

  test(
    'a spring between two parts and a force on one, from the rail: undone, made again, and run',
    async () => {
      await newScene();
      await put('box');
      await put('ball');
      await line('bodies.box').click();
      await line('bodies.ball').click({ modifiers: ['Shift'] });
      await tool(/^Spring/);
      await until(`${MODEL}.forces?.spring !== undefined`);
      expect((await model()).forces).toMatchObject({ spring: { kind: 'spring', from: 'box', to: 'ball' } });
      await page.keyboard.press('Control+z');
      await until(`${MODEL}.forces?.spring === undefined`);
      await line('bodies.ball').click();
      await tool(/^Force/);
      await until(`${MODEL}.forces?.force !== undefined`);
      expect((await model()).forces).toMatchObject({ force: { kind: 'applied', on: 'ball', force: [1, 0, 0] } });
      await tool(/^Spring/); // of one part: to the ground
      await until(`${MODEL}.forces?.spring?.to === 'ground'`);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await until(`${STUDIO}.runs.now.value.phase === 'ended'`);
      const x = (await page.evaluate(
        `(async () => { const x = await ${STUDIO}.runs.playback.signal('ball.position.x'); return [x.at(0), x.at(-1)]; })()`,
      )) as [number, number];
      expect(Math.abs(x[1] - x[0])).toBeGreaterThan(1e-3); // it is pushed
      await page.keyboard.press('Alt+1');
    },
    LIMIT,
  );
});

describe('a four-bar', () => {
  const body = (name: string): Promise<{ position: number[]; orientation: Quaternion; shape: DataRecord }> =>
    page.evaluate(`${MODEL}.bodies[${JSON.stringify(name)}]`);
  /** On the rim of a hole of a link, in front: half a radius beside the hole, towards the middle */
  const beside = async (name: string, side: 1 | -1): Promise<Vec3> => {
    const { position, orientation, shape } = await body(name);
    const { outline, height } = shape.extrude as unknown as { outline: number[][]; height: number };
    const [end, half] = outline[1];
    return add(position as unknown as Vec3, rotate(orientation, [side * (end + 0.625 * half), 0, height]));
  };
  const pressed = async (x: number, y: number, told: RegExp): Promise<void> => {
    await page.mouse.move(x, y);
    await expect.poll(() => page.locator('.studio-aim').textContent()).toMatch(told);
    await page.mouse.down();
    await page.mouse.up();
  };
  const press = async (point: Vec3, told: RegExp): Promise<void> => {
    const { x, y } = (await page.evaluate(
      `(() => { const { left, top } = document.querySelector('canvas').getBoundingClientRect(); const { x, y } = window.tippetop.stage.project(${JSON.stringify(point)}); return { x: left + x, y: top + y }; })()`,
    )) as { x: number; y: number };
    await pressed(x, y, told);
  };
  const rested = (): Promise<void> =>
    until(
      `(() => { const { controls } = window.tippetop.stage.view; const goes = (place) => controls[place](undefined, false).distanceTo(controls[place](undefined, true)); return Math.max(goes('getPosition'), goes('getTarget')) < 1e-3 * controls.distance; })()`,
    );
  const joined = async (joint: string, first: Vec3, second?: () => Promise<Vec3>): Promise<void> => {
    await tool(/^Joint/);
    await press(first, /circle.*begin/);
    if (second) await press(await second(), /circle.*joint to link/);
    else await pressed(620, 640, /joint to the ground/);
    await until(`${MODEL}.joints?.${joint} !== undefined`);
    // drawn where it is now
    await until(
      `${JSON.stringify(['link', 'link2', 'link3'])}.every((wanted) => { const drawn = window.tippetop.session.playback.scene.bodies.find(({ name }) => name === wanted); return Math.hypot(...${MODEL}.bodies[wanted].position.map((x, k) => x - drawn.pose.position[k])) < 1e-9; })`,
    );
    await rested();
  };

  test(
    'of three links by pointing, hinged to the ground at two holes and driven: links lie in layers, and the crank goes round',
    async () => {
      await newScene();
      await page.getByRole('tab', { name: 'Library' }).click();
      for (const name of ['link', 'link2', 'link3']) await put('link', name);
      await page.getByRole('tab', { name: 'Scene' }).click();
      for (const [name, angle] of [
        ['link', '70'],
        ['link3', '70'],
      ]) {
        await line(`bodies.${name}`).click();
        const field = page.getByRole('textbox', { name: 'turned about y in °' });
        await field.fill(angle);
        await field.press('Enter');
        await until(`Math.abs(${MODEL}.bodies.${name}.orientation[2]) > 0.3`);
      }
      await rested();
      // a positive angle about y lowers what lies at +x: there the two are hinged to the ground, and the coupler joins them above
      await joined('link2Axis', await beside('link2', -1), () => beside('link', -1));
      await joined('link3Axis', await beside('link3', -1), () => beside('link2', 1));
      await joined('linkAxis', await beside('link', 1));
      await joined('link3Axis2', await beside('link3', 1));
      const { height } = (await body('link')).shape.extrude as { height: number };
      const [y, y2, y3] = await Promise.all(
        ['link', 'link2', 'link3'].map(async (name) => (await body(name)).position[1]),
      );
      expect([y - y2, y2 - y3].map((layer) => layer / height)).toEqual([expect.closeTo(1, 9), expect.closeTo(1, 9)]);
      await line('joints.linkAxis').click();
      await page.locator('.studio-properties select').last().selectOption({ label: 'Turn at a steady speed' });
      await until(`${MODEL}.joints.linkAxis.speed === 6.28`);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await until(`['ended', 'failed'].includes(${STUDIO}.runs.now.value.phase)`);
      expect(await page.evaluate(`${STUDIO}.runs.now.value.why ?? ''`)).toBe('');
      const angles = (await page.evaluate(
        `(async () => { const angle = await ${STUDIO}.runs.playback.signal('linkAxis.angle'); return [angle.at(0), angle.at(-1)]; })()`,
      )) as [number, number];
      expect(angles[1] - angles[0]).toBeCloseTo(3 * 6.28, 6); // 3 s
      await page.keyboard.press('Alt+1');
    },
    LIMIT,
  );
});

describe('files', () => {
  // 40 × 30 × 20 mm
  const brick = { name: 'brick', mesh: box([0.04, 0.03, 0.02]).mesh };
  test(
    'OBJ, 3MF, glTF and IGES that are dropped become parts of their own size',
    async () => {
      await newScene();
      for (const [file, bytes, volume] of [
        ['fromObj.obj', writeObj([brick]), 24e-6],
        ['from3mf.3mf', writeThreeMf([brick]), 24e-6],
        ['fromGltf.glb', await writeGlb([brick]), 24e-6],
      ] as const) {
        const name = file.replace(/\..*/, '');
        await drop(file, bytes);
        const asks = page.getByRole('button', { name: 'Put it into the scene' });
        await until(
          `${MODEL}.bodies.${name}?.position !== undefined || document.querySelector('[role=dialog]') !== null`,
        );
        if (await asks.isVisible()) await asks.click();
        await until(`${MODEL}.bodies.${name}?.position !== undefined`);
        expect((await mass(name)) / STEEL / volume, file).toBeCloseTo(1, 5);
      }
      await drop('block.igs', readFileSync(IGES));
      await until(`${MODEL}.bodies.block?.position !== undefined`);
      expect(await mass('block')).toBeGreaterThan(0);
      const x = (await page.evaluate(
        `Object.values(${MODEL}.bodies).map(({ position }) => position?.[0])`,
      )) as number[];
      expect(new Set(x).size).toBe(x.length); // beside each other
    },
    LIMIT,
  );

  test(
    'a million bodies are refused, by bytes or by number, and the page lives on',
    async () => {
      const words = (): Promise<string> => page.evaluate(`document.querySelector('.viewer-messages').textContent`);
      const before = await page.evaluate(`JSON.stringify(${MODEL})`);
      // made in the page: the test would take longer to hand it over
      const many = (of: string): Promise<void> =>
        page.evaluate(
          `(() => { const data = new DataTransfer(); data.items.add(new File([${of}], 'million.json')); document.querySelector('.studio').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })); })()`,
        );
      await many(
        `'{"bodies":{"a":[' + Array(1e6).fill('{"shape":{"sphere":{"radius":1}},"material":"steel"}').join() + ']}}'`,
      );
      await expect
        .poll(words, { timeout: LIMIT })
        .toMatch(/million\.json: expected at most 8 MB of text, got \d+\.\d MB/);
      await many(`'{"bodies":{"a":[' + Array(1e6).fill('{}').join() + ']}}'`);
      await expect.poll(words, { timeout: LIMIT }).toMatch(/expected at most 20000 bodies, got 1000000/);
      expect(await page.evaluate(`JSON.stringify(${MODEL})`)).toBe(before);
      await newScene();
      await put('box');
    },
    LIMIT,
  );
});

describe('playing', () => {
  test(
    'a motor is turned by its slider while time runs, in slow motion too; gravity by its own',
    async () => {
      await newScene();
      await put('gears', 'pinion');
      await page.getByRole('tab', { name: 'Play' }).click();
      await until(`${STUDIO}.runs.now.value.phase === 'running' && ${TIME} > 0.1`);
      const slider = page.getByRole('slider', { name: 'pinionAxis in per s' });
      await slider.focus();
      await page.keyboard.press('Home'); // full speed backwards
      await page.getByRole('slider', { name: 'Gravity in m/s²' }).fill('0');
      const time = (await page.evaluate(TIME)) as number;
      await until(`${TIME} > ${time + 0.3}`);

      // A fifth: of 1 s that passes 0.2 s go by in the scene; a machine that cannot follow makes it less, never more
      await page.getByRole('combobox', { name: 'Slow motion' }).selectOption('0.2');
      const rate = (await page.evaluate(
        `new Promise((done) => {
          const first = { wall: performance.now(), time: ${STUDIO}.runs.playback.times.at(-1) };
          const look = () => {
            const wall = (performance.now() - first.wall) / 1000;
            const time = ${STUDIO}.runs.playback.times.at(-1) - first.time;
            if (time > 0.3) done(time / wall);
            else requestAnimationFrame(look);
          };
          look();
        })`,
      )) as number;
      expect(rate).toBeGreaterThan(0);
      expect(rate).toBeLessThan(0.2 * 1.5); // some of it was computed ahead
      await page.evaluate('document.activeElement?.blur()');
      await page.keyboard.press('Enter');
      await until(`${DOCUMENT}.plays['play 1'] !== undefined`);
      const play = (await page.evaluate(`${DOCUMENT}.plays['play 1']`)) as PlayInputs;
      const driven = play.notes.filter(({ action }) => action === 'drive') as unknown as {
        joint: string;
        speed: number;
      }[];
      expect(driven.at(-1)).toMatchObject({ joint: 'pinionAxis', speed: expect.closeTo(-4 * 6.28, 6) });
      const angles = (await page.evaluate(
        `(async () => { const all = await ${STUDIO}.runs.playback.signal('pinionAxis.speed'); return [all.at(0), all.at(-1)]; })()`,
      )) as [number, number];
      expect(angles[0]).toBeGreaterThan(0);
      expect(angles[1]).toBeCloseTo(-4 * 6.28, 3);
    },
    LIMIT,
  );

  test(
    'fifty bodies: pictures keep coming and time goes on',
    async () => {
      const bodies = Object.fromEntries(
        Array.from({ length: 50 }, (_, i) => [
          `block${i}`,
          {
            shape: i % 2 === 0 ? { box: { size: [0.1, 0.1, 0.1] } } : { sphere: { radius: 0.05 } },
            material: 'oak',
            position: [0.15 * (i % 5), 0.15 * (Math.floor(i / 5) % 5), 0.06 + 0.12 * Math.floor(i / 25)],
          },
        ]),
      );
      const floor = { shape: { halfSpace: {} }, material: 'steel', fixed: true };
      await drop(
        'fifty.json',
        new TextEncoder().encode(JSON.stringify({ bodies: { floor, ...bodies }, gravity: [0, 0, -9.81] })),
      );
      await until(`Object.keys(${MODEL}.bodies).length === 51`);
      await page.getByRole('tab', { name: 'Play' }).click();
      await until(`${STUDIO}.runs.now.value.phase === 'running' && ${TIME} > 0`);
      const [pictures, seconds] = (await page.evaluate(
        `new Promise((done) => {
          const seen = new Set();
          const look = () => {
            seen.add(${TIME});
            if (${TIME} > 0.5) done([seen.size, ${TIME}]);
            else requestAnimationFrame(look);
          };
          look();
        })`,
      )) as [number, number];
      expect(seconds).toBeGreaterThan(0.5);
      expect(pictures).toBeGreaterThan(5); // 10 a second of the scene at least
      const heights = (await page.evaluate(
        `Array.from({ length: 51 }, (_, i) => window.tippetop.session.player.frame.poses[7 * i + 2])`,
      )) as number[];
      expect(heights.filter((z) => z < -0.01)).toEqual([]); // none fell through
      await page.keyboard.press('Alt+1');
    },
    LIMIT,
  );

  test('the page complains of nothing', () => {
    expect(studio.complaints).toEqual([]);
  });
});
