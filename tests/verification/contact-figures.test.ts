// Every figure that `tippetop verify` claims of contact and that is done in a few seconds: V1–V15.
import { expect, test } from 'vitest';
import { runCheck } from '../../src/verify/checks.js';
import { contactChecks } from '../../src/verify/contacts.js';

test.each(contactChecks.filter(({ long }) => !long).map((check) => [check.id, check] as const))(
  '%s',
  async (_, check) => {
    const { failure, error, limit, value, reference } = await runCheck(check);
    expect(failure).toBeUndefined();
    expect(error, `${check.title}: ${value}, reference ${reference}`).toBeLessThanOrEqual(limit);
  },
);
