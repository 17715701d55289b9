import type { Create } from './acts.ts';
import { NEWS_FAILPOINTS, sides } from './aims.ts';
import { BANKS, type Currency, type RealPlace } from './harness.ts';
import { createRandom, type Random } from './random.ts';

/** The way of payment in a history whose providers send webhooks. */
export type Means = 'any' | 'received' | 'compares' | 'bank' | 'push' | 'client' | RealPlace;

/** A history whose providers report their decisions by webhook. */
export type News = {
  readonly means: Means;
  /** The probability that a decision is reported. */
  readonly report: number;
  /** True if the providers also take successes back. */
  readonly takesBack: boolean;
  /** True if buyers dispute their payments. */
  readonly disputes: boolean;
  /** The place at which the first process to arrive dies. Null means no planned death. */
  readonly place: string | null;
  /** True if only a dispute or a success taken back leads to the place. The payment before it then goes through. */
  readonly isLater: boolean;
};

const OF_DISPUTES = /dispute|evidence/;
const OF_TAKE_BACKS = /tak(en|ing)_back/;
const OF_LATER = /dispute|evidence|tak(en|ing)_back/;
const OF_CLIENTS = /session|complet/;

/** Places beside the failpoints: both sides of each commit of a webhook, a session and a response to a dispute. */
const PLACES: readonly string[] = [
  ...NEWS_FAILPOINTS.map((name) => `at ${name}`),
  ...sides('insert_inbound_webhook', 'park_inbound_webhook', 'claim_inbound_webhooks', 'end_inbound_webhook'),
  ...sides('session_store', 'session_complete', 'claim_dispute_responses'),
  ...['at call.session', 'at call.submit_evidence', 'at call.accept_dispute'],
];

/** Chooses the histories with such providers, by randomness of their own. */
export function newsAt(seed: number, index: number): News | null {
  const random = createRandom(seed, index, 7);
  if (!random.chance(0.25)) return null;
  const special = random.pick(['take backs', 'disputes', 'disputes', null] as const);
  const place = random.chance(0.6) ? random.pick(PLACES) : null;
  const means = random.weighted([
    [4, 'any'],
    [2, 'received'],
    [2, 'compares'],
    [2, 'bank'],
    [2, 'push'],
    [2, 'client'],
  ] as const);
  const isLater = place !== null && OF_LATER.test(place);
  return {
    ...specialAt(place, special),
    ...{ place, isLater },
    means:
      isLater && random.chance(0.8) ? 'any' : place !== null && OF_CLIENTS.test(place) ? 'client' : means,
    report: random.pick([0.4, 1]),
  };
}

/** Chooses what follows the payments, so that some process reaches the place. */
function specialAt(place: string | null, drawn: 'take backs' | 'disputes' | null) {
  const special =
    place === null
      ? drawn
      : OF_DISPUTES.test(place)
        ? 'disputes'
        : OF_TAKE_BACKS.test(place)
          ? 'take backs'
          : drawn;
  return { takesBack: special === 'take backs', disputes: special === 'disputes' };
}

const CURRENCIES: Readonly<Record<'received' | 'compares' | 'push' | 'client' | RealPlace, Currency>> = {
  received: 'THB',
  compares: 'NZD',
  push: 'MXN',
  client: 'BRL',
  stripe: 'ZAR',
  adyen: 'ILS',
  paypal: 'CZK',
  mollie: 'RON',
  checkout: 'TWD',
  braintree: 'PHP',
};

/** The probability that the issuer of a card at a real provider declines. */
const DECLINED = 0.12;

/** The part of a payment that its means determine. Empty when any means will do. */
export function payBy(
  random: Random,
  means: Means,
): Partial<
  Pick<
    Create,
    | 'currency'
    | 'method'
    | 'intent'
    | 'amount'
    | 'requested'
    | 'giftCards'
    | 'threeDS'
    | 'card'
    | 'expiresAtMs'
  >
> {
  const alone = { giftCards: null, threeDS: null } as const;
  switch (means) {
    case 'any':
      return {};
    case 'received':
    case 'compares':
      return { ...alone, method: 'card', requested: null, currency: CURRENCIES[means] };
    case 'bank':
      // The contract asks for a payment service of a bank payment. Nothing is authorised before the debit.
      return {
        ...{ ...alone, method: 'bank', intent: 'capture', currency: 'USD' },
        requested: random.int(0, BANKS.length - 1),
      };
    case 'push':
      return { ...alone, method: means, intent: 'capture', requested: null, currency: CURRENCIES[means] };
    case 'stripe':
    case 'adyen':
    case 'checkout':
    case 'braintree':
      return {
        ...{ ...alone, method: 'card', requested: null, currency: CURRENCIES[means] },
        amount: random.pick([100, 1_000, 1_299]),
        card: random.chance(DECLINED) ? 'declined' : 'approved',
      };
    case 'paypal':
      return {
        ...{ ...alone, method: 'paypal', requested: null },
        // PayPal has no decimals of a forint, and ISO 4217 has two.
        currency: random.chance(0.25) ? 'HUF' : CURRENCIES[means],
        amount: random.pick([100, 1_000, 1_299]),
        expiresAtMs: random.pick([null, null, null, 1_200_000]),
      };
    case 'mollie':
      return {
        ...{ ...alone, method: 'card-page', requested: null, currency: CURRENCIES[means] },
        amount: random.pick([100, 1_000, 1_299]),
        expiresAtMs: random.pick([null, null, null, 1_200_000]),
      };
    case 'client':
      return { ...alone, method: means, requested: null, currency: CURRENCIES[means] };
  }
}
