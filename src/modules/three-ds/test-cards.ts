import { VERSION_DEFAULT, type ThreeDSOutcome } from './outcome.ts';

/** The sandbox's behaviour for a listed card when no rule matches. */
const BEHAVIOURS = {
  frictionless: { enrollment: 'enrolled', authentication: 'y' },
  // The buyer chooses the result.
  challenge: { enrollment: 'enrolled', authentication: 'c' },
  // As `challenge`, even when a routing rule skips 3-D Secure.
  always_challenged: { enrollment: 'enrolled', authentication: 'c' },
  not_enrolled: { enrollment: 'not_enrolled', authentication: 'u' },
} as const satisfies Record<string, Pick<ThreeDSOutcome, 'enrollment' | 'authentication'>>;

/** The published 3-D Secure test cards. One not-enrolled card fails Luhn's check on purpose. */
export const TEST_CARDS: ReadonlyMap<string, keyof typeof BEHAVIOURS> = new Map([
  ['5200000000001203', 'frictionless'],
  ['4111111111101203', 'frictionless'],
  ['340000000022003', 'frictionless'],
  ['3558111111121203', 'frictionless'],
  ['8171998927611203', 'frictionless'],
  ['5240000000001072', 'challenge'],
  ['4111111111181072', 'challenge'],
  ['340000000082072', 'challenge'],
  ['3558111111121872', 'challenge'],
  ['8171998927611872', 'challenge'],
  ['9000100111111111', 'not_enrolled'],
  ['9000100111111117', 'not_enrolled'],
  ['4111412911111172', 'always_challenged'],
] as const);

/** Returns the outcome of a test card. Returns null for any other card, which pays without 3-D Secure. */
export function testCardOutcome(number: string): ThreeDSOutcome | null {
  const group = TEST_CARDS.get(number);
  return group ? { ...BEHAVIOURS[group], version: VERSION_DEFAULT, challengeResult: null } : null;
}
