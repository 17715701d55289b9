import { describe, expect, it } from '@jest/globals';
import { judgeGrowth, type Moment } from './growth.ts';
import type { Sizes } from './sizes.ts';

const KEPT = { events: 8, keys: 30, audit: 400, partition: 100 };

/** The rows and megabytes of a table, and the megabytes of its index. */
type Measured = { readonly rows: number; readonly mb: number; readonly indexMb?: number };

function momentOf(day: number, tables: Readonly<Record<string, Measured>>): Moment {
  const relations = Object.entries(tables).flatMap(([table, { mb, indexMb = 0 }]) => [
    { name: table, table, bytes: mb * 1e6 },
    { name: `${table}_idx`, table, bytes: indexMb * 1e6 },
  ]);
  const rows = Object.fromEntries(Object.entries(tables).map(([table, measured]) => [table, measured.rows]));
  const sizes: Sizes = { relations, rows, dead: 0 };
  return { day, sizes };
}

/** The first moment is half way, because caches and free space have filled before. */
const judge = (half: Moment, last: Moment) => judgeGrowth([half, last], KEPT);

const PAYMENTS = { rows: 10_000, mb: 10, indexMb: 5 };
const TWICE = { rows: 20_000, mb: 20, indexMb: 10 };

describe('the growth of a soak', () => {
  it('is flat if all rows grow with the payments', () => {
    const judgement = judge(
      momentOf(0, { transaction: PAYMENTS, event: PAYMENTS }),
      momentOf(0, { transaction: TWICE, event: TWICE }),
    );

    expect(judgement).toEqual({ growths: [], compared: 4, tooEarly: [] });
  });

  it('names an index that grows faster than the rows', () => {
    const bloated = { ...TWICE, indexMb: 14 };
    const { growths } = judge(momentOf(0, { transaction: PAYMENTS }), momentOf(0, { transaction: bloated }));

    expect(growths).toEqual([{ what: 'bytes of `transaction_idx`', from: 5e6, to: 14e6, allowed: 13e6 }]);
  });

  it('names a table that has more rows for each payment', () => {
    const { growths } = judge(
      momentOf(0, { transaction: PAYMENTS, event: PAYMENTS }),
      momentOf(0, { transaction: TWICE, event: { rows: 30_000, mb: 30, indexMb: 15 } }),
    );

    expect(growths.map(({ what }) => what)).toEqual(['rows of `event`']);
  });

  it('names any other table that grows at all', () => {
    const { growths } = judge(
      momentOf(0, { transaction: PAYMENTS, event_pending: { rows: 0, mb: 1 } }),
      momentOf(0, { transaction: TWICE, event_pending: { rows: 5_000, mb: 3 } }),
    );

    expect(growths.map(({ what }) => what)).toEqual(['rows of `event_pending`', 'bytes of `event_pending`']);
  });

  it('names a table without payments that grows by some rows', () => {
    const growths = (rows: number, accounts: number) =>
      judge(
        momentOf(0, { merchant_account: { rows: 10, mb: 1 }, data_key: { rows: 100, mb: 1 } }),
        momentOf(30, { merchant_account: { rows: accounts, mb: 1 }, data_key: { rows, mb: 1 } }),
      ).growths.map(({ what }) => what);

    expect(growths(150, 10)).toEqual([]);
    expect(growths(151, 10)).toEqual(['rows of `data_key`']);
    expect(growths(250, 20)).toEqual([]);
  });

  it.each([
    ['event', 8, 4_500],
    ['idempotency_key', 30, 15_500],
  ])('names the table %s if more than a further day is left', (name, days, most) => {
    const day = (nth: number, rows = nth * 500): Moment =>
      momentOf(nth, { transaction: { rows: nth * 100, mb: nth }, [name]: { rows, mb: 1 } });
    const young = Array.from({ length: days }, (_, nth) => day(nth + 1));
    const judged = (rows: number) =>
      judgeGrowth([...young, day(days + 1, most), day(days + 2, rows)], KEPT).growths;

    expect(judged(most)).toEqual([]);
    expect(judged(most + 1)).toEqual([
      { what: `rows of \`${name}\``, from: most, to: most + 1, allowed: most },
    ]);
  });

  it('judges a table later if its first rows have just gone', () => {
    const before = momentOf(8, { transaction: PAYMENTS, event: PAYMENTS });
    const judgement = judge(before, momentOf(9, { transaction: TWICE, event: TWICE }));

    expect(judgement).toEqual({ growths: [], compared: 2, tooEarly: ['event'] });
  });
});
