import type { Timed } from '../kit/agenda.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export type Amount = { readonly currency: string; readonly minor: number };

type Status = 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed';

/** A capture or a refund of a payment. */
export type Part = {
  readonly id: string;
  readonly amount: Amount;
  readonly metadata: unknown;
  readonly createdAt: Date;
  /** The key of the request. Null if a person made the part. */
  readonly key: string | null;
  status: string;
};

export type Chargeback = {
  readonly id: string;
  readonly amount: Amount;
  readonly reason: string | null;
  readonly createdAt: Date;
  reversedAt: Date | null;
};

export type Payment = {
  readonly id: string;
  readonly key: string | null;
  readonly amount: Amount;
  readonly description: string;
  /** Null: the buyer chooses on Mollie's page. */
  readonly method: string | null;
  readonly metadata: unknown;
  readonly redirectUrl: string | null;
  readonly webhookUrl: string | null;
  readonly captureMode: 'automatic' | 'manual';
  readonly sequenceType: 'oneoff' | 'first' | 'recurring';
  readonly customerId: string | null;
  mandateId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  status: Status;
  /** True if the buyer has a page at Mollie. */
  readonly hasPage: boolean;
  failureReason: string | null;
  authorizedAt: Date | null;
  paidAt: Date | null;
  canceledAt: Date | null;
  expiredAt: Date | null;
  failedAt: Date | null;
  readonly captures: Part[];
  readonly refunds: Part[];
  readonly chargebacks: Chargeback[];
};

export type Mandate = { readonly id: string; readonly customerId: string; isValid: boolean };

/** A webhook that is owed: the payment changed. */
export type Owed = { readonly id: string };

export type MollieWorld = Timed & {
  readonly newId: (kind: string) => string;
  /** The start of the addresses of the pages for buyers. */
  pages: string;
  readonly payments: Map<string, Payment>;
  readonly customers: Map<string, { readonly id: string }>;
  readonly mandates: Map<string, Mandate>;
  readonly owed: Owed[];
  /** The methods whose open payments can be canceled. */
  readonly cancelable: Set<string>;
  /** The ends of the next captures and refunds. All others succeed. */
  readonly nextEnds: ('failed' | 'canceled')[];
  /** True while the bank has not answered a release. */
  bankIsSlow: boolean;
  /** True if a payment that ended does not show when it was authorised. */
  hidesAuthorizedAt: boolean;
  /** True if a refused request keeps its key, as an answered one does. */
  keepsRefusals: boolean;
  /** The status of the error for a declined card token. */
  declinedAs: 400 | 422;
};

export function createWorld(now: () => Date, newId: () => string): MollieWorld {
  return {
    ...{ now, agenda: [], newId: (kind) => `${kind}_${newId()}`, pages: 'https://www.mollie.com' },
    ...{ payments: new Map(), customers: new Map(), mandates: new Map(), owed: [] },
    ...{ cancelable: new Set(['creditcard']), nextEnds: [], bankIsSlow: false },
    ...{ hidesAuthorizedAt: false, keepsRefusals: false, declinedAs: 422 },
  };
}

const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['ISK', 'JPY']);

const decimalsOf = (currency: string): number => (WITHOUT_DECIMALS.has(currency) ? 0 : 2);

/** Writes an amount as Mollie does. */
export const amountView = ({ currency, minor }: Amount): object => ({
  ...{ currency, value: (minor / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency)) },
});

/** Reads an amount of a request, whose form is checked. */
export const readAmount = (given: { readonly currency: string; readonly value: string }): Amount => ({
  currency: given.currency,
  minor: Math.round(Number(given.value) * 10 ** decimalsOf(given.currency)),
});

/** Returns the sum of the parts that stand or may still stand. */
export const sumOf = (parts: readonly Part[]): number =>
  parts
    .filter(({ status }) => status !== 'failed' && status !== 'canceled')
    .reduce((sum, { amount }) => sum + amount.minor, 0);
