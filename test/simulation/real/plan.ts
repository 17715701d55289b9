import { aimAt, CRASH_PLACES, NEWS_FAILPOINTS, sides, type Aim, type AnyVerb } from '../aims.ts';
import type { Handled } from '../elsewhere/plan.ts';
import { REAL_PLACES, type RealPlace } from '../harness.ts';
import type { News } from '../news.ts';
import { createRandom } from '../random.ts';
import type { Weather } from '../weather.ts';

/**
 * The providers of a run. With `all`, the seed draws a real one for each history. With `splits`, payments by card at the sandbox
 * have splits.
 */
export const KINDS = ['any', 'sandbox', 'splits', 'all', ...REAL_PLACES] as const;
export type Kind = (typeof KINDS)[number];

/** The real providers of a mixture. A further one here changes the histories of every seed. */
const DRAWN: readonly RealPlace[] = ['stripe', 'adyen', 'paypal'];

/** The share of histories with a real provider. */
const SHARE = 0.125;

/** The share of the histories without a planned place whose money is also moved by hand. */
const HANDLED = 0.6;

/** The verbs of the sandbox that no history with a real provider has. */
const NOT_PLAYED: ReadonlySet<AnyVerb> = new Set(['redeem', 'unredeem', 'increase', 'reauthorize']);

/** The places to die at with a real provider, whose payments have no pages and no gift cards. */
const PLACES: readonly string[] = [
  ...CRASH_PLACES.filter((place) => {
    const { theme, verb } = aimAt(place);
    return theme === 'plain' && !NOT_PLAYED.has(verb);
  }),
];

/** The places of webhooks. */
const OF_WEBHOOKS: readonly string[] = [
  ...NEWS_FAILPOINTS.filter((name) => name.startsWith('inbound.')).map((name) => `at ${name}`),
  ...sides('insert_inbound_webhook', 'park_inbound_webhook', 'claim_inbound_webhooks', 'end_inbound_webhook'),
];

type Real = { readonly aim: Aim | null; readonly news: News; readonly handled?: Handled };

/** Chooses the histories with a real provider, by randomness of their own. Null for the others. */
export function realAt(seed: number, index: number, kind: Kind): Real | null {
  const random = createRandom(seed, index, 11);
  const isDrawn = random.chance(SHARE);
  const drawn = random.pick(DRAWN);
  const means = kind === 'any' ? (isDrawn ? drawn : null) : placeAt(seed, index, kind);
  if (means === null) return null;
  const aim = random.chance(0.5) ? aimAt(random.pick(PLACES)) : null;
  const place = aim?.place ?? (random.chance(0.3) ? random.pick(OF_WEBHOOKS) : null);
  const report = random.pick([0.4, 1]);
  const news: News = { means, report, takesBack: false, disputes: false, place, isLater: false };
  const hand = createRandom(seed, index, 14);
  const isHandled = aim === null && hand.chance(HANDLED);
  return { aim, news, ...(isHandled && { handled: { random: hand, news } }) };
}

/** Returns the real provider of a history whose kind names the provider. */
function placeAt(seed: number, index: number, kind: Exclude<Kind, 'any'>): RealPlace | null {
  if (kind !== 'all') return kind === 'sandbox' || kind === 'splits' ? null : kind;
  // The largest draw wins. A further provider at the end of the list wins some histories, and leaves all others as they are.
  const random = createRandom(seed, index, 15);
  const draws = REAL_PLACES.map((place) => ({ place, draw: random.int(0, DRAW_MAX) }));
  return draws.reduce((most, each) => (each.draw > most.draw ? each : most)).place;
}

const DRAW_MAX = 1_000_000_000;

/** Stripe's signatures are valid for five minutes, so the clocks of a history with a real provider differ less. */
export const SMALL_SKEWS_MS = [0, 0, 0, 500, -500, 20_000, -20_000, 60_000, -60_000];

const SKEW_MS_MAX = 60_000;

export const withSmallSkews = (weather: Weather): Weather => ({
  ...weather,
  skewsMs: weather.skewsMs.map((ms) => Math.max(-SKEW_MS_MAX, Math.min(SKEW_MS_MAX, ms))),
});
