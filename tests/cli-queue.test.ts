/** A study through a real Redis: workers that are killed, a server that goes away and comes back, a wrong password. Left out where redis-server is not installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LocalRedis, redisInstalled } from '../src/verify/local-redis.js';

const installed = redisInstalled();
if (!installed) console.log('left out: studies through a queue, for redis-server is not installed');

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
let folder: string;
const children = new Set<ChildProcess>();
let redis: LocalRedis;

function start(program: string, words: readonly string[]): ChildProcess & { text: string } {
  const child = Object.assign(spawn(program, words, { cwd: folder }), { text: '' });
  child.stdout.on('data', (text) => {
    child.text += text;
  });
  child.stderr.on('data', (text) => {
    child.text += text;
  });
  children.add(child);
  child.on('exit', () => children.delete(child));
  return child;
}
const tippetop = (...words: string[]): ReturnType<typeof start> => start(process.execPath, [main, ...words]);
const worker = (): ReturnType<typeof start> =>
  tippetop('worker', '--queue', redis.url, '--models', folder, '--jobs', '1', '--takeover', '3');
const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => (child.exitCode !== null ? resolve(child.exitCode) : child.on('exit', resolve)));

const STUDY = {
  model: 'swing.model.ts',
  parameters: { length: { from: 0.5, to: 2 }, push: { from: 0.1, to: 1 } },
  design: { kind: 'sobol', runs: 64 },
  outputs: { period: "period('pivot.angle')", top: "max('pivot.speed')" },
};

describe.skipIf(!installed)('a study through a queue', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tippetop-queue-'));
    writeFileSync(
      join(folder, 'swing.model.ts'),
      `import { body, model, revolute } from 'tippetop';
export default ({ length = 1 /* m */, push = 0.5 /* rad */ } = {}) => model({
  bodies: { bob: body({ mass: 1, inertia: [0, 0, 0], position: [0, 0, -length] }) },
  joints: { pivot: revolute({ body: 'bob', at: [0, 0, 0], axis: [0, 1, 0], initialAngle: push }) },
  simulation: { stop: 10 },
});`,
    );
    writeFileSync(join(folder, 'swing.study.json'), JSON.stringify(STUDY));
    redis = await LocalRedis.start(folder);
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await redis?.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  test('workers killed, the server restarted: every row once, the bytes of the local study', async () => {
    expect(await ended(tippetop('study', 'run', 'swing.study.json', '--quiet', '--out', 'local'))).toBe(0);
    const starter = tippetop('study', 'run', 'swing.study.json', '--quiet', '--out', 'far', '--queue', redis.url);
    const done = ended(starter);
    const workers = [worker(), worker()];
    const lines = (): number =>
      existsSync(join(folder, 'far/journal.jsonl'))
        ? readFileSync(join(folder, 'far/journal.jsonl'), 'utf8').split('\n').length - 1
        : 0;
    const reached = async (count: number): Promise<void> => {
      while (lines() < count && starter.exitCode === null) await pause(50);
    };
    await reached(8);
    workers[0].kill('SIGKILL');
    workers[0] = worker();
    // One that starts while the server is away would be refused, and nobody left after the last kill
    while (!workers[0].text.includes('worker of tippetop')) await pause(50);
    await reached(24);
    await redis.stop();
    await pause(1000);
    await redis.start();
    await reached(40);
    workers[1].kill('SIGKILL');
    expect(await done).toBe(0);
    const journal = readFileSync(join(folder, 'far/journal.jsonl'), 'utf8').trim().split('\n');
    expect(new Set(journal.map((line) => (JSON.parse(line) as { key: string }).key)).size).toBe(64);
    expect(journal).toHaveLength(64);
    for (const file of ['results.csv', 'results.parquet'])
      expect(readFileSync(join(folder, 'far', file)).equals(readFileSync(join(folder, 'local', file)))).toBe(true);
    expect(starter.text).not.toContain('different bits');
    for (const one of workers) one.kill('SIGTERM');
  }, 240_000);

  test('a password from the environment; workers of another build are told so and get nothing', async () => {
    const child = Object.assign(
      spawn(process.execPath, [main, 'study', 'status', 'swing', '--queue', `redis://127.0.0.1:${redis.port}`], {
        cwd: folder,
        env: { ...process.env, TIPPETOP_QUEUE_PASSWORD: 'secret' },
      }),
      { text: '' },
    );
    child.stdout.on('data', (text) => {
      child.text += text;
    });
    expect(await ended(child)).toBe(0);
    expect(child.text).toContain('swing: 64 of 64 runs');
    // facts of a study of another version, as its starter would leave them
    spawnSync('redis-cli', [
      ...['-p', String(redis.port), '-a', 'secret', 'hset', 'tippetop:study:other'],
      ...['name', 'elsewhere', 'version', '9.9.9', 'engine', 'abc', 'setup', '{}'],
    ]);
    const one = worker();
    while (!one.text.includes('elsewhere') && one.exitCode === null) await pause(50);
    expect(one.text).toMatch(
      /study elsewhere asks for tippetop 9\.9\.9 \(engine abc\); this worker is .*left to others/,
    );
    one.kill('SIGTERM');
    await ended(one);
  }, 60_000);

  test.skipIf(spawnSync('openssl', ['version']).status !== 0)(
    'TLS with a certificate of an authority of one’s own: refused without it, taken with it',
    async () => {
      const openssl = (...words: string[]) => spawnSync('openssl', words, { cwd: folder });
      openssl(
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'],
        ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', 'key.pem', '-out', 'ca.pem'],
      );
      const secure = start('redis-server', [
        ...[
          '--port',
          '0',
          '--tls-port',
          String(redis.port + 1),
          '--tls-cert-file',
          'ca.pem',
          '--tls-key-file',
          'key.pem',
        ],
        ...['--tls-ca-cert-file', 'ca.pem', '--tls-auth-clients', 'no', '--requirepass', 'secret', '--save', ''],
        ...['--dir', folder],
      ]);
      while (!secure.text.includes('Ready to accept') && secure.exitCode === null) await pause(50);
      const asked = async (env: Record<string, string>): Promise<string> => {
        const child = Object.assign(
          spawn(
            process.execPath,
            [main, 'study', 'status', 'nobody', '--queue', `rediss://:secret@127.0.0.1:${redis.port + 1}`],
            { cwd: folder, env: { ...process.env, ...env } },
          ),
          { text: '' },
        );
        child.stderr.on('data', (text) => {
          child.text += text;
        });
        await ended(child);
        return child.text;
      };
      expect(await asked({})).toContain('TLS failed');
      expect(await asked({ TIPPETOP_QUEUE_CA: 'ca.pem' })).toContain('the queue knows no study "nobody"');
      secure.kill('SIGTERM');
      await ended(secure);
    },
    60_000,
  );

  test.each([
    ['redis://:wrong@127.0.0.1:PORT', 'the password or user is wrong'],
    ['redis://127.0.0.1:PORT', 'the server wants a password'],
    ['redis://127.0.0.1:9', 'nobody listens there'],
    ['http://127.0.0.1', 'expected redis://host:6379'],
  ])(
    '%s is refused with what to do',
    async (wrong, message) => {
      const child = tippetop(
        'study',
        'run',
        'swing.study.json',
        '--out',
        'none',
        '--queue',
        wrong.replace('PORT', String(redis.port)),
      );
      expect(await ended(child)).toBe(2);
      expect(child.text).toContain(message);
      expect(child.text).not.toContain('wrong@');
    },
    60_000,
  );
});
