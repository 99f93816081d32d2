/** `tippetop studio`: draw, build, run and play in the browser. Serves the page to this machine only, until Ctrl-C. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { type ServeOptions, serveView } from './serve-view.js';

/** Built by scripts/build-studio.mjs. */
const STUDIO_PAGE = fileURLToPath(new URL('../studio/page', import.meta.url));

/** The page: nothing of the user's runs in it, and neither WASM nor eval */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** Workers of the house: scripts of ours, which may compile WASM, and no network */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

/** The policy of each file of the page. The sandbox has its own in its head, which the header repeats. */
export const studioPolicy =
  (page = STUDIO_PAGE) =>
  (path: string): string => {
    if (path === 'sandbox.html') return sandboxPolicy(page);
    return path.startsWith('assets/worker-') ? WORKER_POLICY : PAGE_POLICY;
  };

function sandboxPolicy(page: string): string {
  const text = readFileSync(`${page}/sandbox.html`, 'utf8');
  const own = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(text)?.[1];
  return `${own ?? "default-src 'none'"}; frame-ancestors 'self'`;
}

export function studioCommand(): Command {
  return new Command('studio')
    .description('draw, build, run and play in the browser')
    .option('--port <number>', 'port to listen at (default: one that is free)')
    .option('--host <address>', 'address to listen at; 0.0.0.0 lets others on the network in (default: 127.0.0.1)')
    .option('--no-open', 'print the address, open no browser')
    .addHelpText(
      'after',
      '\nThe page comes from this machine alone and asks the network for nothing; what you make is kept in the browser.' +
        '\n\nExample:\n  tippetop studio --port 8080',
    )
    .action((options: ServeOptions) =>
      serveView({ title: 'studio', page: STUDIO_PAGE, policyOf: studioPolicy() }, options),
    );
}
