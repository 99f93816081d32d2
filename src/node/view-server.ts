/**
 * Serves the viewer's page and the recordings of one folder, to this machine only unless told otherwise.
 *
 *   /                     the page, and what belongs to it
 *   /content.json         what there is to show (viewer/content.ts)
 *   /files/<path>         files of the folder, whole or in part
 *   /scene                the scene of a model that has not been run
 *   /live                 events, where what is shown follows a file that is being edited (viewer/content.ts)
 *
 * Only GET and HEAD. Every answer forbids the browser to take from elsewhere, to guess a type, to embed us or to hand what we
 * send to another site. The Host header must name this machine: a page elsewhere whose name was made to point here (DNS
 * rebinding) asks under its own name, and is refused.
 */
import { createReadStream, readdirSync } from 'node:fs';
import { type FileHandle, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FileError, ModelError } from '../errors.js';
import type { Json } from '../results/trust-report.js';
import type { LiveState, ViewContent } from '../viewer/content.js';
import { byteRange } from './byte-range.js';
import { ServedFolder } from './served-folder.js';

/** A model that has not been run: bytes of results/scene */
export interface DrawnModel {
  readonly title: string;
  readonly scene: Uint8Array;
  readonly parameters?: { readonly [name: string]: Json };
}

export interface ViewServerOptions {
  /** Folder of the built page */
  readonly page: string;
  readonly title?: string;
  /** A folder with recordings, or one recording */
  readonly path?: string;
  readonly model?: DrawnModel;
  /** What is shown will change: the page listens at /live */
  readonly live?: boolean;
  /** Address to listen at; default 127.0.0.1, which only this machine can reach */
  readonly host?: string;
  /** 0, the default, takes one that is free */
  readonly port?: number;
  /** The policy of a file of the page, where it is another than the page's */
  readonly policyOf?: (path: string) => string | undefined;
}

export interface ViewServer {
  /** To be opened in a browser */
  readonly url: string;
  /** Tells the pages that are open what has become of the file that is edited; `model` takes the place of the one drawn. */
  tell(state: LiveState, model?: DrawnModel): void;
  /** Ends at once, open connections too. */
  close(): Promise<void>;
}

/** Nothing from elsewhere, no script or style in the page itself. Pictures of the view are made as blobs. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SAFETY: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  // A run may go on, a model may have changed: what was seen last time is never shown again.
  'cache-control': 'no-store',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.png': 'image/png',
};

/**
 * Starts to serve.
 *
 * @throws ModelError if the port is taken or the address is not of this machine
 * @example const { url, close } = await startViewServer({ page: 'dist/viewer/page', path: 'out/pendulum' });
 */
export async function startViewServer(options: ViewServerOptions): Promise<ViewServer> {
  const { host = '127.0.0.1', port = 0, title = '' } = options;
  const page = pageFiles(options.page);
  const folder = options.path === undefined ? undefined : await ServedFolder.open(options.path);
  let names: ReadonlySet<string> = new Set();
  let { model } = options;
  let state: LiveState = { version: 0, running: false };
  const listeners = new Set<ServerResponse>();

  const server = createServer({ requestTimeout: 30_000 }, (request, response) => {
    answer(request, response).catch(() => {
      // The file has gone or the reader has: there is nobody to tell.
      if (!response.headersSent) refuse(response, 500, 'cannot read it');
      else response.destroy();
    });
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOurs(request.headers.host, names)) {
      refuse(response, 421, 'this server answers only to its own address');
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuse(response, 405, 'only GET and HEAD', { allow: 'GET, HEAD' });
      return;
    }
    const address = request.url ?? '';
    // Paths are taken apart by hand: a URL parser would resolve the dots that are to be seen. The query is nobody's.
    const path = address.startsWith('/') ? address.slice(1).split('?')[0] : undefined;
    const file = path === undefined ? undefined : page.get(path === '' ? 'index.html' : path);
    if (file) {
      const policy = options.policyOf?.(path === '' || path === undefined ? 'index.html' : path);
      send(request, response, await readFile(file), TYPES[extname(file)] ?? 'application/octet-stream', policy);
    } else if (path === 'content.json')
      send(
        request,
        response,
        JSON.stringify(await contentOf({ title, model, live: options.live ? state : undefined }, folder)),
        'application/json',
      );
    else if (path === 'scene' && model) send(request, response, model.scene, 'application/octet-stream');
    else if (path === 'live' && options.live) {
      response.writeHead(200, { ...SAFETY, 'content-type': 'text/event-stream' });
      if (request.method === 'HEAD') response.end();
      else {
        response.write(eventOf(state));
        listeners.add(response);
        response.on('close', () => listeners.delete(response));
      }
    } else if (path?.startsWith('files/') && folder) {
      const opened = await folder.file(path.slice('files/'.length));
      if (opened) await sendFile(request, response, opened);
      else refuse(response, 404, 'there is no such file');
    } else if (path === undefined) refuse(response, 400, 'expected a path');
    else refuse(response, 404, 'there is no such page');
  };

  await listen(server, host, port);
  names = namesOf(host, (server.address() as AddressInfo).port);
  const shown = host === '0.0.0.0' || host === '127.0.0.1' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${shown.includes(':') ? `[${shown}]` : shown}:${taken}/`,
    tell: (next, drawn) => {
      state = next;
      model = drawn ?? model;
      for (const listener of listeners) listener.write(eventOf(state));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const eventOf = (state: LiveState): string => `data: ${JSON.stringify(state)}\n\n`;

/** The files of the page by address. What is not among them at the start is not served: no path is ever put together. */
function pageFiles(folder: string): ReadonlyMap<string, string> {
  let entries: string[];
  try {
    entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    entries = [];
  }
  const files = new Map(
    entries
      .filter((entry) => extname(entry) in TYPES)
      .map((entry) => [entry.replaceAll('\\', '/'), join(folder, entry)]),
  );
  if (!files.has('index.html'))
    throw new FileError(folder, '', 'the page is not built; "npm run build" in the package builds it');
  return files;
}

async function contentOf(
  { title, model, live }: { title: string; model: DrawnModel | undefined; live: LiveState | undefined },
  folder: ServedFolder | undefined,
): Promise<ViewContent> {
  const recordings = (await folder?.recordings()) ?? [];
  return {
    title,
    recordings: recordings.map(({ path, size, modified }) => ({
      name: path,
      address: `files/${path.split('/').map(encodeURIComponent).join('/')}`,
      size,
      modified,
    })),
    ...(model && { model: { title: model.title, scene: 'scene', parameters: model.parameters ?? {} } }),
    ...(live && { live: { address: 'live', version: live.version } }),
  };
}

/**
 * Names under which a browser may ask for us, in small letters with the port. A listener on all addresses is also reached by
 * those of the machine; they are numbers, which no name server can make point elsewhere, so any number will do.
 */
function namesOf(host: string, port: number): ReadonlySet<string> {
  const hosts = ['localhost', '127.0.0.1', '[::1]', host.includes(':') ? `[${host}]` : host.toLowerCase()];
  const names = hosts.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
  return new Set(host === '0.0.0.0' || host === '::' ? [...names, `*:${port}`] : names);
}

function isOurs(header: string | undefined, names: ReadonlySet<string>): boolean {
  const name = (header ?? '').toLowerCase();
  if (names.has(name)) return true;
  const match = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(\d+))?$/.exec(name);
  return match !== null && isIP(match[1] ?? match[2]) !== 0 && names.has(`*:${match[3] ?? 80}`);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(new ModelError('--port', `${port} is taken by another program; another number, or none, will do`));
      else if (error.code === 'EACCES')
        reject(new ModelError('--port', `${port} needs more rights than yours; one above 1023 does not`));
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
        reject(new ModelError('--host', `"${host}" is no address of this machine; 127.0.0.1 and 0.0.0.0 always are`));
      else reject(error);
    });
    server.listen({ host, port }, resolve);
  });
}

function refuse(response: ServerResponse, status: number, why: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...SAFETY, 'content-type': TYPES['.txt'], connection: 'close', ...headers });
  response.end(response.req.method === 'HEAD' ? undefined : `${why}\n`);
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array | string,
  type: string,
  policy = CONTENT_SECURITY_POLICY,
): void {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  response.writeHead(200, {
    ...SAFETY,
    'content-security-policy': policy,
    'content-type': type,
    'content-length': bytes.length,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** A file of the folder goes out as bytes to keep, never as a page: what a run leaves behind must not act in our name. */
async function sendFile(request: IncomingMessage, response: ServerResponse, file: FileHandle): Promise<void> {
  try {
    const { size, mtimeMs, ino } = await file.stat();
    const tag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}-${ino.toString(36)}"`;
    // A part of a file that has changed since the first part is of no use: then the whole is sent.
    const unchanged = request.headers['if-range'] === undefined || request.headers['if-range'] === tag;
    const range = byteRange(unchanged && request.method === 'GET' ? request.headers.range : undefined, size);
    const headers = {
      ...SAFETY,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'accept-ranges': 'bytes',
      etag: tag,
    };
    if (range === 'unsatisfiable') {
      refuse(response, 416, `the file has ${size} bytes`, { ...headers, 'content-range': `bytes */${size}` });
      return;
    }
    const { start, end } = range === 'whole' ? { start: 0, end: size } : range;
    response.writeHead(range === 'whole' ? 200 : 206, {
      ...headers,
      'content-length': end - start,
      ...(range !== 'whole' && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
    });
    if (request.method === 'HEAD' || end === start) {
      response.end();
      return;
    }
    await pipeline(createReadStream('', { fd: file, start, end: end - 1, autoClose: false }), response);
  } finally {
    await file.close();
  }
}
