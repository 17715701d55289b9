import type { Connector, Definition, Feature, Recovery } from '../../src/connectors/connector.ts';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import { sandboxDefinitions } from '../../src/connectors/sandbox/definitions.ts';

// Who is in every history: two merchant accounts, and each one's payment services at three providers, one of each class.

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

export type ServiceKind = 'sim-keys' | 'sim-lookup' | 'sim-none' | 'sim-plain';

type Cut = { readonly place: Place; readonly lacks: readonly Feature[] };

/** What each kind of service lacks of what the sandbox's acquirer can do; only who has `sync` decides later. */
const KINDS: Readonly<Record<ServiceKind, Cut>> = {
  'sim-keys': { place: 'keys', lacks: [] },
  'sim-lookup': { place: 'lookup', lacks: [] },
  'sim-none': { place: 'none', lacks: ['sync'] },
  'sim-plain': { place: 'keys', lacks: ['sync', 'cancel', 'multiple_captures', 'partial_refunds'] },
};

/** In the order of their positions. */
export const SERVICE_KINDS = Object.keys(KINDS) as readonly ServiceKind[];

export const placeOf = (kind: ServiceKind): Place => KINDS[kind].place;
export const hasFeature = (kind: ServiceKind, feature: Feature): boolean =>
  !KINDS[kind].lacks.includes(feature);

/** Which services accept a currency: the payment goes on from one to the next. */
export const CHAINS = {
  USD: ['sim-keys', 'sim-lookup'],
  EUR: ['sim-lookup', 'sim-none'],
  GBP: ['sim-none', 'sim-plain'],
  CAD: ['sim-keys', 'sim-plain'],
  AUD: ['sim-keys', 'sim-lookup', 'sim-none'],
  CHF: ['sim-plain'],
} as const satisfies Readonly<Record<string, readonly ServiceKind[]>>;

export type Currency = keyof typeof CHAINS;
export const CURRENCIES = Object.keys(CHAINS) as readonly Currency[];

export const chainOf = (currency: Currency): readonly ServiceKind[] => CHAINS[currency];

export const addressOf = (place: Place): string => `http://${place}.simulation/`;
export const placeAt = (url: string): Place => new URL(url).hostname.split('.')[0] as Place;

const acquirer = sandboxDefinitions.find(({ id }) => id === 'mock-acquirer') as Definition;

const definitionOf = (id: ServiceKind): Definition => ({
  ...acquirer,
  id,
  displayName: id,
  approvalWindow: null,
  supportedFeatures: {
    ...acquirer.supportedFeatures,
    ...Object.fromEntries(KINDS[id].lacks.map((feature) => [feature, false])),
  },
});

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

/** The second one allows to capture more than was authorised. */
export const MERCHANTS = [
  { id: 'sim-one', overCaptureAmount: null, overCapturePercentage: null },
  { id: 'sim-two', overCaptureAmount: 50, overCapturePercentage: 10 },
] as const;

/** Number of a merchant account. */
export type Merchant = 0 | 1;

/** How many minor units more than authorised a merchant may capture. */
export function allowanceOf(merchantAccountId: string, authorized: number): number {
  const merchant = MERCHANTS.find(({ id }) => id === merchantAccountId);
  const percentage = merchant?.overCapturePercentage ?? 0;
  return Math.max(merchant?.overCaptureAmount ?? 0, Math.floor((authorized * percentage) / 100));
}
