import type { AmountDetails } from './amount-details.ts';
import { checkMetadata } from './limits.ts';
import type Stripe from 'stripe';
import type { Timed } from '../kit/agenda.ts';
import type { Gate } from './gated.ts';
import type { CardBehaviour, DebitBehaviour } from './test-methods.ts';

/** The API version of the double, which every request has to name. */
export const API_VERSION = '2026-10-28.endive';

/** A payment method with the documented behaviour of its card or account. */
export type Method = {
  readonly wire: Stripe.PaymentMethod;
  readonly card: CardBehaviour;
  readonly account: DebitBehaviour;
  /** True for a network token, which pays with a cryptogram unless the merchant pays without the buyer. */
  readonly isNetworkToken: boolean;
  /** True once a payment without a customer used the method, or the customer was detached. */
  isSpent: boolean;
  /** True once the buyer agreed to payments without the buyer. */
  isSetUp: boolean;
};

/** A capture or an increment, with the idempotency key of its request. */
export type Step = { readonly key: string | null; readonly amount: number };

/** A payment intent, with facts that Stripe does not show. */
export type Payment = {
  readonly wire: Stripe.PaymentIntent;
  /** The idempotency key of the creation. */
  readonly key: string | null;
  readonly captures: Step[];
  /** The raised parts of the authorised amount. */
  readonly increments: Step[];
  /** The amount that the issuer authorised, 0 before. */
  authorized: number;
  method: Method | null;
  readonly details: AmountDetails | null;
  returnUrl: string | null;
  declinesActions: boolean;
  isOffSession: boolean;
  isMoto: boolean;
  /** The scheme's id of an earlier payment, as the request gave it. */
  earlierId: string | null;
  /** True if the request had a cryptogram for its network token. */
  hasCryptogram: boolean;
  wantsMulticapture: boolean;
  wantsIncrements: boolean;
  wantsThreeDSecure: boolean;
  authentication: Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure | null;
  mandate: string | null;
};

export type Setup = {
  readonly wire: Stripe.SetupIntent;
  method: Method | null;
  returnUrl: string | null;
};

export type StripeWorld = Timed & {
  readonly newId: (prefix: string) => string;
  /** The start of the addresses of the pages for buyers. */
  pages: string;
  readonly settings: {
    readonly takesRawCards: boolean;
    readonly gates: readonly Gate[];
    readonly hasMulticapture: boolean;
    readonly searchLagMs: number;
    readonly accountId: string;
  };
  readonly payments: Map<string, Payment>;
  readonly charges: Map<string, Stripe.Charge>;
  readonly methods: Map<string, Method>;
  readonly customers: Map<string, Stripe.Customer>;
  readonly refunds: Map<string, Stripe.Refund>;
  readonly disputes: Map<string, Stripe.Dispute>;
  readonly entries: Map<string, Stripe.BalanceTransaction>;
  /** The payout of each entry that was paid out. */
  readonly paidOut: Map<string, string>;
  readonly payouts: Map<string, Stripe.Payout>;
  readonly setups: Map<string, Setup>;
  readonly mandates: Map<string, Stripe.Mandate>;
  readonly files: Map<string, Stripe.File>;
  readonly events: Map<string, StripeEvent>;
  /** The events that are not sent yet. */
  readonly owed: StripeEvent[];
  /** The request that is worked on. Null while time passes. */
  request: { readonly id: string; readonly idempotency_key: string | null } | null;
  /** The connected account of the last request. Null for the platform's own. */
  account: string | null;
};

/** An event as Stripe sends it. */
export type StripeEvent = {
  readonly id: string;
  readonly object: 'event';
  /** The connected account for which a platform acted. Absent for the endpoint's own account. */
  readonly account?: string;
  readonly api_version: string;
  readonly created: number;
  readonly data: { readonly object: object; readonly previous_attributes?: object };
  readonly livemode: boolean;
  readonly pending_webhooks: number;
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
  readonly type: string;
};

export function createWorld(
  given: Pick<StripeWorld, 'now' | 'settings'> & { readonly newId: () => string },
): StripeWorld {
  return {
    ...{ now: given.now, settings: given.settings, pages: 'https://hooks.stripe.com' },
    newId: (prefix) => `${prefix}_${given.newId()}`,
    ...{ payments: new Map(), charges: new Map(), methods: new Map(), customers: new Map() },
    ...{ refunds: new Map(), disputes: new Map(), entries: new Map(), paidOut: new Map() },
    ...{ payouts: new Map(), setups: new Map(), mandates: new Map(), files: new Map() },
    ...{ events: new Map(), owed: [], request: null, account: null, agenda: [] },
  };
}

/** Returns the time in unix seconds. */
export const seconds = ({ now }: StripeWorld): number => Math.floor(now().getTime() / 1000);

/** Emits an event with the object as it is now, and with the values before of the fields that changed. */
export function emit(world: StripeWorld, type: string, object: object, previous?: object): void {
  const event: StripeEvent = {
    ...{ id: world.newId('evt'), object: 'event', api_version: API_VERSION, created: seconds(world) },
    data: { object: structuredClone(object), ...(previous && { previous_attributes: previous }) },
    ...{ livemode: false, pending_webhooks: 1 },
    request: world.request ?? { id: null, idempotency_key: null },
    ...(world.account !== null && { account: world.account }),
    type,
  };
  world.events.set(event.id, event);
  world.owed.push(event);
}

/** Returns the charge of a payment, or null before the first attempt. */
export const chargeOf = (world: StripeWorld, { wire }: Payment): Stripe.Charge | null =>
  (typeof wire.latest_charge === 'string' ? world.charges.get(wire.latest_charge) : null) ?? null;

/** Returns an object's metadata with changes. An empty value removes its key. */
export function withMetadata(
  known: Stripe.Metadata,
  given: Readonly<Record<string, string>> | '' | null,
): Stripe.Metadata {
  if (given === '') return {};
  const joined = Object.fromEntries(
    Object.entries({ ...known, ...given }).filter(([, value]) => value !== ''),
  );
  checkMetadata(joined);
  return joined;
}

/** The smallest amounts that Stripe charges, in minor units. Other currencies have 1 here. */
export const AMOUNT_MIN: Readonly<Record<string, number>> = {
  ...{ usd: 50, eur: 50, gbp: 30, jpy: 50, aud: 50, cad: 50, chf: 50, nzd: 50, sgd: 50, brl: 50, inr: 50 },
  ...{ dkk: 250, nok: 300, sek: 300, hkd: 400, huf: 17_500, pln: 200, czk: 1_500, mxn: 1_000 },
  ...{ aed: 200, myr: 200, ron: 200, thb: 1_000 },
};
