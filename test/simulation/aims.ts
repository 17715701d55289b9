import { AT_PAGES, AWAY, PLAIN, WITH_3DS, type Currency } from './harness.ts';
import { readFailpoints } from './failpoints.ts';

/** The verbs of the provider. */
export const VERBS = ['authorize', 'capture', 'refund', 'void', 'cancel'] as const;

/** The verbs that change an authorisation. Histories of their own have them (changes.ts). */
export const CHANGES = ['increase', 'reauthorize'] as const;
export type Verb = (typeof VERBS)[number] | (typeof CHANGES)[number];

/** The verbs of the provider of gift cards. */
export const GIFT_CARD_VERBS = ['unredeem', 'redeem'] as const;
export type AnyVerb = Verb | (typeof GIFT_CARD_VERBS)[number];

/** Every failpoint of the transactions module, of the anti-fraud checks and of disputes. */
export const FAILPOINTS = await readFailpoints();

const OF_FRAUD = /^(anti-fraud|anti_fraud_check|inbound-review)\./;

/** The failpoints on the path of payments with anti-fraud checks only. */
export const FRAUD_FAILPOINTS = FAILPOINTS.filter((name) => OF_FRAUD.test(name));

const OF_NEWS = /^(inbound\.|disputes\.|approval\.(session_|completing))/;

const OF_ELSEWHERE = /^(elsewhere|late_approval)\./;

/** The failpoints on the path of operations that nobody requested here. */
export const ELSEWHERE_FAILPOINTS = FAILPOINTS.filter((name) => OF_ELSEWHERE.test(name));

const OF_CHANGES = /^(increase|reauthorize)\./;

/** The failpoints on the path of changes of an authorisation only. */
export const CHANGE_FAILPOINTS = FAILPOINTS.filter((name) => OF_CHANGES.test(name));

/** The failpoints on the path of webhooks, sessions and disputes only. */
export const NEWS_FAILPOINTS = FAILPOINTS.filter((name) => OF_NEWS.test(name));

export const sides = (...statements: readonly string[]): readonly string[] =>
  statements.flatMap((statement) => [`before ${statement}`, `after ${statement}`]);

/**
 * Places at which the first process of a history surely dies. They are the failpoints, both sides of each commit,
 * and the calls of the provider. Chance covers all other places. aims-of-fraud.ts and news.ts have further places.
 */
export const CRASH_PLACES: readonly string[] = [
  ...FAILPOINTS.filter(
    (name) => ![OF_CHANGES, OF_FRAUD, OF_NEWS, OF_ELSEWHERE].some((of) => of.test(name)),
  ).map((name) => `at ${name}`),
  ...VERBS.flatMap((verb) => [
    ...sides(`claim_${verb}`, `settle_${verb}_succeeded`, `accept_${verb}`),
    `at call.${verb}`,
  ]),
  ...sides('settle_authorize_declined', 'settle_authorize_failed', 'settle_capture_declined'),
  ...sides('reroute_authorization', 'release_lease', 'claim_due_operations', 'retry_operations_now'),
  ...sides('mark_operation_sent', 'claim_pending_operations', 'record_history', 'claim_resolution'),
  'at call.status',
  ...sides(
    'claim_authorize_authenticated',
    'claim_authorize_gift_cards',
    'reroute_authorization_authenticated',
  ),
  ...sides('conclude_challenge', 'approval_decide', 'approval_expire', 'approval_return'),
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
  'at reports.projected',
  ...sides('COMMIT'),
];

/** The way in which code reaches a place. */
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
  | 'held up'
  | 'never left'
  | 'slow'
  | 'late'
  | 'stale'
  | 'taken on';

/** The special feature of a history's payments. */
export type Theme = 'plain' | '3ds' | 'refused by 3ds' | 'challenge' | 'page' | 'away' | 'gift cards';

/** A place to die at, and the conditions under which code reaches the place. */
export type Aim = {
  /** Null means no planned death. */
  readonly place: string | null;
  readonly verb: AnyVerb;
  readonly way: Way;
  readonly theme: Theme;
  /** Currencies whose first service has the needed features. */
  readonly currencies: readonly Currency[];
};

const WAYS: readonly (readonly [RegExp, Way])[] = [
  [/\.accept|accept_/, 'accepted'],
  [/\.look|call\.status/, 'asked'],
  [/\.resen|mark_operation_sent|claim_due|release_|retry_/, 'again'],
  [/rerout/, 'reroute'],
  [/claim_pending|record_history/, 'sync'],
  [/claim_resolution/, 'hand'],
  [/relay|reports|COMMIT/, 'relay'],
  [/declined|failed|gift-cards\.refused/, 'refused'],
];

const THEMES: readonly (readonly [RegExp, Theme])[] = [
  [/redeem|gift|reversals|refunds|transaction$/, 'gift cards'],
  [/authentication\.refused/, 'refused by 3ds'],
  [/reroute_authorization_authenticated/, '3ds'],
  [/authentication|challenge|authenticated/, 'challenge'],
  [/approval[._](return|carr)/, 'away'],
  [/approval/, 'page'],
];

/** Currencies whose first service in the chain has 3DS. */
const AT_ONCE: readonly Currency[] = ['SEK', 'DKK'];

const isChange = (verb: AnyVerb): boolean => CHANGES.some((one) => one === verb);

const currenciesIn = (theme: Theme, way: Way, verb: AnyVerb): readonly Currency[] => {
  if (theme === 'page') return AT_PAGES;
  if (theme === 'away') return AWAY;
  if (theme === '3ds') return way === 'reroute' ? ['NOK'] : WITH_3DS;
  if (theme === 'challenge' || theme === 'refused by 3ds') return AT_ONCE;
  // The only service of a chain has no successor.
  if (verb === 'unredeem' || verb === 'redeem') return ['CHF'];
  // A look-up that finds an operation ends it, without a repeat.
  if (way === 'again' && isChange(verb)) return ['USD', 'CAD'];
  // Some services cannot cancel.
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
  'held up': ['USD', 'EUR', 'AUD'],
  'never left': ['USD', 'CAD', 'AUD'],
  slow: ['EUR'],
  late: ['USD', 'EUR'],
  stale: ['USD', 'EUR', 'GBP'],
  'taken on': ['USD', 'EUR', 'GBP'],
};

/** A cancel while the payment moves from one service to the next. */
const OVERTAKEN: Aim = {
  place: null,
  verb: 'cancel',
  way: 'overtaken',
  theme: 'plain',
  currencies: CURRENCIES_OF.overtaken,
};

const lateIn = (way: Way, verbs: readonly Verb[]): readonly Aim[] =>
  verbs.map((verb) => ({ ...OVERTAKEN, verb, way, currencies: CURRENCIES_OF[way] }));

/**
 * Late turns of processes and requests:
 *
 * - A process stands still right before a payment moves to the next service, and a cancel begins meanwhile.
 * - A process stands still after a request that never left, and another process repeats the request meanwhile.
 * - A repeat arrives long after its look-up, and the next look-up comes first.
 */
export const LATE_TURNS: readonly Aim[] = [
  ...lateIn('held up', ['cancel', 'cancel', 'cancel', 'cancel', 'cancel']),
  ...lateIn('never left', VERBS),
  ...lateIn('slow', ['authorize', 'authorize', 'authorize', 'capture', 'refund']),
];

/** Drivers that stop before the call of the provider, while other drivers claim their operations. */
const STALE: readonly Aim[] = VERBS.map((verb) => ({
  place: null,
  verb,
  way: 'stale',
  theme: 'plain',
  currencies: CURRENCIES_OF.stale,
}));

/** The same drivers, with a late decision of the claimed operations. */
const TAKEN_ON: readonly Aim[] = STALE.map((aim) => ({ ...aim, way: 'taken on' }));

/** A buyer who decides at the end of the page's time, or during a cancel of the payment. */
const LATE_WORDS: readonly Aim[] = (['page', 'away', 'challenge'] as const).flatMap((theme) =>
  (['authorize', 'cancel'] as const).map((verb) => ({
    ...{ place: null, verb, way: 'late', theme },
    currencies: currenciesIn(theme, 'late', verb),
  })),
);

/** Ends of payments during a redemption or a reversal of gift cards. */
const GIFT_CARDS: readonly Aim[] = (['redeem', 'unredeem', 'cancel', 'void', 'capture'] as const).map(
  (verb) => ({
    ...{ place: null, verb, way: 'straight', theme: 'gift cards' },
    currencies: verb === 'redeem' || verb === 'unredeem' ? PLAIN : CURRENCIES_OF.straight,
  }),
);

/** Situations that chance alone rarely creates. */
export const MEETINGS: readonly Aim[] = [
  ...STALE.map(() => OVERTAKEN),
  ...STALE,
  ...STALE,
  ...TAKEN_ON,
  ...LATE_WORDS,
  ...GIFT_CARDS,
];

/** Chooses the aim for a place. */
export function aimAt(place: string): Aim {
  const way = WAYS.find(([names]) => names.test(place))?.[1] ?? 'straight';
  const theme = THEMES.find(([names]) => names.test(place))?.[1] ?? 'plain';
  const verb = verbAt(place);
  return { place, verb, way, theme, currencies: currenciesIn(theme, way, verb) };
}

function verbAt(place: string): AnyVerb {
  if (/gift-cards\.refused|transaction$/.test(place)) return 'redeem';
  if (/reversals/.test(place)) return 'unredeem';
  const verbs: readonly AnyVerb[] = [...GIFT_CARD_VERBS, ...CHANGES, ...VERBS];
  return verbs.find((one) => place.includes(one)) ?? 'authorize';
}
