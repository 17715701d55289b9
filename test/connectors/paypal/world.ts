import type { Timed } from '../kit/agenda.ts';
import type { Json } from './json.ts';
import { refuseIssue } from './refusal.ts';

/** An amount in minor units of PayPal, whose currencies have decimals of their own. */
export type Amount = { readonly currency: string; readonly minor: number };

export type WireMoney = { readonly currency_code: string; readonly value: string };

export type Link = { readonly href: string; readonly rel: string; readonly method: string };

/** A part of a request or an answer. */
export type Wire = { readonly [name: string]: Json };

export type AuthorizationStatus =
  | 'CREATED'
  | 'CAPTURED'
  | 'DENIED'
  | 'PARTIALLY_CAPTURED'
  | 'VOIDED'
  | 'PENDING';

/** An operation at PayPal, with the texts and the request id of its request. */
type Named = {
  readonly id: string;
  readonly orderId: string;
  readonly requestId: string | null;
  readonly customId: string | null;
  readonly invoiceId: string | null;
  readonly createdAt: Date;
  updatedAt: Date;
};

export type Authorization = Named & {
  amount: Amount;
  status: AuthorizationStatus;
  reason: string | null;
  readonly expiresAt: Date;
  isExpired: boolean;
  /** The time from which the authorisation can be renewed. */
  renewableFrom: Date;
  /** True for the authorisation that renewed another one. */
  readonly isRenewal: boolean;
};

export type CaptureStatus =
  | 'COMPLETED'
  | 'DECLINED'
  | 'PARTIALLY_REFUNDED'
  | 'PENDING'
  | 'REFUNDED'
  | 'FAILED';

export type Capture = Named & {
  readonly authorizationId: string | null;
  readonly amount: Amount;
  readonly isFinal: boolean;
  status: CaptureStatus;
  reason: string | null;
  /** True if PayPal took the money back from the merchant. */
  isReversed: boolean;
};

export type Refund = Named & {
  readonly captureId: string;
  readonly amount: Amount;
  readonly note: string | null;
  /** True if PayPal took the money back, and not the merchant. */
  readonly isReversal: boolean;
  status: 'COMPLETED' | 'PENDING' | 'FAILED' | 'CANCELLED';
  reason: string | null;
};

export type OrderStatus = 'CREATED' | 'APPROVED' | 'VOIDED' | 'COMPLETED' | 'PAYER_ACTION_REQUIRED';

export type Order = {
  readonly id: string;
  readonly requestId: string | null;
  readonly intent: 'AUTHORIZE' | 'CAPTURE';
  readonly unit: Wire;
  readonly amount: Amount;
  readonly createdAt: Date;
  updatedAt: Date;
  status: OrderStatus;
  /** The kind of the payment source. Null if the buyer has not chosen. */
  source: string | null;
  readonly sourceRequest: Wire;
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
  readonly completesOnApproval: boolean;
  readonly storesMethod: boolean;
  payer: Payer | null;
  token: PaymentToken | null;
  /** The number of the buyer's sources that were declined. */
  declines: number;
};

export type Payer = { readonly id: string; readonly email: string };

export type PaymentToken = {
  readonly id: string;
  readonly customerId: string;
  readonly source: string;
  readonly payer: Payer;
  readonly orderId: string;
};

export type Dispute = {
  readonly id: string;
  readonly captureId: string;
  readonly reason: string;
  readonly amount: Amount;
  readonly createdAt: Date;
  updatedAt: Date;
  stage: 'INQUIRY' | 'CHARGEBACK' | 'PRE_ARBITRATION' | 'ARBITRATION';
  status: 'OPEN' | 'WAITING_FOR_BUYER_RESPONSE' | 'WAITING_FOR_SELLER_RESPONSE' | 'UNDER_REVIEW' | 'RESOLVED';
  outcome: string | null;
  dueAt: Date | null;
  readonly evidences: Wire[];
};

/** A movement on the balance as the transaction search shows it. Amounts have a sign. `shown`: fields that the search changes. */
export type Entry = {
  shown?: object;
  readonly id: string;
  readonly referenceId: string | null;
  readonly referenceType: 'ODR' | 'TXN' | null;
  readonly code: string;
  readonly at: Date;
  readonly currency: string;
  readonly gross: number;
  readonly fee: number;
  readonly customId: string | null;
  readonly invoiceId: string | null;
  status: 'S' | 'P' | 'D' | 'V';
};

export type PayPalEvent = {
  readonly id: string;
  readonly event_version: string;
  readonly create_time: string;
  readonly resource_type: string;
  readonly resource_version: string;
  readonly event_type: string;
  readonly summary: string;
  readonly resource: object;
  readonly links: readonly Link[];
};

export type NextStatus = {
  readonly status: 'PENDING' | 'DECLINED' | 'DENIED' | 'FAILED';
  readonly reason: string | null;
};

export type PayPalWorld = Timed & {
  readonly newId: () => string;
  readonly settings: {
    readonly merchantId: string;
    /** The start of the addresses of the API in links. */
    readonly api: string;
    readonly vaultLagMs: number;
    readonly reportLagMs: number;
    readonly blocksDuplicateInvoices: boolean;
  };
  /** The start of the addresses of the pages for buyers. */
  pages: string;
  readonly orders: Map<string, Order>;
  readonly authorizations: Map<string, Authorization>;
  readonly captures: Map<string, Capture>;
  readonly refunds: Map<string, Refund>;
  readonly disputes: Map<string, Dispute>;
  readonly tokens: Map<string, PaymentToken>;
  readonly invoices: Set<string>;
  readonly entries: Entry[];
  readonly events: PayPalEvent[];
  /** The events that are not sent yet. */
  readonly owed: PayPalEvent[];
  /** The statuses that a test ordered for the next operations. */
  readonly nextStatuses: NextStatus[];
};

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export function createWorld(
  given: Pick<PayPalWorld, 'now' | 'settings'> & { readonly newId: () => string },
): PayPalWorld {
  return {
    ...{ now: given.now, settings: given.settings, pages: 'https://www.sandbox.paypal.com' },
    newId: () =>
      given
        .newId()
        .toUpperCase()
        .replace(/[^A-Z0-9]/g, '')
        .padStart(17, '0')
        .slice(-17),
    ...{ orders: new Map(), authorizations: new Map(), captures: new Map(), refunds: new Map() },
    ...{ disputes: new Map(), tokens: new Map(), invoices: new Set(), entries: [], events: [] },
    ...{ owed: [], nextStatuses: [], agenda: [] },
  };
}

/** Emits an event with the resource as it is now. */
export function emit(
  world: PayPalWorld,
  event_type: string,
  resource_type: string,
  resource: object,
  resource_version = '2.0',
): void {
  const id = `WH-${world.newId()}-${world.newId()}`;
  const self = `${world.settings.api}/v1/notifications/webhooks-events/${id}`;
  const event: PayPalEvent = {
    ...{ id, event_version: '1.0', create_time: world.now().toISOString(), resource_type, resource_version },
    ...{ event_type, summary: `${event_type} of ${resource_type}`, resource: structuredClone(resource) },
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: `${self}/resend`, rel: 'resend', method: 'POST' },
    ],
  };
  world.events.push(event);
  world.owed.push(event);
}

/** Returns a time as PayPal writes it, in whole seconds. */
export const timeText = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

/** The currencies that PayPal takes, with the number of their decimals where it is not two. */
const DECIMALS: Readonly<Record<string, number>> = {
  ...{ AUD: 2, BRL: 2, CAD: 2, CHF: 2, CNY: 2, CZK: 2, DKK: 2, EUR: 2, GBP: 2, HKD: 2, HUF: 0, ILS: 2 },
  ...{ JPY: 0, MXN: 2, MYR: 2, NOK: 2, NZD: 2, PHP: 2, PLN: 2, SEK: 2, SGD: 2, THB: 2, TND: 3, TWD: 0 },
  ...{ USD: 2 },
};

const VALUE_DIGITS_MAX = 10;

/** Reads an amount. Refuses a currency, a precision and a sum that PayPal does not take. */
export function readAmount(money: Json | undefined, field: string): Amount {
  const amount = readPart(money, field);
  if (amount.minor === 0) refuseIssue('CANNOT_BE_ZERO_OR_NEGATIVE', `${field}/value`);
  return amount;
}

/** Reads a part of an amount, which may be nothing. Refuses a debt, and an amount that PayPal has no form of. */
export function readPart(money: Json | undefined, field: string): Amount {
  const { currency_code, value } = money as { readonly currency_code: string; readonly value: string };
  const decimals = DECIMALS[currency_code];
  if (decimals === undefined) return refuseIssue('INVALID_CURRENCY_CODE', `${field}/currency_code`);
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(value) ?? [];
  if (fraction.length > decimals)
    refuseIssue(decimals === 0 ? 'DECIMALS_NOT_SUPPORTED' : 'DECIMAL_PRECISION', `${field}/value`);
  const digits = `${whole}${fraction.padEnd(decimals, '0')}`.replace(/^0+/, '');
  if (sign !== '') refuseIssue('CANNOT_BE_ZERO_OR_NEGATIVE', `${field}/value`);
  if (digits.length > VALUE_DIGITS_MAX) refuseIssue('MAX_VALUE_EXCEEDED', `${field}/value`);
  return { currency: currency_code, minor: Number(digits) };
}

/** Writes an amount as PayPal does, as a decimal text. */
export function moneyOf(currency: string, minor: number): WireMoney {
  const decimals = DECIMALS[currency] ?? 2;
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const sign = minor < 0 ? '-' : '';
  const value = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return { currency_code: currency, value: `${sign}${value}` };
}

/** The fee of a payment: 3.49 % and 49 minor units, at most the amount. */
export const feeOf = (minor: number): number =>
  Math.min(minor, Math.floor((minor * 349 + 5_000) / 10_000) + 49);

/** Returns the part below a path of names, or null. */
export function wireAt(value: Json | undefined, ...names: readonly string[]): Json | null {
  let at: Json | undefined = value;
  for (const name of names) {
    if (typeof at !== 'object' || at === null || Array.isArray(at)) return null;
    at = (at as Wire)[name];
  }
  return at ?? null;
}

export function textAt(value: Json | undefined, ...names: readonly string[]): string | null {
  const text = wireAt(value, ...names);
  return typeof text === 'string' ? text : null;
}

/** Takes an invoice id. Refuses one that an earlier operation used. */
export function takeInvoice(world: PayPalWorld, invoiceId: string | null): void {
  if (invoiceId === null) return;
  if (world.settings.blocksDuplicateInvoices && world.invoices.has(invoiceId))
    refuseIssue('DUPLICATE_INVOICE_ID', '/invoice_id');
  world.invoices.add(invoiceId);
}
