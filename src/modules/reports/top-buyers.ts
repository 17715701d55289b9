import { z } from 'zod';
import type { App, Viewer } from '../../app.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { parseInput } from '../../platform/input/validate.ts';
import { currency } from '../../platform/input/values.ts';
import { readAsOf } from './as-of.ts';
import type { Sum } from './measures.ts';
import { BUYER_PERIODS, readTopBuyers } from './top-buyers.sql.ts';

/** A stored buyer, with the captures of a period. */
export type TopBuyer = { readonly buyerId: string; readonly captured: Sum };

export type TopBuyers = {
  /** The sums have every capture that was committed before this moment. */
  readonly asOf: Date;
  readonly buyers: readonly TopBuyer[];
};

/** The most buyers of one answer. */
export const BUYERS_MAX = 100;

const topBuyersInput = z.object({
  period: z.enum(BUYER_PERIODS),
  at: z.date(),
  currency,
  first: z.int().min(1, 'Must be at least 1.').max(BUYERS_MAX, `Must be at most ${BUYERS_MAX}.`),
});

/**
 * Returns the stored buyers with the largest captured amounts of a day, month or year of UTC. The cost depends on the number of
 * answered buyers alone. Refuses an unknown form of a currency, and more than BUYERS_MAX buyers.
 */
export async function findTopBuyers(
  app: App,
  { merchantAccountId: account }: Viewer,
  given: unknown,
): Promise<Result<TopBuyers, InvalidInput>> {
  const parsed = parseInput(topBuyersInput, given);
  if (!parsed.ok) return parsed;
  const asOf = await readAsOf(app, account);
  const rows = await readTopBuyers(app.readDb, { account, ...parsed.value });
  return ok({
    asOf,
    buyers: rows.map(({ buyer_id, captured_count, captured_amount }) => ({
      buyerId: buyer_id,
      captured: { count: Number(captured_count), amount: Number(captured_amount) },
    })),
  });
}
