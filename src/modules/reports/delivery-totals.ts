import { z } from 'zod';
import type { App, Viewer } from '../../app.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { parseInput } from '../../platform/input/validate.ts';
import { optional } from '../../platform/input/values.ts';
import { readDeliveryTotals, type DeliveryCounts } from './delivery-totals.sql.ts';
import type { Percentiles } from './spread.sql.ts';

/** The latest deliveries of an endpoint in numbers. */
export type DeliveryTotals = DeliveryCounts & {
  /** Times of the accepted attempts in milliseconds, exactly. Null without any. */
  readonly answerTime: Percentiles | null;
};

/** The most deliveries of one answer. */
export const DELIVERIES_MAX = 5_000;

const deliveryTotalsInput = z.object({
  webhookEndpointId: z.uuid('Must be the id of a webhook endpoint.'),
  since: optional(z.date()),
  latest: z.int().min(1, 'Must be at least 1.').max(DELIVERIES_MAX, `Must be at most ${DELIVERIES_MAX}.`),
});

/**
 * Returns the totals of the latest deliveries of a webhook endpoint. The cost depends on `latest` alone. Null if the merchant account
 * has no such endpoint. Refuses more than DELIVERIES_MAX deliveries.
 */
export async function totalDeliveries(
  app: App,
  { merchantAccountId: account }: Viewer,
  given: unknown,
): Promise<Result<DeliveryTotals | null, InvalidInput>> {
  const parsed = parseInput(deliveryTotalsInput, given);
  if (!parsed.ok) return parsed;
  const { webhookEndpointId: endpoint, since, latest } = parsed.value;
  const row = await readDeliveryTotals(app.readDb, { account, endpoint, since, latest });
  if (!row) return ok(null);
  const { times, ...counts } = row;
  return ok({ ...counts, answerTime: times && percentilesOf(times) });
}

const percentilesOf = ([p50 = 0, p90 = 0, p95 = 0, p99 = 0]: readonly number[]): Percentiles => ({
  ...{ p50, p90, p95, p99 },
});
