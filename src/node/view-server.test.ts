/**
 * The viewer's server, attacked. Requests go out over a bare socket: fetch would tidy their paths up before anybody could see
 * them.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ViewContent } from '../viewer/content.js';
import { byteRange } from './byte-range.js';
import { pathParts } from './served-folder.js';
import { startViewServer, type ViewServer } from './view-server.js';

const root = mkdtempSync(join(tmpdir(), 'tippetop-server-'));
const recording = Uint8Array.from({ length: 5000 }, (_, i) => i % 251);
const SECRET = 'nobody may read this';
let server: ViewServer;
let port: number;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends bytes as they are and gives the answer once the other side closes. */
function raw(text: string, to = port): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(to, '127.0.0.1', () => socket.write(text, 'latin1'));
    const pieces: Buffer[] = [];
    socket.setTimeout(5000, () => socket.destroy(new Error(`no answer to ${JSON.stringify(text)}`)));
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('error', reject);
    socket.on('close', () => {
      const all = Buffer.concat(pieces);
      const end = all.indexOf('\r\n\r\n');
      const [first, ...lines] = all.subarray(0, end).toString('latin1').split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
      );
      resolve({ status: Number(first.split(' ')[1]), headers, body: all.subarray(end + 4) });
    });
  });
}

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET', to = port): Promise<Answer> =>
  raw(
    `${method} ${path} HTTP/1.1\r\n${Object.entries({ Host: `127.0.0.1:${to}`, Connection: 'close', ...headers })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
    to,
  );

beforeAll(async () => {
  for (const folder of ['page/assets', 'out/ball', 'out/.hidden', 'out-secret'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'page/index.html'), '<!doctype html><title>viewer</title>');
  writeFileSync(join(root, 'page/assets/main.js'), 'console.log(1)');
  writeFileSync(join(root, 'page/notes.env'), SECRET);
  writeFileSync(join(root, 'out/recording.h5'), recording);
  writeFileSync(join(root, 'out/ball/a recording ü.h5'), recording.subarray(0, 10));
  writeFileSync(join(root, 'out/ball/report.html'), '<script>alert(1)</script>');
  writeFileSync(join(root, 'out/.hidden/recording.h5'), SECRET);
  writeFileSync(join(root, 'out/.env'), SECRET);
  writeFileSync(join(root, 'secret.txt'), SECRET);
  writeFileSync(join(root, 'out-secret/recording.h5'), SECRET);
  symlinkSync(join(root, 'secret.txt'), join(root, 'out/link.h5'));
  symlinkSync(root, join(root, 'out/up'));
  symlinkSync('.env', join(root, 'out/hidden-link.h5'));
  symlinkSync('recording.h5', join(root, 'out/inner-link.h5'));
  execFileSync('mkfifo', [join(root, 'out/pipe.h5')]);
  server = await startViewServer({ page: join(root, 'page'), path: join(root, 'out'), title: 'out' });
  port = Number(new URL(server.url).port);
});

afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

describe('what it serves', () => {
  test('its page, with headers that isolate it', async () => {
    const { status, headers, body } = await ask('/');
    expect(status).toBe(200);
    expect(body.toString()).toContain('viewer');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect((await ask('/assets/main.js?v=1')).headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  test('the list of recordings, links and hidden files left out, with addresses that lead to them', async () => {
    const content = JSON.parse((await ask('/content.json')).body.toString()) as ViewContent;
    expect(content.title).toBe('out');
    expect(content.recordings.map(({ name, size }) => [name, size]).sort()).toEqual([
      ['ball/a recording ü.h5', 10],
      ['recording.h5', 5000],
    ]);
    for (const { address, size } of content.recordings) {
      const answer = await ask(`/${address}`);
      expect([answer.status, answer.body.length]).toEqual([200, size]);
    }
  });

  test('a file of the folder as bytes that are never shown as a page', async () => {
    const { status, headers, body } = await ask('/files/ball/report.html');
    expect(status).toBe(200);
    expect(body.toString()).toContain('alert');
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers['content-disposition']).toBe('attachment');
    expect(headers['content-security-policy']).toContain('sandbox');
  });

  test('a link that stays inside the folder', async () => {
    expect((await ask('/files/inner-link.h5')).body).toEqual(Buffer.from(recording));
  });

  test('HEAD without a body, and no other method', async () => {
    const head = await ask('/files/recording.h5', {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '5000', 0]);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE']) {
      const { status, headers } = await ask('/', { 'Content-Length': '0' }, method);
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD']);
    }
  });
});

describe('parts of a file', () => {
  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=4990-', 4990, 5000],
    ['bytes=-7', 4993, 5000],
    ['bytes=4999-99999999999999999999', 4999, 5000],
    ['bytes=-99999', 0, 5000],
    ['BYTES=10-10', 10, 11],
  ])('%s', async (range, start, end) => {
    const { status, headers, body } = await ask('/files/recording.h5', { Range: range });
    expect(status).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${start}-${end - 1}/5000`);
    expect(body).toEqual(Buffer.from(recording.subarray(start, end)));
  });

  test.each(['bytes=5000-', 'bytes=5000-5001', 'bytes=-0'])('%s lies outside', async (range) => {
    const { status, headers } = await ask('/files/recording.h5', { Range: range });
    expect([status, headers['content-range']]).toEqual([416, 'bytes */5000']);
  });

  test.each(['bytes=0-1,5-6', 'bytes=9-2', 'bytes=-', 'lines=1-2', 'bytes=a-b', 'bytes=0x1-2', 'bytes=1-2-3'])(
    '%s is passed over',
    async (range) => {
      const { status, body } = await ask('/files/recording.h5', { Range: range });
      expect([status, body.length]).toEqual([200, 5000]);
    },
  );

  test('If-Range: a part of the file that was seen, all of one that has changed', async () => {
    const { etag } = (await ask('/files/recording.h5')).headers;
    expect((await ask('/files/recording.h5', { Range: 'bytes=0-9', 'If-Range': etag })).status).toBe(206);
    expect((await ask('/files/recording.h5', { Range: 'bytes=0-9', 'If-Range': '"other"' })).status).toBe(200);
  });

  test('of an empty file', () => {
    expect(byteRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(byteRange('bytes=-5', 0)).toBe('unsatisfiable');
    expect(byteRange(undefined, 0)).toBe('whole');
  });
});

describe('what it refuses', () => {
  const ways = [
    '/files/../secret.txt',
    '/files/..%2fsecret.txt',
    '/files/%2e%2e/secret.txt',
    '/files/%2e%2e%2fsecret.txt',
    '/files/.%2e/secret.txt',
    '/files/%252e%252e/secret.txt',
    '/files/%252e%252e%252fsecret.txt',
    '/files/..\\secret.txt',
    '/files/..%5csecret.txt',
    '/files/ball/../../secret.txt',
    '/files/ball/%2e%2e/%2e%2e/secret.txt',
    '/files/ball/..;/..;/secret.txt',
    '/files/%c0%ae%c0%ae/secret.txt',
    '/files//etc/passwd',
    '/files/%2fetc%2fpasswd',
    '/files//../secret.txt',
    '/files/./recording.h5',
    '/files/recording.h5%00.txt',
    '/files/recording.h5%00',
    '/files/%ff',
    '/files/%',
    '/files/C:%5cWindows%5cwin.ini',
    '/files/recording.h5:stream',
    '/files/recording.h5/',
    '/files/recording.h5/..',
    '/files/../out-secret/recording.h5',
    '/files/link.h5',
    '/files/up/secret.txt',
    '/files/up/out-secret/recording.h5',
    '/files/hidden-link.h5',
    '/files/.env',
    '/files/.hidden/recording.h5',
    '/files/ball',
    '/files/',
    '/files',
    '/files/pipe.h5',
    '/files/constructor',
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/notes.env',
    '/scene',
    '/constructor',
    '/__proto__',
    '//recording.h5',
    '/index.html/',
    '/#/files/recording.h5',
  ];
  test.each(ways)('%s', async (path) => {
    const { status, body } = await ask(path);
    expect([400, 404]).toContain(status);
    expect(body.toString()).not.toContain(SECRET);
    expect(body.length).toBeLessThan(100);
  });

  test('a path that is none', async () => {
    for (const path of ['*', 'files/recording.h5', 'http://127.0.0.1/files/recording.h5', 'http://evil.example/'])
      expect([400, 404], path).toContain((await ask(path)).status);
    expect((await ask(`/files/${'a'.repeat(5000)}`)).status).toBe(404); // longer than a file name can be
  });

  test.each([
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '',
    '169.254.169.254',
    'localhost@evil.example',
    '[::1',
    '0',
  ])('the name "%s" (DNS rebinding)', async (name) => {
    for (const host of [name, `${name}:${port}`]) {
      const { status, body } = await ask('/files/recording.h5', { Host: host });
      expect([400, 421]).toContain(status);
      expect(body.length).toBeLessThan(100);
    }
  });

  test('our own names under another port; none at all', async () => {
    expect((await ask('/', { Host: `localhost:${port}` })).status).toBe(200);
    expect((await ask('/', { Host: `LOCALHOST:${port}` })).status).toBe(200);
    expect((await ask('/', { Host: `[::1]:${port}` })).status).toBe(200);
    expect((await ask('/', { Host: 'localhost:1' })).status).toBe(421);
    expect((await ask('/', { Host: '127.0.0.1' })).status).toBe(421);
    expect((await raw('GET / HTTP/1.0\r\n\r\n')).status).toBe(421);
    expect((await raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).status).toBe(400);
  });

  test('lines that are no request', async () => {
    for (const text of [
      '\x16\x03\x01\x02\x00\r\n\r\n',
      'GET\r\n\r\n',
      `GET / HTTP/1.1\r\nX: ${'y'.repeat(70_000)}\r\n\r\n`,
    ])
      expect((await raw(text)).status).toBeGreaterThanOrEqual(400);
    expect((await ask('/')).status).toBe(200);
  });

  test('names are taken apart once', () => {
    expect(pathParts('a%20b/c.h5')).toEqual(['a b', 'c.h5']);
    expect(pathParts('%252e%252e/x')).toEqual(['%2e%2e', 'x']);
    for (const bad of ['', '/', 'a//b', '..', '.', 'a/..', '%2e%2e', 'a%5cb', 'a%00', '%0d%0aX', '%E0%A4%A'])
      expect(pathParts(bad), bad).toBeUndefined();
  });
});

describe('where and how long it listens', () => {
  test('only this machine reaches it by default', async () => {
    const { networkInterfaces } = await import('node:os');
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address && address.family === 'IPv4' && !address.internal)?.address;
    if (outside === undefined) return; // a machine without a network cannot be reached anyway
    await expect(
      new Promise((resolve, reject) => connect(port, outside, () => resolve('connected')).on('error', reject)),
    ).rejects.toThrow();
  });

  test('on all addresses it answers to numbers, not to names', async () => {
    const open = await startViewServer({ page: join(root, 'page'), host: '0.0.0.0' });
    try {
      const to = Number(new URL(open.url).port);
      expect((await ask('/', { Host: `192.168.7.7:${to}` }, 'GET', to)).status).toBe(200);
      expect((await ask('/', { Host: `[fe80::1]:${to}` }, 'GET', to)).status).toBe(200);
      for (const host of [`evil.example:${to}`, `1.2.3.4.5:${to}`, `999.1.1.1:${to}`, '192.168.7.7:1'])
        expect((await ask('/', { Host: host }, 'GET', to)).status, host).toBe(421);
    } finally {
      await open.close();
    }
  });

  test('of one file, nothing beside it', async () => {
    const single = await startViewServer({ page: join(root, 'page'), path: join(root, 'out/recording.h5') });
    try {
      const to = Number(new URL(single.url).port);
      expect((await ask('/files/recording.h5', {}, 'GET', to)).status).toBe(200);
      for (const path of ['/files/ball/report.html', '/files/inner-link.h5', '/files/ball/recording.h5'])
        expect((await ask(path, {}, 'GET', to)).status).toBe(404);
    } finally {
      await single.close();
    }
  });

  test('a model’s scene, and no files without a folder', async () => {
    const drawn = await startViewServer({ page: join(root, 'page'), model: { title: 'x', scene: recording } });
    try {
      const to = Number(new URL(drawn.url).port);
      expect((await ask('/scene', {}, 'GET', to)).body).toEqual(Buffer.from(recording));
      expect(JSON.parse((await ask('/content.json', {}, 'GET', to)).body.toString())).toEqual({
        title: '',
        recordings: [],
        model: { title: 'x', scene: 'scene', parameters: {} },
      });
      expect((await ask('/files/recording.h5', {}, 'GET', to)).status).toBe(404);
    } finally {
      await drawn.close();
    }
  });

  test('it closes at once with connections open, also in the middle of a file', async () => {
    writeFileSync(join(root, 'out/large.h5'), new Uint8Array(30e6));
    const other = await startViewServer({ page: join(root, 'page'), path: join(root, 'out') });
    const to = Number(new URL(other.url).port);
    const idle = connect(to, '127.0.0.1');
    const reading = connect(to, '127.0.0.1', () =>
      reading.write(`GET /files/large.h5 HTTP/1.1\r\nHost: 127.0.0.1:${to}\r\n\r\n`),
    );
    idle.on('error', () => undefined);
    reading.on('error', () => undefined);
    await new Promise((resolve) => reading.once('readable', resolve)); // the first bytes have come; nobody takes the rest
    const start = performance.now();
    await other.close();
    expect(performance.now() - start).toBeLessThan(1000);
    reading.destroy();
    idle.destroy();
    rmSync(join(root, 'out/large.h5'));
  });

  test('readers that go away in the middle leave it standing', async () => {
    writeFileSync(join(root, 'out/large.h5'), new Uint8Array(10e6));
    for (let i = 0; i < 20; i++)
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(`GET /files/large.h5 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`),
        );
        socket.once('readable', () => socket.destroy());
        socket.on('close', () => resolve());
      });
    expect((await ask('/')).status).toBe(200);
    rmSync(join(root, 'out/large.h5'));
  });

  test('a port that is taken, an address of another machine, a page that is not built', async () => {
    const page = join(root, 'page');
    await expect(startViewServer({ page, port })).rejects.toThrow(/--port: \d+ is taken/);
    await expect(startViewServer({ page, host: '192.0.2.1' })).rejects.toThrow('--host: "192.0.2.1" is no address');
    await expect(startViewServer({ page: join(root, 'out') })).rejects.toThrow('not built');
    await expect(startViewServer({ page, path: join(root, 'missing') })).rejects.toThrow('there is no such file');
  });
});
