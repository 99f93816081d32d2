/** Serves the viewer until Ctrl-C, and opens the browser: for `view`, and for `run --view`. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ModelError } from '../errors.js';
import { startViewServer, type ViewServer, type ViewServerOptions } from '../node/view-server.js';

/** Built by scripts/build-page.mjs. */
const PAGE = fileURLToPath(new URL('../viewer/page', import.meta.url));

export interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  /** `--no-open` */
  readonly open?: boolean;
}

export type Served = Pick<ViewServerOptions, 'title' | 'path' | 'model'>;

export async function serveView(what: Parameters<typeof openView>[0], options: ServeOptions): Promise<void> {
  const server = await openView(what, options);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await server.close();
}

/** Prints the address and opens the browser; the server goes on until it is closed. */
export async function openView(
  what: Served & Partial<Pick<ViewServerOptions, 'live' | 'page' | 'policyOf'>>,
  { port, host, open = true }: ServeOptions,
): Promise<ViewServer> {
  const server = await startViewServer({
    page: PAGE,
    ...what,
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port: portNumber(port) }),
  });
  console.log(`${what.title ? `${what.title}: ` : ''}${server.url}   (Ctrl-C ends it)`);
  if (host !== undefined && !['127.0.0.1', '::1', 'localhost'].includes(host))
    console.log('  Everybody who can reach this address can read these files.');
  if (open) openBrowser(server.url);
  return server;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!(Number.isInteger(port) && port >= 0 && port <= 65535 && text.trim() !== ''))
    throw new ModelError('--port', `expected a whole number from 0 to 65535, got "${text}"`);
  return port;
}

/** Opens the address in the user's browser. Where there is none nothing happens: the address has been printed. */
function openBrowser(url: string): void {
  const { platform, env } = process;
  const isDisplay =
    platform === 'darwin' || platform === 'win32' || env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME;
  if (!isDisplay) return;
  const [command, ...args] =
    platform === 'darwin'
      ? ['open', url]
      : platform === 'win32'
        ? ['cmd', '/c', 'start', '""', url]
        : ['xdg-open', url];
  const opener = spawn(command, args, { stdio: 'ignore', detached: true, windowsVerbatimArguments: true });
  opener.on('error', () => undefined);
  opener.unref();
}
