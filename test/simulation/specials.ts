import type { Create, GiftCardAsked } from './acts.ts';
import type { Aim, Theme } from './aims.ts';
import { aimsAtChange } from './changes.ts';
import { WITHOUT_HOLD, AT_PAGES, AWAY, PLAIN, WITH_3DS, type Currency } from './harness.ts';
import type { Random } from './random.ts';
import { OUTCOME_NAMES, type OutcomeName } from './three-ds.ts';

/**
 * Draws the special feature of a history's payments. The act that an aim wants stays plain, or has gift cards
 * besides.
 */
export function drawTheme(random: Random, aim: Aim | null): Theme {
  if (aim && aim.theme !== 'plain') return aim.theme;
  // A payment that gift cards pay in part cannot be increased.
  if (aimsAtChange(aim)) return 'plain';
  if (aim) return random.chance(0.15) ? 'gift cards' : 'plain';
  return random.weighted<Theme>([
    [4, 'plain'],
    [1.5, '3ds'],
    [1.5, 'challenge'],
    [2, 'page'],
    [2, 'away'],
    [3, 'gift cards'],
  ]);
}

type Wanted = {
  readonly aim: Aim | null;
  readonly theme: Theme;
  readonly amount: number;
  readonly isJudged: boolean;
};
type Specials = Pick<Create, 'currency' | 'method' | 'threeDS' | 'giftCards' | 'expiresAtMs'>;

/** Draws the way of payment and the buyer's part in it. */
export function drawSpecials(random: Random, { aim, theme, amount, isJudged }: Wanted): Specials {
  const plain = isJudged ? [...PLAIN, ...WITHOUT_HOLD] : PLAIN;
  const currency = random.pick(aim?.currencies ?? currenciesOf(random, theme, plain));
  const isAtPage = AT_PAGES.includes(currency);
  const isAway = AWAY.includes(currency);
  const mayHaveGiftCards = amount > 0 && (theme === 'gift cards' || (aim === null && random.chance(0.15)));
  const giftCards = mayHaveGiftCards ? drawGiftCards(random, { aim, amount, currency }) : null;
  const paid = (giftCards ?? []).reduce((sum, one) => sum + (one.amount ?? 0), 0);
  const isAlone = giftCards !== null && paid === amount && random.chance(0.7);
  const threeDS = WITH_3DS.includes(currency) ? drawOutcome(random, theme) : null;
  return {
    currency,
    giftCards,
    method: isAlone ? 'nobody' : isAtPage ? 'page' : isAway ? 'away' : 'card',
    threeDS: isAlone ? null : threeDS,
    expiresAtMs: isAtPage || isAway || threeDS !== null ? drawExpiry(random, aim) : null,
  };
}

function currenciesOf(random: Random, theme: Theme, plain: readonly Currency[]): readonly Currency[] {
  if (theme === 'plain') return plain;
  if (theme === 'page') return AT_PAGES;
  if (theme === 'away') return AWAY;
  if (theme !== 'gift cards') return WITH_3DS;
  return random.weighted([
    [6, plain],
    [2, WITH_3DS],
    [2, AT_PAGES],
  ]);
}

function drawOutcome(random: Random, theme: Theme): OutcomeName {
  if (theme === 'refused by 3ds') return random.pick(['n', 'r']);
  if (theme === 'challenge')
    return random.pick([
      'challenge',
      'challenge',
      'challenge',
      'challenge-y',
      'challenge-n',
      'challenge-timeout',
    ]);
  return random.pick(OUTCOME_NAMES);
}

const MINUTE = 60_000;

/**
 * Draws the expiry for the buyer. If the aim needs an expiry, some process opens the page or expires the buyer around
 * that time.
 */
const drawExpiry = (random: Random, aim: Aim | null): number | null =>
  aim?.way === 'late'
    ? 20 * MINUTE + random.pick([0, 500, 5_000, 30_000])
    : random.weighted([
        [aim ? 6 : 3, null],
        [1, 20 * MINUTE],
        [1, 70_000],
        [aim ? 0 : 1, 2_000],
      ]);

/** Cards by their initial balance: enough for anything, for some amounts, and for almost nothing. */
const CARDS = [
  { number: '6006490000000001', pin: '05000' },
  { number: '6006490000000002', pin: '0800' },
  { number: '6006490000000003', pin: '020' },
] as const;

type Paid = { readonly aim: Aim | null; readonly amount: number; readonly currency: Currency };

/** Draws up to three cards that pay parts or everything. Some have less than the requested amount. */
function drawGiftCards(random: Random, { aim, amount, currency }: Paid): readonly GiftCardAsked[] {
  const [rich, some, poor] = CARDS;
  const part = Math.round(amount * 0.3);
  const isSure = aim !== null && (aim.verb === 'redeem' || aim.verb === 'unredeem');
  // The providers report balances in dollars only.
  const open = currency === 'USD' ? null : part;
  return random.weighted<readonly GiftCardAsked[]>([
    [4, [{ ...rich, amount: part }]],
    [
      3,
      [
        { ...rich, amount: part },
        { ...some, amount: part },
      ],
    ],
    [isSure ? 0 : 3, [{ ...rich, amount }]],
    [
      isSure ? 0 : 1,
      [
        { ...rich, amount: amount - part },
        { ...some, amount: part },
      ],
    ],
    [
      isSure ? 0 : 1,
      [
        { ...rich, amount: part },
        { ...poor, amount: part },
      ],
    ],
    [
      isSure ? 0 : 1,
      [
        { ...some, amount: open },
        { ...poor, amount: open },
      ],
    ],
    [isSure ? 0 : 0.5, [{ ...some, amount: open }]],
  ]);
}
