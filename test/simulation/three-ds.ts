import type { ThreeDSScenario } from '../../src/platform/generated/prisma/client.ts';
import type { Ids } from '../../src/platform/ids.ts';
import type { Authentication, ChallengeResult } from '../../src/modules/three-ds/index.ts';

// The outcomes of authentication. A payment names its outcome by the external identifier, and each merchant has a
// scenario for each name. A challenge that the buyer decides has a test card of the sandbox instead.

type Outcome = {
  readonly authentication: Authentication;
  /** Null without a challenge, and when the buyer decides. */
  readonly challengeResult: ChallengeResult | null;
};

const frictionless = (authentication: Authentication): Outcome => ({ authentication, challengeResult: null });
const challenge = (challengeResult: ChallengeResult | null): Outcome => ({
  authentication: 'c',
  challengeResult,
});

const OUTCOMES = {
  y: frictionless('y'),
  a: frictionless('a'),
  n: frictionless('n'),
  r: frictionless('r'),
  u: frictionless('u'),
  timeout: frictionless('timeout'),
  challenge: challenge(null),
  'challenge-y': challenge('y'),
  'challenge-n': challenge('n'),
  'challenge-timeout': challenge('timeout'),
} as const satisfies Readonly<Record<string, Outcome>>;

export type OutcomeName = keyof typeof OUTCOMES;
export const OUTCOME_NAMES = Object.keys(OUTCOMES) as readonly OutcomeName[];

/** Returns the outcome of an authentication, or null for a name without one. */
export const outcomeOf = (name: string | null): Outcome | null =>
  name !== null && name in OUTCOMES ? OUTCOMES[name as OutcomeName] : null;

/** Returns the number of the card for an outcome. */
export const cardFor = (name: OutcomeName | null): string =>
  name === 'challenge' ? '4111111111181072' : '4111111111111111';

/** Lists the scenarios of a merchant account. */
export const scenariosOf = (
  merchantAccountId: string,
  ids: Pick<Ids, 'uuid'>,
  now: Date,
): readonly ThreeDSScenario[] =>
  OUTCOME_NAMES.filter((name) => name !== 'challenge').map((externalIdentifier, index) => ({
    ...{ merchantAccountId, externalIdentifier, ...OUTCOMES[externalIdentifier] },
    ...{ id: ids.uuid(), position: index + 1, enrollment: 'enrolled', version: '2.2.0' },
    ...{ firstName: null, lastName: null, emailAddress: null, amount: null },
    ...{ cardBin: null, cardLastFour: null, cardFingerprint: null, createdAt: now, updatedAt: now },
  }));
