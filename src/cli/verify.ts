/** `tippetop verify`: every claim re-run on the user's machine: figure, reference, error, verdict, time. */
import { Command } from 'commander';
import { ModelError, suggestion } from '../errors.js';
import { matchesGlob } from '../results/signal-glob.js';
import type { CheckResult } from '../verify/check.js';
import { allChecks, runCheck } from '../verify/checks.js';
import { number } from './text/format.js';

interface VerifyOptions {
  readonly all?: boolean;
  readonly only?: string;
  readonly json?: boolean;
  readonly list?: boolean;
}

export function verifyCommand(): Command {
  return new Command('verify')
    .description('re-run the claims of this package here: figure, reference, error, verdict, time')
    .option('--all', 'the long ones too')
    .option('--only <glob>', 'only checks whose id matches, e.g. "S*" or A01')
    .option('--list', 'print ids and titles, run nothing; long ones are marked')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText('after', '\nExit code 1 if a check fails.')
    .action(verify);
}

async function verify({ all, only, json, list }: VerifyOptions): Promise<void> {
  const checks = allChecks();
  const matches = matchesGlob(only ?? '*');
  const matching = checks.filter(({ id }) => matches(id));
  if (matching.length === 0)
    throw new ModelError(
      '--only',
      `no check matches "${only}"${suggestion(
        only ?? '',
        checks.map(({ id }) => id),
      )}\n  "tippetop verify --list" prints them all; * stands for any letters`,
    );
  if (list) {
    for (const { id, title, long } of matching) console.log(`${id}  ${title}${long ? '  (long)' : ''}`);
    return;
  }
  // A check that is asked for by name is run, long or not.
  const chosen = matching.filter(({ id, long }) => all || only === id || !long);
  if (chosen.length === 0)
    throw new ModelError('--only', `all ${matching.length} checks that match "${only}" are long; --all runs them`);
  const width = Math.max(...chosen.map(({ id }) => id.length));
  const results: CheckResult[] = [];
  for (const check of chosen) {
    const result = await runCheck(check);
    results.push(result);
    if (!json) console.log(line(result, width));
  }
  const passed = results.filter(({ pass }) => pass).length;
  const failed = results.length - passed;
  const left = matching.length - chosen.length;
  if (json) console.log(JSON.stringify({ checks: results, passed, failed }, null, 2));
  else
    console.log(
      `\n${passed} passed, ${failed} failed${left > 0 ? ` (${left} long ones left out; --all runs them)` : ''}`,
    );
  if (failed > 0) process.exitCode = 1;
}

function line(
  { id, title, value, reference, error, limit, pass, seconds, failure }: CheckResult,
  width: number,
): string {
  const figures =
    failure ??
    `${number(value, 9)}, reference ${number(reference, 9)}, error ${number(error, 2)} (limit ${number(limit, 2)})`;
  return `${pass ? 'pass' : 'FAIL'}  ${id.padEnd(width)}  ${title}\n      ${' '.repeat(width)}  ${figures}, ${seconds.toFixed(2)} s`;
}
