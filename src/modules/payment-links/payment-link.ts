import { next, type Machine } from '../../kernel/machine.ts';
import type { Metadata } from '../../platform/input/metadata.ts';
import type { BuyerDetails, ShippingAddress } from '../payment-methods/index.ts';
import type { Intent } from '../payment-services/index.ts';
import type {
  CartItem,
  ConnectionOptions,
  PaymentSource,
  Split,
  StatementDescriptor,
  Transaction,
  TransactionStatus,
} from '../transactions/index.ts';

/** The states of a payment link. */
export type PaymentLinkStatus = 'active' | 'processing' | 'completed' | 'expired';

/** The events of a payment link. */
export type PaymentLinkEvent = 'begin' | 'complete' | 'give_back' | 'expire';

/**
 * Every status and its transitions. A payment in progress may complete the link after its expiry. If that payment
 * fails, the link is given back and expires.
 */
export const lifecycle = {
  active: { begin: 'processing', expire: 'expired' },
  processing: { complete: 'completed', give_back: 'active' },
  completed: {},
  expired: {},
} as const satisfies Machine<PaymentLinkStatus, PaymentLinkEvent>;

/** Returns the status after an event, or null when the event is not allowed now. */
export const nextStatus = (status: PaymentLinkStatus, event: PaymentLinkEvent): PaymentLinkStatus | null =>
  next<PaymentLinkStatus, PaymentLinkEvent>(lifecycle, status, event);

/** The effect of a transaction on its link. Null while undecided. */
export type Meaning = 'complete' | 'give_back' | null;

/**
 * Decides the effect of an attempt's transaction on its link. An authorised transaction has paid the link, even if the
 * merchant voids it later. The provider may still decline a sale that it accepted. The link then waits, because a
 * second payment would be worse than a late one.
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

/** A copy of the shipping details. The ids are those of stored shipping details. */
export type LinkShippingDetails = ShippingAddress & {
  readonly id: string | null;
  readonly buyerId: string | null;
};

/** The terms of a link, which never change. */
export type PaymentLinkTerms = {
  /** Minor units of `currency`, 0 to 99 999 999. */
  readonly amount: number;
  readonly currency: string;
  readonly country: string;
  readonly intent: Intent;
  readonly paymentSource: PaymentSource;
  readonly store: boolean;
  readonly buyerId: string | null;
  /** A copy of a stored buyer's details or of the given ones. */
  readonly buyer: BuyerDetails | null;
  readonly shippingDetails: LinkShippingDetails | null;
  readonly cartItems: readonly CartItem[] | null;
  /** The shares of accounts, which make the amount. Null without any. */
  readonly splits: readonly Split[] | null;
  readonly statementDescriptor: StatementDescriptor | null;
  readonly connectionOptions: ConnectionOptions | null;
  readonly metadata: Metadata | null;
  readonly installmentCount: number | null;
  readonly externalIdentifier: string | null;
  readonly locale: string | null;
  readonly merchantName: string | null;
  readonly merchantUrl: string | null;
  readonly merchantBannerUrl: string | null;
  /** A CSS colour of 1 to 100 characters. */
  readonly merchantColor: string | null;
  readonly merchantMessage: string | null;
  readonly merchantTermsAndConditionsUrl: string | null;
  readonly merchantFaviconUrl: string | null;
  readonly returnUrl: string | null;
  /** The version of routing rules for payments of the link. Null: the active version of the merchant account. */
  readonly routingVersionId: string | null;
  /** The page of the paid link asks for an e-mail address, to which the merchant sends a receipt. */
  readonly offersReceipt: boolean;
};

/** A hosted page that collects one payment. Its address is kept apart, see paymentLinkUrls. */
export type PaymentLink = PaymentLinkTerms & {
  readonly merchantAccountId: string;
  readonly id: string;
  /** The status at the time of reading: an active link is expired past expiresAt. */
  readonly status: PaymentLinkStatus;
  /** The moment of the request for a receipt. Only one request counts. */
  readonly receiptRequestedAt: Date | null;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/**
 * A link as the record of an idempotency key stores it, with moments as ISO text. A new link has no request for a
 * receipt. Records of earlier versions have no `offersReceipt`, no `splits` and no `routingVersionId`.
 */
export type PaymentLinkJson = Omit<
  PaymentLink,
  Moment | 'receiptRequestedAt' | 'offersReceipt' | 'splits' | 'routingVersionId'
> & {
  readonly [Name in Moment]: string;
} & Partial<Pick<PaymentLink, 'offersReceipt' | 'splits' | 'routingVersionId'>>;
type Moment = 'expiresAt' | 'createdAt' | 'updatedAt';

export const toJson = ({ receiptRequestedAt: _, ...link }: PaymentLink): PaymentLinkJson => ({
  ...link,
  expiresAt: link.expiresAt.toISOString(),
  createdAt: link.createdAt.toISOString(),
  updatedAt: link.updatedAt.toISOString(),
});

export const fromJson = (json: PaymentLinkJson): PaymentLink => ({
  ...json,
  offersReceipt: json.offersReceipt ?? false,
  splits: json.splits ?? null,
  routingVersionId: json.routingVersionId ?? null,
  receiptRequestedAt: null,
  expiresAt: new Date(json.expiresAt),
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt),
});
