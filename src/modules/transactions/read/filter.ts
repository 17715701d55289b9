import { z } from 'zod';
import { ANTI_FRAUD_DECISIONS } from '../../../connectors/anti-fraud/connector.ts';
import {
  containsFilter,
  metadataFilter,
  moneyAndTimes,
  oneOf,
  refuseRanges,
  searchFilter,
  uuid,
} from '../../../platform/lists/filters.ts';
import { text } from '../../../platform/input/text.ts';
import { country, optional, pattern } from '../../../platform/input/values.ts';
import { uuidOf } from '../../../kernel/reconciliation-id.ts';
import { lifecycle, type TransactionStatus } from '../model/transaction.ts';

const reconciliationId = z
  .string()
  .transform(uuidOf)
  .refine((id) => id !== null, 'Must be a reconciliation id: 22 letters and digits.');

/** The filter of a list of transactions. A transaction must meet every given condition. Null means any. */
export const transactionFilter = z
  .object({
    id: optional(uuid('transaction')),
    reconciliationId: optional(reconciliationId),
    status: oneOf(z.enum(Object.keys(lifecycle) as TransactionStatus[])),
    ...moneyAndTimes,
    method: oneOf(text(1, 50)),
    paymentServiceId: oneOf(uuid('payment service')),
    paymentMethodId: optional(uuid('stored payment method')),
    paymentLinkId: optional(uuid('payment link')),
    paymentServiceTransactionId: optional(text(1, 300)),
    externalIdentifier: optional(text(1, 200)),
    buyerId: optional(uuid('buyer')),
    buyerExternalIdentifier: optional(text(1, 200)),
    buyerEmailAddress: optional(text(1, 320)),
    cardScheme: oneOf(text(1, 50)),
    cardCountry: oneOf(country),
    cardFingerprint: optional(text(1, 200)),
    cardBin: optional(pattern(/^\d{8}$/, 'Must be the first eight digits.')),
    cardLastFour: optional(pattern(/^\d{4}$/, 'Must be the last four digits.')),
    errorCode: oneOf(text(1, 100)),
    antiFraudDecision: oneOf(z.enum(['pending', ...ANTI_FRAUD_DECISIONS])),
    pendingReview: optional(z.boolean()),
    hasRefunds: optional(z.boolean()),
    disputed: optional(z.boolean()),
    hasGiftCardRedemptions: optional(z.boolean()),
    hasThreeDSecure: optional(z.boolean()),
    paymentSource: oneOf(z.enum(['ecommerce', 'moto', 'recurring', 'installment', 'card_on_file'])),
    merchantInitiated: optional(z.boolean()),
    isSubsequentPayment: optional(z.boolean()),
    metadata: optional(metadataFilter),
    search: optional(searchFilter),
    contains: optional(containsFilter),
  })
  .superRefine(refuseRanges('amount', 'createdAt', 'updatedAt'));

export type TransactionFilter = z.output<typeof transactionFilter>;
