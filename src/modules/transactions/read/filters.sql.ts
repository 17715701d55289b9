import type { Part } from '../../../platform/database/built-statement.ts';
import {
  covered,
  coveredAndIndexed,
  equal,
  flagged,
  hasPairs,
  identified,
  indexed,
  inRows,
  inTerms,
  isOneOf,
  one,
  unique,
  type Listed,
  type Filter,
} from '../../../platform/lists/list-filters.sql.ts';
import { containing } from '../../../platform/lists/search.sql.ts';
import { filtersBy } from '../../../platform/lists/sorted-list.sql.ts';
import type { TransactionFilter } from './filter.ts';
import { foundByWord, SEARCHED } from './search.sql.ts';

/** A column that leads from a payment to a record that has payments. */
export type OwnerColumn = 'buyer_id' | 'payment_method_id' | 'payment_service_id';

/** The records whose payments are listed, each in a list of its own. */
export type Owners = { readonly column: OwnerColumn; readonly ids: readonly string[] };

/** Returns the filter that leaves the payments of some records. It has no index scan, because most of the payments may be theirs. */
export const ownedBy = ({ column, ids }: Owners, { isByCreation }: Listed): Filter => ({
  where: isOneOf(column, 'uuid', ids),
  index: null,
  isCovered: isCoveredBy(column, isByCreation),
});

/** Returns the filter that leaves the payments of the record `owner.id`. Its index has the order of creation. */
export const ownedByEach = (column: OwnerColumn, listed: Listed): Filter => {
  const where = () => [`t.${column} = owner.id`];
  const index = inRows([where], listed, [`t.${column}`, 't.created_at', 't.id']);
  return { where, index, isCovered: isCoveredBy(column, listed.isByCreation) };
};

/** The index of the order of creation has the payment service alone. */
const isCoveredBy = (column: OwnerColumn, isByCreation: boolean): boolean =>
  column === 'payment_service_id' && isByCreation;

/** A column with terms of its own kind. */
const storedAs = (kind: 'fingerprint' | 'bin') =>
  one((text: string, listed: Listed): Filter => ({
    where: equal(`card_${kind}`, 'text', text),
    index: inTerms((value) => `'${kind}:' || ${value(text)}::text`, listed, true),
    isCovered: false,
  }));

/** Returns the given filters only. */
export const filtersOf = filtersBy<TransactionFilter>({
  id: one(unique('id', 'uuid')),
  reconciliationId: one(unique('id', 'uuid')),
  status: one(indexed('status')),
  currency: one(covered('currency')),
  country: one(covered('country')),
  method: one(covered('method')),
  paymentServiceId: one(coveredAndIndexed('payment_service_id', 'uuid')),
  paymentMethodId: one(indexed('payment_method_id', 'uuid')),
  paymentLinkId: one(unique('payment_link_id', 'uuid', 'payment_link_attempt_id')),
  paymentServiceTransactionId: (text, listed) => {
    const column = 't.payment_service_transaction_id COLLATE "C"';
    const where: Part<readonly string[]> = (value) => [`${column} = ${value(text)}::text`];
    return [{ where, index: inRows([where], listed, [column]), isCovered: false }];
  },
  externalIdentifier: one(identified((text) => `t.external_identifier = ${text}`)),
  buyerId: one(indexed('buyer_id', 'uuid')),
  buyerExternalIdentifier: one(identified((text) => `t.buyer->>'externalIdentifier' = ${text}`)),
  buyerEmailAddress: one(
    identified((text) => `lower(t.buyer->'billingDetails'->>'emailAddress') = lower(${text})`),
  ),
  cardScheme: one(covered('card_scheme')),
  cardCountry: one(covered('card_country')),
  cardFingerprint: storedAs('fingerprint'),
  cardBin: storedAs('bin'),
  cardLastFour: one(identified((digits) => `t.card_last_four = ${digits}`)),
  errorCode: one(indexed('error_code')),
  antiFraudDecision: one(indexed('anti_fraud_decision')),
  pendingReview: one(flagged(`t.fraud_review = 'pending'`)),
  hasRefunds: one(flagged('t.refunded_amount > 0')),
  disputed: one(flagged('t.disputed')),
  hasGiftCardRedemptions: one(flagged('t.gift_card_amount > 0')),
  // The source `none` means that nobody authenticated the buyer. An index has the same condition.
  hasThreeDSecure: one(flagged(`t.three_d_secure->>'source' <> 'none'`)),
  paymentSource: one(covered('payment_source')),
  merchantInitiated: one(covered('merchant_initiated', 'bool')),
  isSubsequentPayment: one(covered('is_subsequent_payment', 'bool')),
  metadata: hasPairs,
  search: (words, listed) => words.map((word) => foundByWord(word, listed)),
  contains: one((text) => containing(text, SEARCHED)),
});
