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
});
