import type { Currency } from './house.ts';
import { readFailpoints } from './failpoints.ts';

/** What the provider is asked for. */
export const VERBS = ['authorize', 'capture', 'refund', 'void', 'cancel'] as const;
export type Verb = (typeof VERBS)[number];

/** Every named point of the transactions module. */
export const FAILPOINTS = await readFailpoints();

const sides = (...statements: readonly string[]): readonly string[] =>
  statements.flatMap((statement) => [`before ${statement}`, `after ${statement}`]);

/**
 * Places at which some process of a history is sure to die when it comes there: each failpoint, the two sides of each
 * commit, and each call of the provider. Any other place is met by chance.
 */
export const CRASH_PLACES: readonly string[] = [
  ...FAILPOINTS.map((name) => `at ${name}`),
  ...VERBS.flatMap((verb) => [
    ...sides(`claim_${verb}`, `settle_${verb}_succeeded`, `accept_${verb}`),
    `at call.${verb}`,
  ]),
  ...sides('settle_authorize_declined', 'settle_authorize_failed', 'settle_capture_declined'),
  ...sides('reroute_authorization', 'release_operation', 'claim_due_operations', 'hasten_operations'),
  ...sides('note_operation_sent', 'claim_pending_operations', 'note_history', 'claim_resolution'),
  'at call.status',
  'at relay.moved',
  ...sides('COMMIT'),
];

/** How code comes to a place. */
export type Way =
  | 'straight'
  | 'refused'
  | 'accepted'
  | 'asked'
  | 'again'
  | 'reroute'
  | 'sync'
  | 'hand'
  | 'relay'
  | 'overtaken'
  | 'stale';

/** A place to die at, and what must happen so that somebody comes there. */
export type Aim = {
  /** Null: nobody dies on purpose. */
  readonly place: string | null;
  readonly verb: Verb;
  readonly way: Way;
  /** Currencies whose first service can do it. */
  readonly currencies: readonly Currency[];
};

const WAYS: readonly (readonly [RegExp, Way])[] = [
  [/\.accept|accept_/, 'accepted'],
  [/\.look|call\.status/, 'asked'],
  [/\.resen|note_operation_sent|claim_due|release_|hasten/, 'again'],
  [/rerout/, 'reroute'],
  [/claim_pending|note_history/, 'sync'],
  [/claim_resolution/, 'hand'],
  [/relay|COMMIT/, 'relay'],
  [/declined|failed/, 'refused'],
];

const CURRENCIES_OF: Readonly<Record<Way, readonly Currency[]>> = {
  straight: ['USD', 'EUR'],
  refused: ['CHF'],
  accepted: ['USD', 'EUR'],
  asked: ['EUR'],
  again: ['USD', 'CAD', 'EUR'],
  reroute: ['USD', 'CAD', 'AUD', 'EUR'],
  sync: ['USD', 'EUR'],
  hand: ['GBP'],
  relay: ['USD', 'CAD'],
  overtaken: ['USD', 'EUR', 'AUD'],
  stale: ['USD', 'EUR', 'GBP'],
};

/** A cancel that is asked for while the payment is on its way from one service to the next. */
const OVERTAKEN: Aim = {
  place: null,
  verb: 'cancel',
  way: 'overtaken',
  currencies: CURRENCIES_OF.overtaken,
};

/** Drivers who stand still before they call the provider, while others take up what they have begun. */
const STALE: readonly Aim[] = VERBS.map((verb) => ({
  place: null,
  verb,
  way: 'stale',
  currencies: CURRENCIES_OF.stale,
}));

/** What comes together only on purpose. */
export const MEETINGS: readonly Aim[] = [...STALE.map(() => OVERTAKEN), ...STALE];

/** What a place calls for. */
export function aimAt(place: string): Aim {
  const way = WAYS.find(([names]) => names.test(place))?.[1] ?? 'straight';
  const verb = VERBS.find((one) => place.includes(one)) ?? 'authorize';
  // Not every service can cancel.
  const currencies = CURRENCIES_OF[way].filter((currency) => verb !== 'cancel' || currency !== 'CAD');
  return { place, verb, way, currencies };
}
