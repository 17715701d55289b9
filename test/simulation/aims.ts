import { AT_PAGES, PLAIN, WITH_3DS, type Currency } from './house.ts';
import { readFailpoints } from './failpoints.ts';

/** What the provider is asked for. */
export const VERBS = ['authorize', 'capture', 'refund', 'void', 'cancel'] as const;
export type Verb = (typeof VERBS)[number];

/** And the provider of gift cards. */
export const GIFT_CARD_VERBS = ['unredeem', 'redeem'] as const;
export type AnyVerb = Verb | (typeof GIFT_CARD_VERBS)[number];

/** Every named point of the transactions module and of the checks of payments. */
export const FAILPOINTS = await readFailpoints();

const OF_FRAUD = /^(anti-fraud|anti_fraud_check|inbound-review)\./;

/** Those that only payments come to that are judged. */
export const FRAUD_FAILPOINTS = FAILPOINTS.filter((name) => OF_FRAUD.test(name));

export const sides = (...statements: readonly string[]): readonly string[] =>
  statements.flatMap((statement) => [`before ${statement}`, `after ${statement}`]);

/**
 * Places at which some process of a history is sure to die when it comes there: each failpoint, the two sides of each
 * commit, and each call of the provider. Any other place is met by chance; those of judged payments are in aims-of-fraud.ts.
 */
export const CRASH_PLACES: readonly string[] = [
  ...FAILPOINTS.filter((name) => !OF_FRAUD.test(name)).map((name) => `at ${name}`),
  ...VERBS.flatMap((verb) => [
    ...sides(`claim_${verb}`, `settle_${verb}_succeeded`, `accept_${verb}`),
    `at call.${verb}`,
  ]),
  ...sides('settle_authorize_declined', 'settle_authorize_failed', 'settle_capture_declined'),
  ...sides('reroute_authorization', 'release_operation', 'claim_due_operations', 'retry_operations_now'),
  ...sides('mark_operation_sent', 'claim_pending_operations', 'record_history', 'claim_resolution'),
  'at call.status',
  ...sides(
    'claim_authorize_authenticated',
    'claim_authorize_gift_cards',
    'reroute_authorization_authenticated',
  ),
  ...sides('conclude_challenge', 'approval_decide', 'approval_expire'),
  ...sides(
    'claim_redeem',
    'settle_redeem_declined',
    'settle_redeem_failed',
    'claim_reversals',
    'claim_refunds',
  ),
  ...sides('transaction'),
  'at call.redeem',
  'at call.unredeem',
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
  | 'late'
  | 'stale'
  | 'taken on';

/** What is special about the payments of a history. */
export type Theme = 'plain' | '3ds' | 'refused by 3ds' | 'challenge' | 'page' | 'gift cards';

/** A place to die at, and what must happen so that somebody comes there. */
export type Aim = {
  /** Null: nobody dies on purpose. */
  readonly place: string | null;
  readonly verb: AnyVerb;
  readonly way: Way;
  readonly theme: Theme;
  /** Currencies whose first service can do it. */
  readonly currencies: readonly Currency[];
};

const WAYS: readonly (readonly [RegExp, Way])[] = [
  [/\.accept|accept_/, 'accepted'],
  [/\.look|call\.status/, 'asked'],
  [/\.resen|mark_operation_sent|claim_due|release_|retry_/, 'again'],
  [/rerout/, 'reroute'],
  [/claim_pending|record_history/, 'sync'],
  [/claim_resolution/, 'hand'],
  [/relay|COMMIT/, 'relay'],
  [/declined|failed|gift-cards\.refused/, 'refused'],
];

const THEMES: readonly (readonly [RegExp, Theme])[] = [
  [/redeem|gift|reversals|refunds|transaction$/, 'gift cards'],
  [/authentication\.refused/, 'refused by 3ds'],
  [/reroute_authorization_authenticated/, '3ds'],
  [/authentication|challenge|authenticated/, 'challenge'],
  [/approval/, 'page'],
];

/** Of the first service in each chain there is one with 3DS. */
const AT_ONCE: readonly Currency[] = ['SEK', 'DKK'];

const currenciesIn = (theme: Theme, way: Way, verb: AnyVerb): readonly Currency[] => {
  if (theme === 'page') return AT_PAGES;
  if (theme === '3ds') return way === 'reroute' ? ['NOK'] : WITH_3DS;
  if (theme === 'challenge' || theme === 'refused by 3ds') return AT_ONCE;
  // Who is alone in the chain is not followed by another one.
  if (verb === 'unredeem' || verb === 'redeem') return ['CHF'];
  // Not every service can cancel.
  return CURRENCIES_OF[way].filter((currency) => verb !== 'cancel' || currency !== 'CAD');
};

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
  late: ['USD', 'EUR'],
  stale: ['USD', 'EUR', 'GBP'],
  'taken on': ['USD', 'EUR', 'GBP'],
};

/** A cancel that is asked for while the payment is on its way from one service to the next. */
const OVERTAKEN: Aim = {
  place: null,
  verb: 'cancel',
  way: 'overtaken',
  theme: 'plain',
  currencies: CURRENCIES_OF.overtaken,
};

/** Drivers who stand still before they call the provider, while others take up what they have begun. */
const STALE: readonly Aim[] = VERBS.map((verb) => ({
  place: null,
  verb,
  way: 'stale',
  theme: 'plain',
  currencies: CURRENCIES_OF.stale,
}));

/** The same, and what they have begun is taken on with another one. */
export const TAKEN_ON: readonly Aim[] = STALE.map((aim) => ({ ...aim, way: 'taken on' }));

/** A buyer who says something at the page as its time ends, or while the payment is being cancelled. */
const LATE_WORDS: readonly Aim[] = (['page', 'challenge'] as const).flatMap((theme) =>
  (['authorize', 'cancel'] as const).map((verb) => ({
    ...{ place: null, verb, way: 'late', theme },
    currencies: currenciesIn(theme, 'late', verb),
  })),
);

/** What ends while gift cards are redeemed, or are given back. */
const GIFT_CARDS: readonly Aim[] = (['redeem', 'unredeem', 'cancel', 'void', 'capture'] as const).map(
  (verb) => ({
    ...{ place: null, verb, way: 'straight', theme: 'gift cards' },
    currencies: verb === 'redeem' || verb === 'unredeem' ? PLAIN : CURRENCIES_OF.straight,
  }),
);

/** What comes together only on purpose. */
export const MEETINGS: readonly Aim[] = [
  ...STALE.map(() => OVERTAKEN),
  ...STALE,
  ...STALE,
  ...TAKEN_ON,
  ...LATE_WORDS,
  ...GIFT_CARDS,
];

/** What a place calls for. */
export function aimAt(place: string): Aim {
  const way = WAYS.find(([names]) => names.test(place))?.[1] ?? 'straight';
  const theme = THEMES.find(([names]) => names.test(place))?.[1] ?? 'plain';
  const verb = verbAt(place);
  return { place, verb, way, theme, currencies: currenciesIn(theme, way, verb) };
}

function verbAt(place: string): AnyVerb {
  if (/gift-cards\.refused|transaction$/.test(place)) return 'redeem';
  if (/reversals/.test(place)) return 'unredeem';
  const verbs: readonly AnyVerb[] = [...GIFT_CARD_VERBS, ...VERBS];
  return verbs.find((one) => place.includes(one)) ?? 'authorize';
}
