import type { Connector, Recovery } from '../../src/connectors/connector.ts';
import type { Definition, Feature } from '../../src/connectors/definition.ts';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import { sandboxDefinitions } from '../../src/connectors/sandbox/definitions.ts';

// Who is in every history: three merchant accounts, and each one's payment services at three providers, one of each class.

/** A provider, by how it lets an unknown outcome be learned. */
export type Place = 'keys' | 'lookup' | 'none';

const HOUR = 3_600_000;

/** How late a request may reach a provider, and by how much the clocks of two processes may differ. */
export const LATE_MS_MAX = 600_000;
export const SKEW_MS_MAX = 1_200_000;

/** How long the provider `keys` remembers a key: longer than its connector believes, by what is late and what clocks differ. */
export const MEMORY_MS = 3 * HOUR;

const recoveries: Readonly<Record<Place, Recovery>> = {
  keys: { kind: 'keys', windowMs: MEMORY_MS - LATE_MS_MAX - SKEW_MS_MAX - 600_000 },
  // Longer than anything is on its way, a driver that stood still included.
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
  | 'sim-cards-keys'
  | 'sim-cards-none';

type Cut = {
  readonly place: Place;
  readonly lacks: readonly Feature[];
  /** The definition of the sandbox that it is made of; the acquirer when left out. */
  readonly made?: 'mock-paypal' | 'mock-gift-card';
  /** It has 3DS, and asks for this when nobody was authenticated. */
  readonly threeDS?: 'continue' | 'stop';
};

/** What each kind of service lacks of what it is made of; only who has `sync` decides later. */
const KINDS: Readonly<Record<ServiceKind, Cut>> = {
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
  'sim-cards-keys': { place: 'keys', lacks: [], made: 'mock-gift-card' },
  'sim-cards-none': { place: 'none', lacks: [], made: 'mock-gift-card' },
};

/** In the order of their positions. */
const SERVICE_KINDS = Object.keys(KINDS) as readonly ServiceKind[];

export const placeOf = (kind: ServiceKind): Place => KINDS[kind].place;

/** What a service with 3DS asks for when nobody was authenticated; null: it has no 3DS. */
export const threeDSOf = (kind: ServiceKind): 'continue' | 'stop' | null => KINDS[kind].threeDS ?? null;

export const hasGiftCards = (kind: ServiceKind): boolean => KINDS[kind].made === 'mock-gift-card';

/** Whether a service can authorise without capturing, and so hold what is to be reviewed. */
export const canHold = (kind: ServiceKind): boolean => !KINDS[kind].lacks.includes('delayed_capture');

/** The services of a merchant: all, but gift cards at one provider only, and what cannot hold a payment where some are held. */
export const kindsOf = (merchant: number): readonly ServiceKind[] =>
  SERVICE_KINDS.filter(
    (kind) =>
      (!hasGiftCards(kind) || kind === GIFT_CARDS_OF[merchant]) && (canHold(kind) || merchant === JUDGED),
  );

const GIFT_CARDS_OF: readonly ServiceKind[] = ['sim-cards-keys', 'sim-cards-none', 'sim-cards-keys'];

/** Which services accept a currency: the payment goes on from one to the next. */
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
  SGD: ['sim-at-once', 'sim-lookup'],
  HKD: ['sim-at-once'],
} as const satisfies Readonly<Record<string, readonly ServiceKind[]>>;

export type Currency = keyof typeof CHAINS;
const CURRENCIES = Object.keys(CHAINS) as readonly Currency[];

/** Of payments with a card and no 3DS, of those with 3DS at some service, and of those that are approved at a page. */
export const PLAIN: readonly Currency[] = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF'];
export const WITH_3DS: readonly Currency[] = ['SEK', 'NOK', 'DKK'];
export const AT_PAGES: readonly Currency[] = ['JPY'];

/** Of judged payments that the first service cannot hold for a review. */
export const WITHOUT_HOLD: readonly Currency[] = ['SGD', 'HKD'];

export const chainOf = (currency: Currency): readonly ServiceKind[] => CHAINS[currency];

/** The currencies that a service accepts. */
export const currenciesOf = (kind: ServiceKind): readonly Currency[] =>
  CURRENCIES.filter((currency) => hasGiftCards(kind) || chainOf(currency).includes(kind));

/** Gift cards have a desk of their own at each provider. */
export const addressOf = (kind: ServiceKind): string =>
  `http://${placeOf(kind)}.${hasGiftCards(kind) ? 'gift-cards' : 'payments'}.simulation/`;

/** Whom a request to an address reaches. */
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
    approvalWindow: made === 'mock-paypal' ? given.approvalWindow : null,
    supportedFeatures: {
      ...given.supportedFeatures,
      ...Object.fromEntries(lacks.map((feature) => [feature, false])),
      three_d_secure_hosted: threeDS !== undefined,
    },
  };
}

/** The sandbox's connector, its verbs and words as they are, under the three ways of recovery. */
export const simulatedConnectors: readonly Connector[] = (['keys', 'lookup', 'none'] as const).map(
  (place) => ({
    ...sandbox,
    id: place,
    recovery: recoveries[place],
    definitions: SERVICE_KINDS.filter((kind) => placeOf(kind) === place).map(definitionOf),
  }),
);

/** After so long the connector `keys` sends nothing again. */
export const WINDOW_MS = recoveries.keys.kind === 'keys' ? recoveries.keys.windowMs : 0;

/** The second one allows to capture more than was authorised; the payments of the third are judged by a third party. */
export const MERCHANTS = [
  { id: 'sim-one', overCaptureAmount: null, overCapturePercentage: null },
  { id: 'sim-two', overCaptureAmount: 50, overCapturePercentage: 10 },
  { id: 'sim-judged', overCaptureAmount: null, overCapturePercentage: null },
] as const;

/** Number of a merchant account. */
export type Merchant = 0 | 1 | 2;

/** Whose payments are judged before anybody is asked for money. */
export const JUDGED: Merchant = 2;

/** How many minor units more than authorised a merchant may capture. */
export function allowanceOf(merchantAccountId: string, authorized: number): number {
  const merchant = MERCHANTS.find(({ id }) => id === merchantAccountId);
  const percentage = merchant?.overCapturePercentage ?? 0;
  return Math.max(merchant?.overCaptureAmount ?? 0, Math.floor((authorized * percentage) / 100));
}
