import { feedKey, parseFirst, type StartRefusal } from '../../../modules/events/index.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { GraphContext } from '../../context.ts';
import type { TransactionResolvers } from '../../generated/events.ts';
import { eventColumns } from '../columns.ts';
import { feedError } from './feed-errors.ts';
import { toConnection } from '../pages.ts';

/** The payment of an event, by its key. */
export type PaymentReference = { readonly id: string };

/** The events of a payment in the feed, with their deliveries. */
export const paymentEvents: Pick<TransactionResolvers, '__resolveReference' | 'feedEvents'> = {
  __resolveReference: ({ id }) => (isUuid(id) ? { id } : null),
  feedEvents: async ({ id }, { first, after, sort }, { loaders }: GraphContext, info) => {
    const [captures, refunds, disputes, start] = await Promise.all([
      loaders.briefFollowUps.load({ transactionId: id, kind: 'capture' }),
      loaders.briefFollowUps.load({ transactionId: id, kind: 'refund' }),
      loaders.disputesOf.load(id),
      after == null ? ok(null) : loaders.feedStart.load(after),
    ]);
    const events = eventColumns.ofList(info) === 'line' ? loaders.linePaymentEvents : loaders.paymentEvents;
    const page = await events.load({
      transactionId: id.toLowerCase(),
      captureIds: captures.map((capture) => capture.id),
      refundIds: refunds.map((refund) => refund.id),
      disputeIds: disputes.map((dispute) => dispute.id),
      ...{ after: orThrow(start), first: orThrow(parseFirst(first)), order: ORDERS[sort] },
    });
    return toConnection(page, feedKey);
  },
};

const ORDERS = { sequence_asc: 'oldest', sequence_desc: 'newest' } as const;

function orThrow<Value>(result: Result<Value, StartRefusal>): Value {
  if (!result.ok) throw feedError(result.refusals);
  return result.value;
}
