import { next, type Machine } from '../../../kernel/machine.ts';

/** The states of a payment method (facts 2.5), and on its way out `deleting`, while a provider has to revoke a mandate. */
export type PaymentMethodStatus =
  | 'processing'
  | 'buyer_approval_required'
  | 'succeeded'
  | 'failed'
  | 'paused'
  | 'deleting'
  | 'deleted';

/** What can happen to a payment method. `approve` is its first approved payment; `settle_approval` comes before that. */
export type PaymentMethodHappening =
  | 'approve'
  | 'settle_approval'
  | 'fail'
  | 'pause'
  | 'resume'
  | 'begin_deletion'
  | 'delete';

const removable = { begin_deletion: 'deleting', delete: 'deleted' } as const;

/** Every status a payment method can have and every way out of it. One is made `processing` or `buyer_approval_required`. */
export const lifecycle = {
  processing: { approve: 'succeeded', fail: 'failed', ...removable },
  buyer_approval_required: {
    settle_approval: 'processing',
    approve: 'succeeded',
    fail: 'failed',
    ...removable,
  },
  succeeded: { pause: 'paused', ...removable },
  paused: { resume: 'succeeded', ...removable },
  failed: removable,
  deleting: removable,
  deleted: {},
} as const satisfies Machine<PaymentMethodStatus, PaymentMethodHappening>;

/** The status after a happening; null when it is not allowed in this one. */
export const statusAfter = (
  status: PaymentMethodStatus,
  happening: PaymentMethodHappening,
): PaymentMethodStatus | null =>
  next<PaymentMethodStatus, PaymentMethodHappening>(lifecycle, status, happening);

/** Whether a payment can be made with it: it was approved before, or this payment may be the first. */
export const isUsable = ({ status }: Pick<PaymentMethod, 'status'>): boolean =>
  status === 'processing' || status === 'succeeded';

/** What is kept of it (facts Appendix B): a card number, a network token, a bank account, nothing, or a provider's token. */
export const INSTRUMENT_TYPES = ['pan', 'network_token', 'bank', 'redirect', 'redirect_token'] as const;
export type InstrumentType = (typeof INSTRUMENT_TYPES)[number];

export type BankScheme = 'ach' | 'sepa' | 'bacs';

/** Something a buyer pays with, kept for later payments, as far as it may be shown. */
export type PaymentMethod = {
  readonly id: string;
  readonly merchantAccountId: string;
  readonly buyerId: string | null;
  /** For example `card`, `bank` or `paypal`. */
  readonly method: string;
  readonly instrumentType: InstrumentType;
  /** A deleted one is shown nowhere. */
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

/** How it is paid with (facts Appendix B): entered by the buyer as a card or bank account, or at another site. */
export const modeOf = ({ instrumentType }: PaymentMethod): 'card' | 'bank' | 'redirect' =>
  MODES[instrumentType];

const MODES = {
  pan: 'card',
  network_token: 'card',
  bank: 'bank',
  redirect: 'redirect',
  redirect_token: 'redirect',
} as const satisfies Record<InstrumentType, string>;
