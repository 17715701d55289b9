import type { Act, MadeByHand } from '../acts.ts';
import { ELSEWHERE_FAILPOINTS, sides } from '../aims.ts';
import type { News } from '../news.ts';
import { createRandom, type Random } from '../random.ts';

// In some histories people move money in the providers' own pages, and providers change their minds. These histories have
// randomness of their own, so that all others stay as they were.

/** A history with a hand at the provider. */
export type Handled = { readonly random: Random; readonly news: News };

/** The share of histories with a hand at the provider. */
const SHARE = 0.08;

const KINDS = ['capture', 'refund', 'void', 'increase'] as const;

/** The places to die at: both sides of each commit, the failpoints, and the call for a payment's books. */
const PLACES: readonly string[] = [
  ...ELSEWHERE_FAILPOINTS.map((name) => `at ${name}`),
  ...KINDS.flatMap((kind) => sides(`book_${kind}_elsewhere`)),
  ...sides('book_authorize_elsewhere', 'release_late_approval', 'insert_inbound_webhook'),
  'at call.books',
];

/** Chooses the histories with a hand at the sandbox's providers. Null for the others. */
export function handledAt(seed: number, index: number): Handled | null {
  const random = createRandom(seed, index, 13);
  if (!random.chance(SHARE)) return null;
  const place = random.chance(0.6) ? random.pick(PLACES) : null;
  const means = random.weighted([
    [5, 'any'],
    [1, 'received'],
    [1, 'compares'],
  ] as const);
  const report = random.pick([0.4, 1]);
  const special = { takesBack: false, disputes: false, isLater: place !== null };
  return { random, news: { means, report, place, ...special } };
}

const KIND_OF = /book_(\w+)_elsewhere/;
const OF_APPROVALS = /late_approval|book_authorize/;

/** True if a place is reached by a late approval, so that providers must refuse before. */
export const needsRefusals = ({ news: { place } }: Handled): boolean =>
  place !== null && OF_APPROVALS.test(place);

/** Draws the acts of a hand. The first one leads to the place to die at. */
export function drawHand({ random, news: { place } }: Handled): readonly (MadeByHand & Act)[] {
  const wanted =
    place === null ? undefined : OF_APPROVALS.test(place) ? 'approval' : KIND_OF.exec(place)?.[1];
  return Array.from({ length: random.int(1, 3) }, (_, number) => {
    const drawn = random.weighted([
      [3, 'capture'],
      [4, 'refund'],
      [1, 'void'],
      [1, 'increase'],
      [2, 'approval'],
    ] as const);
    const forced = number === 0 ? KINDS.find((kind) => kind === wanted) : undefined;
    return {
      ...{ process: random.int(0, 2), kind: 'by hand' },
      what: forced ?? (number === 0 && wanted === 'approval' ? 'approval' : drawn),
      share: random.pick([null, null, 1, 0.5, 0.3]),
      isExcess: random.chance(0.06),
      times: random.weighted([
        [5, 1],
        [2, 2],
        [3, 0],
      ] as const),
    };
  });
}
