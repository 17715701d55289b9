import { ok } from '../../../kernel/result.ts';
import { listSettlements, type Settlement } from '../../settlements/index.ts';
import { field, fromOldest, oldestFirst, pageOf, sourceOf } from './source.ts';

/** Entries on the balances at providers, the earliest stored first. */
export const settlements = sourceOf<Settlement>({
  scope: 'settlements.read',
  columns: [
    field('id', ({ id }) => id),
    field('kind', ({ kind }) => kind),
    field('payment_service_id', ({ paymentServiceId }) => paymentServiceId),
    field('payment_service_settlement_id', ({ reference }) => reference, 'text'),
    field('payment_service_payout_id', ({ payoutReference }) => payoutReference, 'text'),
    field('transaction_id', ({ transactionId }) => transactionId),
    field('operation_id', ({ operationId }) => operationId),
    field('dispute_id', ({ disputeId }) => disputeId),
    field('gross', ({ gross }) => gross),
    field('fee', ({ fee }) => fee),
    field('net', ({ net }) => net),
    field('currency', ({ currency }) => currency),
    field('original_amount', ({ original }) => original?.amount ?? null),
    field('original_currency', ({ original }) => original?.currency ?? null),
    field('exchange_rate', ({ exchangeRate }) => exchangeRate),
    field('settled_on', ({ settledOn }) => settledOn),
    field('difference', ({ difference }) => difference),
    field('explanation', ({ explanation }) => explanation, 'text'),
    field('created_at', ({ createdAt }) => createdAt),
    field('updated_at', ({ updatedAt }) => updatedAt),
  ],
  readPage: async (app, reading) => {
    const listed = await listSettlements(app, reading, fromOldest(reading), reading.filter);
    return ok(oldestFirst(pageOf(listed)));
  },
  positionOf: ({ id }) => id,
});
