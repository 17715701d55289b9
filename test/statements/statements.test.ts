import { describe, expect, it } from '@jest/globals';
import { oneLine, readPrepared } from './prepared.ts';

/** Returns the statements whose text matches, each on one line. */
async function matching(pattern: RegExp): Promise<readonly (readonly [name: string, text: string])[]> {
  const texts = [...(await readPrepared())].map(([name, text]) => [name, oneLine(text)] as const);
  const found = texts.filter(([, text]) => pattern.test(text));
  expect(found.length).toBeGreaterThan(10);
  return found;
}

describe('the prepared statements', () => {
  // Only then does the version of a transaction guard decisions about its redemptions.
  it('have none that writes a redemption without touching its transaction', async () => {
    const writers = await matching(/(UPDATE|INSERT INTO) redemption\b/);
    const untouched = writers.filter(([, text]) => !/(UPDATE|INSERT INTO) transaction\b/.test(text));
    expect(untouched.map(([name]) => name)).toEqual([]);
  });

  it('have none that writes an idempotency key without a look at the live ones', async () => {
    const writers = await matching(/INSERT INTO idempotency_key\b/);
    const blind = writers.filter(
      ([, text]) =>
        !/NOT EXISTS \(SELECT 1 FROM idempotency_key k\s[^)]*\sk\.expires_at > \$\d+(::\w+)?\)/.test(text) ||
        !/DELETE FROM idempotency_key k\s[^)]*\sk\.expires_at <= \$\d+(::\w+)? RETURNING/.test(text),
    );
    // Its ON CONFLICT replaces an expired key alone.
    expect(blind.map(([name]) => name)).toEqual(['insert_key']);
  });

  it('have none that adds an operation without its actor, for the operation and for the audit log', async () => {
    const writers = await matching(/INSERT INTO operation\b/);
    const anonymous = writers.filter(
      ([, text]) =>
        !/INSERT INTO operation \([^)]*\bactor\b/.test(text) || !/set_config\('paygraph\.actor'/.test(text),
    );
    expect(anonymous.map(([name]) => name)).toEqual([]);
  });
});
