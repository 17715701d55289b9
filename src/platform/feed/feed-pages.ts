import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { FeedRow } from './feed-tail.ts';

/** The past of the feeds, for subscribers that catch up. One budget of connections and memory for a whole process. */
export type FeedPages = {
  /**
   * Returns rows after a sequence, up to the end of the page of that place. Subscribers at one place share one read.
   * May lack rows that were committed during a shared read.
   */
  after(merchantAccountId: string, sequence: bigint): Promise<readonly FeedRow[]>;
};

/** Reads the rows after a sequence, at most `limit`, oldest first. */
export type ReadPage = (
  merchantAccountId: string,
  range: { readonly after: bigint; readonly limit: number },
) => Promise<readonly FeedRow[]>;

/** The rows of a page. A subscriber holds at most one page. */
const PAGE_ROWS = 100;

/** The most characters of whole pages in memory. Events never change, so a whole page stays true. */
const CHARACTERS_MAX = 16_000_000;

/** A row holds some characters beside its payload. */
const ROW_CHARACTERS = 500;

/** Subscribers at one place read a page within this time. Then its memory is given back. */
const KEPT_MS = 30_000;

/** Creates the pages. At most `reads` reads run at a time, and the others wait. */
export function createFeedPages(read: ReadPage, reads: number): FeedPages {
  const whole = new LRUCache<string, readonly FeedRow[]>({
    maxSize: CHARACTERS_MAX,
    sizeCalculation: (rows) => rows.reduce((sum, { payload }) => sum + payload.length + ROW_CHARACTERS, 0),
    ttl: KEPT_MS,
    ttlAutopurge: true,
  });
  const underWay = new Map<string, Promise<readonly FeedRow[]>>();
  const limit = pLimit(reads);
  const pageFrom = (merchantAccountId: string, start: bigint): Promise<readonly FeedRow[]> => {
    const name = `${start} ${merchantAccountId}`;
    const known = whole.get(name);
    if (known) return Promise.resolve(known);
    const shared = underWay.get(name);
    if (shared) return shared;
    const reading = limit(() => read(merchantAccountId, { after: start, limit: PAGE_ROWS }))
      .then((rows) => {
        if (rows.length === PAGE_ROWS && rows[0]?.sequence === start + 1n) whole.set(name, rows);
        return rows;
      })
      .finally(() => underWay.delete(name));
    underWay.set(name, reading);
    return reading;
  };
  return {
    after: async (merchantAccountId, sequence) => {
      const start = sequence - (sequence % BigInt(PAGE_ROWS));
      const rows = await pageFrom(merchantAccountId, start);
      return rows.filter((row) => row.sequence > sequence);
    },
  };
}
