import { FRAUD_FAILPOINTS, sides, VERBS, type Aim } from './aims.ts';
import { WITHOUT_HOLD } from './house.ts';
import { createRandom } from './random.ts';
import { VERDICTS, type Verdict } from './third-party.ts';

/** What a history of judged payments is about. */
export type Judged = {
  readonly aim: Aim | null;
  /** What the third party decides. */
  readonly verdicts: readonly Verdict[];
  /** Who ends the review in the end: what the aim's place is come to by; null: anybody, or nobody. */
  readonly ending: 'resolve' | 'tell' | null;
};

/** Of so many histories one is of the merchant whose payments are judged, wherever among them. */
const BLOCK = 6;

/** Beside each failpoint: the two sides of what is committed of a check, of a review and of what is told of it. */
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

/** Two who judge one payment, a review that ends while something else is asked, and services that cannot hold a payment. */
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

/** What a history of judged payments is about; null: this one is another merchant's. */
export function judgedAt(seed: number, index: number): Judged | null {
  const block = Math.floor(index / BLOCK);
  const random = createRandom(seed, block, 4);
  if (index % BLOCK !== random.int(0, BLOCK - 1)) return null;
  if (block % 3 !== 0) return aimAt(FRAUD_PLACES[(block - Math.ceil(block / 3)) % FRAUD_PLACES.length] ?? '');
  return random.chance(0.5) ? random.pick(MEETINGS) : { aim: null, verdicts: VERDICTS, ending: null };
}

/** What a place calls for. */
function aimAt(place: string): Judged {
  const isOfReview = /review/.test(place);
  // What is told before the payment is authorised waits.
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
