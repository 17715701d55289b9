import { describe, expect, it } from '@jest/globals';
import { makeListing, readListing } from './listing.ts';

describe('the listing of prepared statements', () => {
  it('is what is sent; `npm run statements` writes it', async () => {
    const [made, kept] = [await makeListing(), readListing()];
    expect(made.size).toBeGreaterThan(70);
    expect([...kept.keys()].toSorted()).toEqual([...made.keys()].toSorted());
    for (const [name, content] of made) expect([name, kept.get(name)]).toEqual([name, content]);
  });
});
