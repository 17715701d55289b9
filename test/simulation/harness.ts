import type { Connector, Recovery } from '../../src/connectors/interface/connector.ts';
import type { Definition, Feature } from '../../src/connectors/interface/definition.ts';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import { sandboxDefinitions } from '../../src/connectors/sandbox/definitions.ts';

// The parties of every history: three merchant accounts. Each has payment services at three providers, one of each
// recovery class.

/** A simulated provider, by its way to find an unknown outcome. */
type SandboxPlace = 'keys' | 'lookup' | 'none';

/** A provider of a real kind, whose own connector calls the double of the provider. */
export const REAL_PLACES = ['stripe', 'adyen', 'paypal', 'mollie', 'checkout', 'braintree'] as const;
export type RealPlace = (typeof REAL_PLACES)[number];

/** The providers whose webhooks only name a payment. */
export const ONLY_NAMING: ReadonlySet<string> = new Set<RealPlace>(['mollie', 'braintree']);

export type Place = SandboxPlace | RealPlace;

export const isReal = (place: Place): place is RealPlace => REAL_PLACES.some((one) => one === place);

/** The beginning of simulated time. The cards in the histories are valid long after. */
export const BEGIN_MS = Date.UTC(2030, 0, 1);

const HOUR = 3_600_000;

/** The longest delay of a request to a provider, and the largest difference between the clocks of two processes. */
export const LATE_MS_MAX = 600_000;
export const SKEW_MS_MAX = 1_200_000;

/**
 * The provider `keys` remembers a key for longer than its connector assumes. The margin covers late requests and
 * clock differences.
 */
export const MEMORY_MS = 3 * HOUR;

const recoveries: Readonly<Record<SandboxPlace, Recovery>> = {
  keys: { kind: 'keys', windowMs: MEMORY_MS - LATE_MS_MAX - SKEW_MS_MAX - 600_000 },
  // Longer than any request is under way, including a stopped driver.
  lookup: { kind: 'lookup', quiescenceMs: HOUR },
  none: { kind: 'none' },
};

export type ServiceKind =
  | 'sim-at-once'
  | 'sim-keys'
  | 'sim-lookup'
  | 'sim-none'
  | 'sim-plain'
  | 'sim-secure'
  | 'sim-strict'
  | 'sim-last'
  | 'sim-page'
  | 'sim-page-lookup'
  | 'sim-away'
  | 'sim-away-lookup'
  | 'sim-received'
  | 'sim-compares'
  | 'sim-bank'
  | 'sim-bank-lookup'
  | 'sim-push'
  | 'sim-push-lookup'
  | 'sim-client'
  | 'sim-client-lookup'
  | 'sim-cards-keys'
  | 'sim-cards-none'
  | 'real-stripe'
  | 'real-adyen'
  | 'real-paypal'
  | 'real-mollie'
  | 'real-checkout'
  | 'real-braintree';

type Cut = {
  readonly place: Place;
  readonly lacks: readonly Feature[];
  /** The definition of the sandbox behind the service. The default is the acquirer. */
  readonly made?:
    | 'mock-paypal'
    | 'mock-redirect'
    | 'mock-gift-card'
    | 'mock-bank'
    | 'mock-push'
    | 'mock-wallet';
  /** The provider answers every follow-up with "received". Only a webhook tells the outcome. */
  readonly receivesOnly?: true;
  /**
   * The provider compares the parameters of a repeat, and repeats its own 500. It also takes some payments for a
   * duplicate.
   */
  readonly compares?: true;
  /** The service has 3DS, with this fallback for a buyer without authentication. */
  readonly threeDS?: 'continue' | 'stop';
};

/** The missing features of each kind of service. Only a service with `sync` decides later. */
const KINDS: Readonly<Record<ServiceKind, Cut>> = {
  'real-stripe': { place: 'stripe', lacks: [] },
  'real-adyen': { place: 'adyen', lacks: [], receivesOnly: true },
  'real-paypal': { place: 'paypal', lacks: [] },
  'real-mollie': { place: 'mollie', lacks: [], receivesOnly: true },
  'real-checkout': { place: 'checkout', lacks: [], receivesOnly: true },
  'real-braintree': { place: 'braintree', lacks: [] },
  'sim-received': { place: 'keys', lacks: [], receivesOnly: true },
  'sim-compares': { place: 'keys', lacks: [], compares: true },
  'sim-at-once': { place: 'keys', lacks: ['sync', 'delayed_capture'] },
  'sim-keys': { place: 'keys', lacks: [] },
  'sim-lookup': { place: 'lookup', lacks: [] },
  'sim-none': { place: 'none', lacks: ['sync'] },
  'sim-plain': { place: 'keys', lacks: ['sync', 'cancel', 'multiple_captures', 'partial_refunds'] },
  'sim-secure': { place: 'keys', lacks: [], threeDS: 'continue' },
  'sim-strict': { place: 'lookup', lacks: [], threeDS: 'stop' },
  'sim-last': { place: 'none', lacks: ['sync'] },
  'sim-page': { place: 'keys', lacks: [], made: 'mock-paypal' },
  'sim-page-lookup': { place: 'lookup', lacks: [], made: 'mock-paypal' },
  'sim-away': { place: 'keys', lacks: [], made: 'mock-redirect' },
  'sim-away-lookup': { place: 'lookup', lacks: [], made: 'mock-redirect' },
  'sim-bank': { place: 'keys', lacks: [], made: 'mock-bank' },
  'sim-bank-lookup': { place: 'lookup', lacks: [], made: 'mock-bank' },
  'sim-push': { place: 'keys', lacks: [], made: 'mock-push' },
  'sim-push-lookup': { place: 'lookup', lacks: [], made: 'mock-push' },
  'sim-client': { place: 'keys', lacks: [], made: 'mock-wallet' },
  'sim-client-lookup': { place: 'lookup', lacks: [], made: 'mock-wallet' },
  'sim-cards-keys': { place: 'keys', lacks: [], made: 'mock-gift-card' },
  'sim-cards-none': { place: 'none', lacks: [], made: 'mock-gift-card' },
};

/** The kinds in the order of their positions. */
const SERVICE_KINDS = Object.keys(KINDS) as readonly ServiceKind[];

export const placeOf = (kind: ServiceKind): Place => KINDS[kind].place;

/** Returns the fallback of a service with 3DS, or null for a service without 3DS. */
export const threeDSOf = (kind: ServiceKind): 'continue' | 'stop' | null => KINDS[kind].threeDS ?? null;

export const hasGiftCards = (kind: ServiceKind): boolean => KINDS[kind].made === 'mock-gift-card';

/** Tells whether a service can authorise without a capture, and so hold a payment for a review. */
export const canHold = (kind: ServiceKind): boolean => !KINDS[kind].lacks.includes('delayed_capture');

/** Tells whether the provider at an address answers every follow-up with "received" only. */
export const isReceivedOnly = (address: string): boolean => cutAt(address)?.receivesOnly === true;

/** Tells whether the provider at an address compares the parameters of a repeat. */
export const comparesRepeats = (address: string): boolean => cutAt(address)?.compares === true;

const cutAt = (address: string): Cut | undefined =>
  KINDS[new URL(address).pathname.split('/').at(-1) as ServiceKind];

/** The services that debit bank accounts. Each payment names one of them. */
export const BANKS: readonly ServiceKind[] = ['sim-bank', 'sim-bank-lookup'];

/**
 * Lists the services of a merchant. Only one provider has gift cards. A merchant with reviews also has a service that
 * cannot hold a payment.
 */
export const kindsOf = (merchant: number): readonly ServiceKind[] =>
  SERVICE_KINDS.filter(
    (kind) =>
      (!hasGiftCards(kind) || kind === GIFT_CARDS_OF[merchant]) &&
      (canHold(kind) || merchant === JUDGED) &&
      !(isReal(placeOf(kind)) && merchant === JUDGED),
  );

const GIFT_CARDS_OF: readonly ServiceKind[] = ['sim-cards-keys', 'sim-cards-none', 'sim-cards-keys'];

/** The services that accept a currency, in routing order. */
export const CHAINS = {
  USD: ['sim-keys', 'sim-lookup'],
  EUR: ['sim-lookup', 'sim-none'],
  GBP: ['sim-none', 'sim-plain'],
  CAD: ['sim-keys', 'sim-plain'],
  AUD: ['sim-keys', 'sim-lookup', 'sim-none'],
  CHF: ['sim-plain'],
  SEK: ['sim-secure', 'sim-strict'],
  NOK: ['sim-plain', 'sim-secure'],
  DKK: ['sim-strict', 'sim-last'],
  JPY: ['sim-page', 'sim-page-lookup'],
  THB: ['sim-received', 'sim-keys'],
  NZD: ['sim-compares', 'sim-lookup'],
  MXN: ['sim-push', 'sim-push-lookup'],
  BRL: ['sim-client', 'sim-client-lookup'],
  PLN: ['sim-away', 'sim-away-lookup'],
  SGD: ['sim-at-once', 'sim-lookup'],
  HKD: ['sim-at-once'],
  ZAR: ['real-stripe', 'sim-keys'],
  ILS: ['real-adyen', 'sim-keys'],
  CZK: ['real-paypal', 'sim-page'],
  HUF: ['real-paypal', 'sim-page'],
  RON: ['real-mollie'],
  TWD: ['real-checkout', 'sim-keys'],
  PHP: ['real-braintree', 'sim-keys'],
} as const satisfies Readonly<Record<string, readonly ServiceKind[]>>;

export type Currency = keyof typeof CHAINS;
const CURRENCIES = Object.keys(CHAINS) as readonly Currency[];

/**
 * Currencies of card payments without 3DS, and of payments with 3DS at some service. Others are of payments with an
 * approval page of ours, or with a page of the provider.
 */
export const PLAIN: readonly Currency[] = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF'];
export const WITH_3DS: readonly Currency[] = ['SEK', 'NOK', 'DKK'];
export const AT_PAGES: readonly Currency[] = ['JPY'];
export const AWAY: readonly Currency[] = ['PLN'];

/** Currencies whose first service cannot hold a payment for a review. */
export const WITHOUT_HOLD: readonly Currency[] = ['SGD', 'HKD'];

export const chainOf = (currency: Currency): readonly ServiceKind[] => CHAINS[currency];

/** Lists the services of a currency that accept an intent, by position. Some cannot capture later. */
export const acceptingOf = (currency: Currency, intent: 'authorize' | 'capture'): readonly ServiceKind[] =>
  chainOf(currency).filter((kind) => intent === 'capture' || !KINDS[kind].lacks.includes('delayed_capture'));

/** Lists the accepted currencies of a service. */
export const currenciesOf = (kind: ServiceKind): readonly Currency[] =>
  BANKS.includes(kind)
    ? ['USD']
    : CURRENCIES.filter((currency) => hasGiftCards(kind) || chainOf(currency).includes(kind));

/** Returns the address of a service. Gift cards have a separate address at each provider. */
export const addressOf = (kind: ServiceKind): string =>
  `http://${placeOf(kind)}.${hasGiftCards(kind) ? 'gift-cards' : 'payments'}.simulation/`;

/** Finds the receiver of requests to an address. */
export function deskAt(url: string): { readonly place: Place; readonly isOfGiftCards: boolean } {
  const [place, desk] = new URL(url).hostname.split('.');
  return { place: place as Place, isOfGiftCards: desk === 'gift-cards' };
}

function definitionOf(id: ServiceKind): Definition {
  const { lacks, made = 'mock-acquirer', threeDS } = KINDS[id];
  const given = sandboxDefinitions.find((one) => one.id === made) as Definition;
  return {
    ...given,
    id,
    displayName: id,
    // A history ends before the long waits of some methods would.
    approvalWindow:
      hasPages(made) && given.approvalWindow ? { ...given.approvalWindow, defaultMs: HOUR } : null,
    decisionWindowMs: 24 * HOUR,
    supportedFeatures: {
      ...given.supportedFeatures,
      ...Object.fromEntries(lacks.map((feature) => [feature, false])),
      three_d_secure_hosted: threeDS !== undefined,
    },
  };
}

const hasPages = (made: string): boolean => /paypal|redirect|push|wallet/.test(made);

/** The sandbox's connector with its verbs, under the three ways of recovery. */
export const simulatedConnectors: readonly Connector[] = (['keys', 'lookup', 'none'] as const).map(
  (place) => ({
    ...sandbox,
    id: place,
    recovery: recoveries[place],
    definitions: SERVICE_KINDS.filter((kind) => placeOf(kind) === place).map(definitionOf),
  }),
);

/** After this time a connector repeats no request. */
export const WINDOWS_MS: Readonly<Partial<Record<Place, number>>> = {
  keys: recoveries.keys.kind === 'keys' ? recoveries.keys.windowMs : 0,
  stripe: 23 * HOUR,
  paypal: 5 * HOUR,
  mollie: HOUR,
};

/** A stored buyer of each merchant. */
export const BUYER_ID = '00000000-0000-7000-8000-0000000000b1';

/** The second merchant allows over-captures, and accepts late approvals. The payments of the third have anti-fraud checks. */
export const MERCHANTS = [
  { id: 'sim-one', overCaptureAmount: null, overCapturePercentage: null, lateAuthorizations: 'release' },
  { id: 'sim-two', overCaptureAmount: 50, overCapturePercentage: 10, lateAuthorizations: 'accept' },
  { id: 'sim-judged', overCaptureAmount: null, overCapturePercentage: null, lateAuthorizations: 'release' },
] as const;

/** The number of a merchant account. */
export type Merchant = 0 | 1 | 2;

/** The merchant with anti-fraud checks before every payment. */
export const JUDGED: Merchant = 2;

/** Returns how many minor units above the authorised amount a merchant may capture. */
export function allowanceOf(merchantAccountId: string, authorized: number): number {
  const merchant = MERCHANTS.find(({ id }) => id === merchantAccountId);
  const percentage = merchant?.overCapturePercentage ?? 0;
  return Math.max(merchant?.overCaptureAmount ?? 0, Math.floor((authorized * percentage) / 100));
}
