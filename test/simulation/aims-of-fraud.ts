import { FRAUD_FAILPOINTS, sides, VERBS, type Aim } from './aims.ts';
import { WITHOUT_HOLD } from './harness.ts';
import { createRandom } from './random.ts';
import { VERDICTS, type Verdict } from './third-party.ts';

/** The goal of a history with anti-fraud checks. */
export type Judged = {
  readonly aim: Aim | null;
  /** The decisions of the anti-fraud service. */
  readonly verdicts: readonly Verdict[];
  /** The act that ends the review and reaches the aim's place. Null means any act or none. */
  readonly ending: 'resolve' | 'tell' | null;
};

/** In each block of so many histories, one has anti-fraud checks. Its position in the block varies. */
const BLOCK = 6;

/** Places beside the failpoints: both sides of each commit of a check, a review or a notice. */
export const FRAUD_PLACES: readonly string[] = [
  ...FRAUD_FAILPOINTS.map((name) => `at ${name}`),
  'at call.check',
  ...sides('antiFraudCheck.createMany', 'antiFraudCheck.updateMany', 'write_screening', 'claim_review'),
  ...sides('insert_inbound_review', 'park_inbound_review', 'claim_inbound_reviews', 'end_inbound_review'),
];

const BESIDE: Aim = {
  place: null,
  verb: 'void',
  way: 'straight',
  theme: 'plain',
  currencies: ['USD', 'EUR'],
};

/**
 * Two processes that check one payment, a review that ends during another request, and services that cannot hold a
 * payment.
 */
const MEETINGS: readonly Judged[] = [
  ...Array.from({ length: 2 }, (): Judged => ({
    aim: { ...BESIDE, verb: 'authorize', way: 'stale' },
    verdicts: VERDICTS,
    ending: null,
  })),
  ...VERBS.flatMap((verb): readonly Judged[] =>
    verb === 'authorize' || verb === 'refund'
      ? []
      : [{ aim: { ...BESIDE, verb }, verdicts: ['review'], ending: 'resolve' }],
  ),
  { aim: { ...BESIDE, verb: 'authorize', way: 'accepted' }, verdicts: ['review'], ending: 'tell' },
  ...Array.from({ length: 2 }, (): Judged => ({
    aim: { ...BESIDE, verb: 'authorize', currencies: WITHOUT_HOLD },
    verdicts: ['review'],
    ending: 'resolve',
  })),
];

/** Returns the goal of a history with anti-fraud checks. Null means that the history belongs to another merchant. */
export function judgedAt(seed: number, index: number): Judged | null {
  const block = Math.floor(index / BLOCK);
  const random = createRandom(seed, block, 4);
  if (index % BLOCK !== random.int(0, BLOCK - 1)) return null;
  if (block % 3 !== 0) return aimAt(FRAUD_PLACES[(block - Math.ceil(block / 3)) % FRAUD_PLACES.length] ?? '');
  return random.chance(0.5) ? random.pick(MEETINGS) : { aim: null, verdicts: VERDICTS, ending: null };
}

/** Chooses the goal for a place. */
function aimAt(place: string): Judged {
  const isOfReview = /review/.test(place);
  // A notice before the authorisation of its payment waits.
  const waits = /park_|claim_inbound/.test(place);
  const isRejected = /rejected/.test(place);
  return {
    aim: {
      ...BESIDE,
      place,
      verb: isOfReview && !waits ? 'capture' : 'authorize',
      way: waits ? 'accepted' : 'straight',
    },
    verdicts: isRejected ? ['reject'] : isOfReview ? ['review'] : VERDICTS,
    ending: /inbound/.test(place) ? 'tell' : isOfReview ? 'resolve' : null,
  };
}
