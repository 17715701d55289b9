import { describe, expect, it } from '@jest/globals';
import { makeListing, readListing } from './listing.ts';

describe('the listing of prepared statements', () => {
  it('is what is sent; `npm run statements` writes it', async () => {
    const [made, kept] = [await makeListing(), readListing()];
    expect(made.size).toBeGreaterThan(70);
    expect([...kept.keys()].toSorted()).toEqual([...made.keys()].toSorted());
    for (const [name, content] of made) expect([name, kept.get(name)]).toEqual([name, content]);
  });

  // The version of a transaction guards what is decided about its redemptions only then.
  it('has none that writes a redemption and does not touch its transaction', async () => {
    const writers = [...(await makeListing())].filter(([, text]) =>
      /(UPDATE|INSERT INTO) redemption\b/.test(text),
    );
    expect(writers.length).toBeGreaterThan(10);
    const untouched = writers.filter(([, text]) => !/(UPDATE|INSERT INTO) transaction\b/.test(text));
    expect(untouched.map(([name]) => name)).toEqual([]);
  });
});
