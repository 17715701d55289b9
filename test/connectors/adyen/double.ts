import { randomInt } from 'node:crypto';
import {
  listenOn,
  openLine,
  postWebhooks,
  type DoubleCore,
  type DoubleRequest,
  type DoubleResponse,
  type DoubleWebhook,
} from '../double-server.ts';
import { answerRequest, createKeys, type Keys } from './answer.ts';
import { dispute, type DisputeEvent } from './disputes.ts';
import { elsewhere } from './elsewhere.ts';
import { faultWords } from './fault-words.ts';
import { isPaidBeforeReturn } from './methods.ts';
import type { ModificationKind, Payment } from './model.ts';
import { takeBackByReference } from './modifications.ts';
import { signNotification, type AdyenNotification, type Signing } from './notifications.ts';
import { returned } from './payments.ts';
import { closeBatch, type Batch } from './reports.ts';
import {
  createState,
  findByReference,
  owe,
  type AdyenSettings,
  type Redirect,
  type State,
  type Verdict,
} from './state.ts';
import { disableToken, replaceCard, signTokenEvent, type NewCard } from './token-events.ts';

export type AdyenDoubleOptions = Partial<AdyenSettings> &
  Partial<Signing> & {
    /** The key of the webhook about tokens. */
    readonly tokenHmacKey?: string;
  };

export const TEST_ACCOUNT = { merchantAccount: 'TestMerchant', apiKey: 'AQE-test-key' } as const;

/** Adyen's own key of its example. */
export const TEST_HMAC_KEY = 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00';

/** The fields of a payment service at the double. */
export const CREDENTIALS = {
  ...{ api_key: TEST_ACCOUNT.apiKey, merchant_account: TEST_ACCOUNT.merchantAccount },
  hmac_key: TEST_HMAC_KEY,
};

/** The webhook about tokens has a key of its own. */
export const TEST_TOKEN_HMAC_KEY = 'D7DD5BA6146493707BF0BE7496F6404EC7A63616B7158EC927B9F54BB436765F';

const DEFAULTS: AdyenSettings = {
  ...TEST_ACCOUNT,
  now: () => new Date(),
  newId: () => Array.from({ length: 16 }, () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)]).join(''),
  multipleCaptures: false,
  rawCards: true,
  captureDelay: 'immediate',
  additionalData: true,
  tokenIn: 'answer',
  otherBody: 'first_answer',
  modificationReference: 'own',
  stopsLatePayments: false,
  redirectMethod: 'GET',
  reportsUrl: 'https://ca-test.adyen.com',
};

const ID_CHARACTERS = 'BCDFGHJKLMNPQRSTVWXZ23456789';

export type AdyenDouble = ReturnType<typeof createAdyenDouble>;

/**
 * Makes a double of Adyen's Checkout API, version 71, in memory. The double refuses what Adyen's own description refuses, and
 * keeps books. Modifications are only received, and `webhooks` decides them.
 */
export function createAdyenDouble(options: AdyenDoubleOptions = {}) {
  const {
    hmacKey = TEST_HMAC_KEY,
    tokenHmacKey = TEST_TOKEN_HMAC_KEY,
    basicAuth = null,
    ...settings
  } = options;
  const state = createState({ ...DEFAULTS, ...settings });
  const keys = createKeys();
  const core = coreOf(state, keys);
  const sign = (item: AdyenNotification['item']) => signNotification(item, { hmacKey, basicAuth });
  const signToken = (event: object) => signTokenEvent(event, tokenHmacKey);
  const line = openLine(core);
  const webhooks = (): readonly AdyenNotification[] => {
    expireOld(state);
    state.open.splice(0).forEach((decide) => decide());
    return state.owed.splice(0).map(sign);
  };
  return {
    ...{ ...line, ...events(state) },
    /** The acts of others with the same account. */
    elsewhere: elsewhere(state, (reference) => find(state, reference)),
    /** The payments with their sums, in order. The last one with a reference is found by `book`. */
    books: (): readonly Payment[] => state.payments,
    book: (reference: string): Payment => find(state, reference),
    reports: (): readonly string[] => [...state.reports.values()],
    /** Answers a request without a fault and without a network. */
    handle: (request: DoubleRequest): DoubleResponse => core.handle(request),
    /** Starts an http server on 127.0.0.1. */
    listen: () => listenOn(line),
    /** Decides what is open, and returns the webhooks that are owed since the last call, in order. */
    webhooks,
    /** Returns the webhooks about tokens that are owed since the last call, in order. */
    tokenWebhooks: (): readonly DoubleWebhook[] => state.tokenEvents.splice(0).map(signToken),
    /** Posts the owed webhooks one after another. Returns the statuses of the answers. */
    deliver: (url: string) => postWebhooks(url, webhooks()),
    /** Orders the decision of the next modification of a kind. */
    decideNext: (kind: ModificationKind, verdict: Verdict): void =>
      void state.verdicts.push({ kind, verdict }),
    /** Signs any item, also one that this double would not send. */
    sign,
    /** Signs any body of a webhook about a token. */
    signToken,
  };
}

const coreOf = (state: State, keys: Keys): DoubleCore => ({
  handle: (request) => answerRequest(state, keys, request),
  hold: (request) => keys.hold(request),
  words: faultWords,
});

/** The events that only the outside world brings about. */
const events = (state: State) => ({
  /** Ends the buyer's visit. Returns the parameters of the return. A buyer of a bank has paid before the return. */
  comeBack: (reference: string, result: Redirect['result']) => {
    const payment = find(state, reference);
    const redirectResult = `X6XtfGC3!${state.settings.newId()}`;
    state.redirects.set(redirectResult, { payment, result, isUsed: false });
    const isPaid = isPaidBeforeReturn(payment.method) && result !== 'undecided';
    if (isPaid && payment.status === 'waiting') returned(state, payment, result);
    return { redirectResult };
  },
  /** Lets a buyer decide in an app, or pay with a voucher. Only a webhook tells. */
  decideElsewhere: (reference: string, result: 'approve' | 'refuse'): void =>
    void returned(state, find(state, reference), result),
  /** Makes the next payment ask the buyer's client for a step, although the request said that no client can. */
  askAnyway: (): void => void (state.nativeAnyway += 1),
  /** Ends the time of a buyer who never came back. */
  closeOffer: (reference: string): void => {
    const payment = find(state, reference);
    if (payment.status !== 'waiting') return;
    payment.status = 'cancelled';
    owe(state, payment, { eventCode: 'OFFER_CLOSED' });
  },
  /** Takes back a capture or refund that had succeeded. False if none with this reference had. */
  takeBack: (reference: string) => takeBackByReference(state, reference),
  /** Ends an authorisation. The uncaptured rest is released. */
  expire: (reference: string) => expire(state, find(state, reference)),
  /** Lets the issuer send a new card for a token. */
  replaceCard: (token: string, card: NewCard) => replaceCard(state, token, card),
  /** Ends a token, because the issuer closed the card. */
  disableToken: (token: string) => disableToken(state, token),
  /** Reports a stage of a dispute. Returns the dispute's psp reference. */
  dispute: (reference: string, event: DisputeEvent) => dispute(state, find(state, reference), event),
  /** Settles everything since the last batch, and owes REPORT_AVAILABLE. */
  closeBatch: (batch: Batch = {}) => {
    const report = closeBatch(state, batch);
    const { settings } = state;
    state.owed.push({
      amount: { value: 0, currency: 'EUR' },
      eventCode: 'REPORT_AVAILABLE',
      eventDate: settings.now().toISOString(),
      merchantAccountCode: settings.merchantAccount,
      merchantReference: '',
      pspReference: report.name,
      reason: report.url,
      success: 'true',
    });
    return report;
  },
});

function find(state: State, reference: string): Payment {
  const payment = findByReference(state, reference);
  if (!payment) throw new Error(`Adyen has no payment with the reference ${reference}.`);
  return payment;
}

function expire(state: State, payment: Payment): void {
  if (payment.status !== 'authorised' || payment.captured + payment.cancelled >= payment.authorised) return;
  payment.cancelled = payment.authorised - payment.captured;
  if (payment.captured === 0) payment.status = 'expired';
  owe(state, payment, { eventCode: 'EXPIRE' });
}

/** Adyen ends authorisations after 28 days. */
const EXPIRY_MS = 28 * 86_400_000;

function expireOld(state: State): void {
  const before = state.settings.now().getTime() - EXPIRY_MS;
  for (const payment of state.payments) if (payment.createdAt.getTime() <= before) expire(state, payment);
}
