import { itemOf, type Event } from './notifications.ts';
import type { TokenEvent } from './token-events.ts';
import type {
  Entry,
  ModificationKind,
  NativeStepName,
  NotificationItem,
  Payment,
  StoredMethod,
} from './model.ts';

/** The outcome that a test orders for the next modification of a kind. */
export type Verdict = 'succeeds' | 'fails' | 'succeeds_then_fails' | 'is_reversed' | 'stays_undecided';

export type AdyenSettings = {
  readonly now: () => Date;
  /** Returns a new psp reference or token: 16 capitals and digits. */
  readonly newId: () => string;
  readonly merchantAccount: string;
  readonly apiKey: string;
  /** True if the account may capture a payment in several parts. */
  readonly multipleCaptures: boolean;
  /** True if the API user may send card numbers in clear. */
  readonly rawCards: boolean;
  /** The capture delay of the account, for payments that name none. */
  readonly captureDelay: 'immediate' | 'manual';
  /** True if the account shows the additional data of answers. */
  readonly additionalData: boolean;
  /** The place of a stored method's token: the answer, or the webhook RECURRING_CONTRACT. */
  readonly tokenIn: 'answer' | 'webhook';
  /** The second request under one key with another body. Adyen does not document the answer. */
  readonly otherBody: 'first_answer' | 'refused' | 'refused_otherwise';
  /** The `merchantReference` in webhooks of modifications. Adyen does not document the answer. */
  readonly modificationReference: 'own' | 'payment';
  /** True if a cancel by reference also stops a payment that arrives later. Adyen does not document the answer. */
  readonly stopsLatePayments: boolean;
  readonly redirectMethod: 'GET' | 'POST';
  /** The host of reports. */
  readonly reportsUrl: string;
};

export type Redirect = {
  readonly payment: Payment;
  readonly result: 'approve' | 'refuse' | 'cancel' | 'undecided';
  isUsed: boolean;
};

/** A step of a native authentication, which the buyer's client takes. */
export type Step = {
  readonly payment: Payment;
  readonly name: NativeStepName;
  /** The steps that follow. */
  readonly next: readonly NativeStepName[];
  isUsed: boolean;
};

export type State = {
  readonly settings: AdyenSettings;
  readonly payments: Payment[];
  readonly tokens: Map<string, StoredMethod>;
  readonly redirects: Map<string, Redirect>;
  /** The steps in clients, by the token that authorises each. */
  readonly steps: Map<string, Step>;
  /** The number of payments that will ask the client whatever the request said. */
  nativeAnyway: number;
  /** References whose later payments are stopped. */
  readonly stopped: Set<string>;
  /** The decisions that follow later, in order. */
  readonly open: (() => void)[];
  readonly verdicts: { readonly kind: ModificationKind; readonly verdict: Verdict }[];
  /** The items of the webhooks to send. */
  readonly owed: NotificationItem[];
  /** The webhooks about tokens to send, which are a webhook of their own. */
  readonly tokenEvents: TokenEvent[];
  readonly entries: Entry[];
  readonly reports: Map<string, string>;
  batches: number;
};

export const createState = (settings: AdyenSettings): State => ({
  settings,
  payments: [],
  tokens: new Map(),
  redirects: new Map(),
  steps: new Map(),
  nativeAnyway: 0,
  stopped: new Set(),
  open: [],
  verdicts: [],
  owed: [],
  tokenEvents: [],
  entries: [],
  reports: new Map(),
  batches: 0,
});

/** Owes a webhook about a payment. */
export const owe = (state: State, payment: Payment, event: Omit<Event, 'at'>): void =>
  void state.owed.push(itemOf(payment, { ...event, at: state.settings.now() }));

/** Books a movement of money for the settlement report. */
export const book = (state: State, entry: Omit<Entry, 'at'>): void =>
  void state.entries.push({ ...entry, at: state.settings.now() });

/** Finds the last payment with the merchant's reference. */
export const findByReference = ({ payments }: State, reference: string): Payment | undefined =>
  payments.findLast((payment) => payment.reference === reference);
