/**
 * A queue on Redis or Valkey, for studies on many machines. Connected to once by ourselves before anything else: the queue's own library would try for ever without a word where
 * the password is wrong or nobody listens.
 */
import { readFileSync } from 'node:fs';
import { ModelError } from '../../errors.js';
import { systemError } from '../system-error.js';

/** Of a connection attempt, ms */
const PATIENCE = 5000;

export interface QueuePackages {
  readonly bullmq: typeof import('bullmq');
  readonly Redis: typeof import('ioredis').Redis;
}

/** @throws ModelError with the command that installs them */
export async function queuePackages(): Promise<QueuePackages> {
  try {
    const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, Redis };
  } catch {
    throw new ModelError(
      '--queue',
      'needs two packages that are not installed: npm install bullmq@6.7.0 ioredis@5.11.1',
    );
  }
}

/**
 * How to connect: what the URL says, a password from the environment where the URL has none (other users of a machine see command lines), and the authority that signed the server's certificate.
 *
 *   TIPPETOP_QUEUE_PASSWORD   in place of redis://:password@…
 *   TIPPETOP_QUEUE_CA         a PEM file, for rediss:// with a certificate of one's own
 */
export function connectionOptions(
  url: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): { readonly password?: string; readonly tls?: { readonly ca: Buffer } } {
  const { TIPPETOP_QUEUE_PASSWORD: password, TIPPETOP_QUEUE_CA: authority } = environment;
  const hasPassword = /\/\/[^@/]*:[^@/]+@/.test(url);
  let ca: Buffer | undefined;
  if (authority !== undefined && url.startsWith('rediss://'))
    try {
      ca = readFileSync(authority);
    } catch (error) {
      throw systemError(authority, error, 'read');
    }
  return { ...(password !== undefined && !hasPassword && { password }), ...(ca && { tls: { ca } }) };
}

/** A connection that is tried again for ever */
export const lasting = (url: string) => ({
  ...connectionOptions(url),
  maxRetriesPerRequest: null,
  retryStrategy: (times: number) => Math.min(2000, 100 * times),
});

/** Name of the queue that programs of one version and engine share: mixed versions never meet */
export const queueName = (version: string, engine: string): string => `tippetop-${version}-${engine}`;

/** Where facts of a study are kept, for workers and for `status` */
export const studyFacts = (id: string): string => `tippetop:study:${id}`;

/**
 * @param url redis://[user:password@]host[:port][/number], rediss:// with TLS
 * @throws ModelError within 5 s where there is no server, no right password, or one that throws jobs away
 */
export async function checkQueue(url: string): Promise<void> {
  if (!/^rediss?:\/\//.test(url))
    throw new ModelError(
      '--queue',
      `expected redis://host:6379 or, with TLS, rediss://…, got "${withoutPassword(url)}"`,
    );
  const { Redis } = await queuePackages();
  const client = new Redis(url, {
    ...connectionOptions(url),
    lazyConnect: true,
    connectTimeout: PATIENCE,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    enableReadyCheck: true,
  });
  // what closed the connection is told here, and not by the promise
  let cause: unknown;
  client.on('error', (error) => {
    cause ??= error;
  });
  try {
    await within(client.connect(), PATIENCE);
    await within(client.ping(), PATIENCE);
    const policy = await client.config('GET', 'maxmemory-policy').catch(() => undefined);
    const rule = Array.isArray(policy) ? String(policy[1]) : undefined;
    if (rule !== undefined && rule !== 'noeviction')
      throw new ModelError(
        '--queue',
        `the server's maxmemory-policy is ${rule}: it may throw runs away; set it to noeviction`,
      );
  } catch (error) {
    if (error instanceof ModelError) throw error;
    throw new ModelError('--queue', connectionText(url, cause ?? error));
  } finally {
    client.disconnect();
  }
}

function within<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** What is wrong with the connection, and what to do */
export function connectionText(url: string, error: unknown): string {
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  const where = withoutPassword(url);
  const text = `${code} ${message}`;
  if (/WRONGPASS|invalid password|invalid username/i.test(text))
    return `${where}: the password or user is wrong; write redis://user:password@host`;
  if (/NOAUTH/i.test(text))
    return `${where}: the server wants a password; write redis://:password@host, or set TIPPETOP_QUEUE_PASSWORD`;
  if (/ECONNREFUSED/.test(text)) return `${where}: nobody listens there; is the server started, and the port right?`;
  if (/ENOTFOUND|EAI_AGAIN/.test(text)) return `${where}: there is no such host`;
  if (/ETIMEDOUT|no answer/.test(text))
    return `${where}: no answer within ${PATIENCE / 1000} s; a firewall, or TLS (rediss://) where there is none?`;
  if (/certificate|SSL|TLS/i.test(text))
    return `${where}: TLS failed: ${message}; TIPPETOP_QUEUE_CA names the PEM file of an authority of one's own`;
  return `${where}: ${message}`;
}

export const withoutPassword = (url: string): string => url.replace(/\/\/([^@/]*)@/, '//…@');

/** A connection that says nothing of errors: who uses it hears of them, and tells once. */
export const quiet = (connection: import('ioredis').Redis): import('ioredis').Redis => {
  connection.on('error', () => undefined);
  return connection;
};
