import { z } from 'zod';
import {
  containsFilter,
  metadataFilter,
  moneyAndTimes,
  oneOf,
  refuseRanges,
  searchFilter,
  uuid,
} from '../../platform/lists/filters.ts';
import { text } from '../../platform/input/text.ts';
import { optional } from '../../platform/input/values.ts';
import { lifecycle, type PaymentLinkStatus } from './payment-link.ts';

/** The filter of a list of payment links. A link must meet every given value, and null means any. */
export const paymentLinkFilter = z
  .object({
    id: optional(uuid('payment link')),
    status: oneOf(z.enum(Object.keys(lifecycle) as PaymentLinkStatus[])),
    ...moneyAndTimes,
    expiresAtGte: optional(z.date()),
    expiresAtLte: optional(z.date()),
    buyerId: optional(uuid('buyer')),
    buyerExternalIdentifier: optional(text(1, 200)),
    buyerEmailAddress: optional(text(1, 320)),
    externalIdentifier: optional(text(1, 200)),
    metadata: optional(metadataFilter),
    search: optional(searchFilter),
    contains: optional(containsFilter),
  })
  .superRefine(refuseRanges('amount', 'createdAt', 'updatedAt', 'expiresAt'));

export type PaymentLinkFilter = z.output<typeof paymentLinkFilter>;
