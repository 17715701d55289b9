import { describe, expect, it } from '@jest/globals';
import { makeListing, readListing } from './listing.ts';

describe('the listing of prepared statements', () => {
  it('equals the sent statements; `npm run statements` writes it', async () => {
    const [made, kept] = [await makeListing(), readListing()];
    expect(made.size).toBeGreaterThan(70);
    expect([...kept.keys()].toSorted()).toEqual([...made.keys()].toSorted());
    for (const [name, content] of made) expect([name, kept.get(name)]).toEqual([name, content]);
  });

  // Only then does the version of a transaction guard decisions about its redemptions.
  it('has no statement that writes a redemption without touching its transaction', async () => {
    const writers = [...(await makeListing())].filter(([, text]) =>
      /(UPDATE|INSERT INTO) redemption\b/.test(text),
    );
    expect(writers.length).toBeGreaterThan(10);
    const untouched = writers.filter(([, text]) => !/(UPDATE|INSERT INTO) transaction\b/.test(text));
    expect(untouched.map(([name]) => name)).toEqual([]);
  });

  it('has no statement that writes an idempotency key without a look at the live ones', async () => {
    const writers = [...(await makeListing())].filter(([, text]) =>
      /INSERT INTO idempotency_key\b/.test(text),
    );
    expect(writers.length).toBeGreaterThan(10);
    const blind = writers.filter(
      ([, text]) =>
        !/NOT EXISTS \(SELECT 1 FROM idempotency_key k\s[^)]*\sk\.expires_at > \$\d+\)/.test(text) ||
        !/DELETE FROM idempotency_key k\s[^)]*\sk\.expires_at <= \$\d+ RETURNING/.test(text),
    );
    // Its ON CONFLICT replaces an expired key alone.
    expect(blind.map(([name]) => name)).toEqual(['insert_key.sql']);
  });

  it('has no statement that adds an operation without its actor, for the operation and for the audit log', async () => {
    const writers = [...(await makeListing())].filter(([, text]) => /INSERT INTO operation\b/.test(text));
    expect(writers.length).toBeGreaterThan(10);
    const anonymous = writers.filter(
      ([, text]) =>
        !/INSERT INTO operation \([^)]*\bactor\b/.test(text) || !text.includes("set_config('paygraph.actor'"),
    );
    expect(anonymous.map(([name]) => name)).toEqual([]);
  });
});
