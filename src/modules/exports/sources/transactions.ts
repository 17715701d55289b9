import { ok } from '../../../kernel/result.ts';
import { listTransactions, transactionKey, type Transaction } from '../../transactions/index.ts';
import type { GivenFilter } from '../export.ts';
import { field, PAGE_MAX, pageOf, sourceOf, type Reading } from './source.ts';

const SORT = 'created_at_asc';

/** Transactions as they are at the moment of reading, oldest first. */
export const transactions = sourceOf<Transaction>({
  scope: 'transactions.read',
  columns: [
    field('id', ({ id }) => id),
    field('external_identifier', ({ externalIdentifier }) => externalIdentifier, 'text'),
    field('status', ({ status }) => status),
    field('intent', ({ intent }) => intent),
    field('intent_outcome', ({ intentOutcome }) => intentOutcome),
    field('amount', ({ amount }) => amount),
    field('currency', ({ currency }) => currency),
    field('authorized_amount', ({ authorizedAmount }) => authorizedAmount),
    field('captured_amount', ({ capturedAmount }) => capturedAmount),
    field('refunded_amount', ({ refundedAmount }) => refundedAmount),
    field('capture_reversed_amount', ({ captureReversedAmount }) => captureReversedAmount),
    field('refund_reversed_amount', ({ refundReversedAmount }) => refundReversedAmount),
    field('dispute_lost_amount', ({ disputeLostAmount }) => disputeLostAmount),
    field('gift_card_amount', ({ giftCardAmount }) => giftCardAmount),
    field('country', ({ country }) => country),
    field('method', ({ method }) => method),
    field('payment_source', ({ paymentSource }) => paymentSource),
    field('merchant_initiated', ({ merchantInitiated }) => merchantInitiated),
    field('is_subsequent_payment', ({ isSubsequentPayment }) => isSubsequentPayment),
    field('card_scheme', ({ cardScheme }) => cardScheme, 'text'),
    field('card_last_four', ({ cardLastFour }) => cardLastFour),
    field('card_country', ({ cardCountry }) => cardCountry),
    field('buyer_id', ({ buyerId }) => buyerId),
    field('payment_method_id', ({ paymentMethodId }) => paymentMethodId),
    field('payment_link_id', ({ paymentLinkId }) => paymentLinkId),
    field('payment_service_id', ({ paymentServiceId }) => paymentServiceId),
    field('payment_service_transaction_id', (transaction) => transaction.paymentServiceTransactionId, 'text'),
    field('error_code', ({ errorCode }) => errorCode, 'text'),
    field('authorized_at', ({ authorizedAt }) => authorizedAt),
    field('captured_at', ({ capturedAt }) => capturedAt),
    field('created_at', ({ createdAt }) => createdAt),
    field('updated_at', ({ updatedAt }) => updatedAt),
  ],
  readPage: async (app, reading) => {
    const { after: cursor, filter, until } = reading;
    const request = { direction: 'forward', limit: PAGE_MAX, cursor } as const;
    const given = { filter: endingAt(filter, until), sort: SORT, columns: 'line', readsAll: true } as const;
    const { items, hasNextPage } = pageOf(await listTransactions(app, reading, request, given));
    return ok({ items, hasMore: hasNextPage });
  },
  positionOf: transactionKey(SORT),
});

/** Adds the end of an export to the conditions, so that a page is not read for later records alone. */
function endingAt(filter: GivenFilter, until: Reading['until']): GivenFilter {
  const { createdAtGte: from, createdAtLte: to } = filter;
  const createdAtLte = to instanceof Date && to < until ? to : until;
  // A filter may not end before its start. Nothing is in an export that starts later than its end.
  return { ...filter, createdAtLte: from instanceof Date && from > createdAtLte ? from : createdAtLte };
}
