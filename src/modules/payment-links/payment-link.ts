import { next, type Machine } from '../../kernel/machine.ts';
import type { BuyerDetails, ShippingAddress } from '../payment-methods/index.ts';
import type { Intent } from '../payment-services/index.ts';
import type {
  CartItem,
  ConnectionOptions,
  PaymentSource,
  StatementDescriptor,
  Transaction,
  TransactionStatus,
} from '../transactions/index.ts';

/** The states of a payment link (facts 2.4). */
export type PaymentLinkStatus = 'active' | 'processing' | 'completed' | 'expired';

/** What can happen to a payment link. */
export type PaymentLinkEvent = 'begin' | 'complete' | 'give_back' | 'expire';

/**
 * Every status and every way out of it. A payment that is under way when the link would expire may still complete it; when
 * it fails, the link is given back and expires with that.
 */
export const lifecycle = {
  active: { begin: 'processing', expire: 'expired' },
  processing: { complete: 'completed', give_back: 'active' },
  completed: {},
  expired: {},
} as const satisfies Machine<PaymentLinkStatus, PaymentLinkEvent>;

/** The status after something has happened, or null when it may not happen now. */
export const nextStatus = (status: PaymentLinkStatus, event: PaymentLinkEvent): PaymentLinkStatus | null =>
  next<PaymentLinkStatus, PaymentLinkEvent>(lifecycle, status, event);

/** What a transaction means for the link that it pays; null: it is not decided. */
export type Meaning = 'complete' | 'give_back' | null;

/**
 * What the transaction of an attempt means for its link. What was authorised has paid it, also when the merchant voids it later.
 * A sale that the provider has taken on may still be declined: another payment would be too many, and none too few, so the
 * link waits.
 */
export const meaningOf = ({ status, authorizedAt }: Pick<Transaction, 'status' | 'authorizedAt'>): Meaning =>
  status === 'capture_pending' && authorizedAt === null ? null : MEANINGS[status];

const MEANINGS: Readonly<Record<TransactionStatus, Meaning>> = {
  processing: null,
  buyer_approval_pending: null,
  authorization_succeeded: 'complete',
  authorization_declined: 'give_back',
  authorization_failed: 'give_back',
  authorization_void_pending: 'complete',
  authorization_voided: 'complete',
  capture_pending: 'complete',
  capture_succeeded: 'complete',
};

/** A copy of where the goods go; the ids are those of stored shipping details. */
export type LinkShippingDetails = ShippingAddress & {
  readonly id: string | null;
  readonly buyerId: string | null;
};

/** What a link is made with, and what never changes. */
export type PaymentLinkTerms = {
  /** Minor units of `currency`, 0 to 99 999 999. */
  readonly amount: number;
  readonly currency: string;
  readonly country: string;
  readonly intent: Intent;
  readonly paymentSource: PaymentSource;
  readonly store: boolean;
  readonly buyerId: string | null;
  /** A copy, of a stored buyer or as given. */
  readonly buyer: BuyerDetails | null;
  readonly shippingDetails: LinkShippingDetails | null;
  readonly cartItems: readonly CartItem[] | null;
  readonly statementDescriptor: StatementDescriptor | null;
  readonly connectionOptions: ConnectionOptions | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly installmentCount: number | null;
  readonly externalIdentifier: string | null;
  readonly locale: string | null;
  readonly merchantName: string | null;
  readonly merchantUrl: string | null;
  readonly merchantBannerUrl: string | null;
  /** `#rgb` or `#rrggbb`. */
  readonly merchantColor: string | null;
  readonly merchantMessage: string | null;
  readonly merchantTermsAndConditionsUrl: string | null;
  readonly merchantFaviconUrl: string | null;
  readonly returnUrl: string | null;
};

/** A hosted page that collects one payment. Its address is not in it: see paymentLinkUrls. */
export type PaymentLink = PaymentLinkTerms & {
  readonly merchantAccountId: string;
  readonly id: string;
  /** At the moment of reading: past expiresAt an active link is expired. */
  readonly status: PaymentLinkStatus;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** A link as the record of an idempotency key holds it: moments as ISO text. */
export type PaymentLinkJson = Omit<PaymentLink, Moment> & { readonly [Name in Moment]: string };
type Moment = 'expiresAt' | 'createdAt' | 'updatedAt';

export const toJson = (link: PaymentLink): PaymentLinkJson => ({
  ...link,
  expiresAt: link.expiresAt.toISOString(),
  createdAt: link.createdAt.toISOString(),
  updatedAt: link.updatedAt.toISOString(),
});

export const fromJson = (json: PaymentLinkJson): PaymentLink => ({
  ...json,
  expiresAt: new Date(json.expiresAt),
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt),
});
