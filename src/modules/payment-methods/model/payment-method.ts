import { next, type Machine } from '../../../kernel/machine.ts';

/** The states of a payment method. `deleting` lasts while a provider has to revoke a mandate. */
export type PaymentMethodStatus =
  | 'processing'
  | 'buyer_approval_required'
  | 'succeeded'
  | 'failed'
  | 'paused'
  | 'deleting'
  | 'deleted';

/**
 * The transitions of a payment method.
 *
 * - `settle_approval` comes before `approve`, the first approved payment.
 * - `disable` is the end of the only token that can charge the payment method.
 */
export type PaymentMethodHappening =
  | 'approve'
  | 'settle_approval'
  | 'fail'
  | 'disable'
  | 'pause'
  | 'resume'
  | 'begin_deletion'
  | 'delete';

const removable = { begin_deletion: 'deleting', delete: 'deleted' } as const;

/**
 * Every status of a payment method and every transition. A new payment method is `processing` or
 * `buyer_approval_required`.
 */
export const lifecycle = {
  processing: { approve: 'succeeded', fail: 'failed', disable: 'failed', ...removable },
  buyer_approval_required: {
    settle_approval: 'processing',
    approve: 'succeeded',
    fail: 'failed',
    ...removable,
  },
  succeeded: { pause: 'paused', disable: 'failed', ...removable },
  paused: { resume: 'succeeded', disable: 'failed', ...removable },
  failed: removable,
  deleting: removable,
  deleted: {},
} as const satisfies Machine<PaymentMethodStatus, PaymentMethodHappening>;

/** Returns the status after a transition. Null if the current status does not allow the transition. */
export const statusAfter = (
  status: PaymentMethodStatus,
  happening: PaymentMethodHappening,
): PaymentMethodStatus | null =>
  next<PaymentMethodStatus, PaymentMethodHappening>(lifecycle, status, happening);

/** True if the payment method can pay: an earlier payment was approved, or no payment was made yet. */
export const isUsable = ({ status }: Pick<PaymentMethod, 'status'>): boolean =>
  status === 'processing' || status === 'succeeded';

/**
 * Stored form of an instrument: card number, network token, bank account or nothing. Only a provider knows a `card_token` and
 * a `redirect_token`.
 */
export const INSTRUMENT_TYPES = [
  'pan',
  'network_token',
  'card_token',
  'bank',
  'redirect',
  'redirect_token',
] as const;
export type InstrumentType = (typeof INSTRUMENT_TYPES)[number];

/** True for a payment method that only services with a token of their own can charge. */
export const paysByTokenAlone = (instrumentType: string | null): boolean =>
  instrumentType === 'redirect_token' || instrumentType === 'card_token';

export type BankScheme = 'ach' | 'sepa' | 'bacs';

/** A stored payment method, as far as it may be shown. */
export type PaymentMethod = {
  readonly id: string;
  readonly merchantAccountId: string;
  readonly buyerId: string | null;
  /** For example `card`, `bank` or `paypal`. */
  readonly method: string;
  readonly instrumentType: InstrumentType;
  /** Deleted payment methods are never returned. */
  readonly status: Exclude<PaymentMethodStatus, 'deleted'>;
  readonly label: string | null;
  readonly scheme: string | null;
  readonly additionalSchemes: readonly string[];
  /** The first eight digits. */
  readonly bin: string | null;
  readonly lastFour: string | null;
  /** MM/YY. */
  readonly expirationDate: string | null;
  readonly issuerCountry: string | null;
  readonly bankScheme: BankScheme | null;
  readonly fingerprint: string | null;
  readonly externalIdentifier: string | null;
  readonly schemeTransactionId: string | null;
  readonly schemeTransactionIdScheme: string | null;
  /** The payment service whose payment has the scheme's id. Null if the merchant brought the id. */
  readonly schemeTransactionServiceId: string | null;
  readonly transactionLinkId: string | null;
  readonly country: string | null;
  readonly currency: string | null;
  readonly redirectUrl: string | null;
  readonly approvalUrl: string | null;
  readonly usageCount: number;
  readonly lastUsedAt: Date | null;
  readonly citUsageCount: number;
  readonly citLastUsedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Returns the way to pay: with a card, with a bank account, or on another site. */
export const modeOf = ({ instrumentType }: PaymentMethod): 'card' | 'bank' | 'redirect' =>
  MODES[instrumentType];

const MODES = {
  pan: 'card',
  network_token: 'card',
  card_token: 'card',
  bank: 'bank',
  redirect: 'redirect',
  redirect_token: 'redirect',
} as const satisfies Record<InstrumentType, string>;
