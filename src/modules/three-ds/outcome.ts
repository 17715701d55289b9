/** The directory server's answer about the card. */
export const ENROLLMENTS = ['enrolled', 'not_enrolled', 'unavailable'] as const;
export type Enrollment = (typeof ENROLLMENTS)[number];

/**
 * The answer to the authentication request, by EMV 3-D Secure's letter:
 * - y: authenticated
 * - n: not authenticated
 * - a: attempted
 * - r: rejected by the issuer
 * - u: authentication unavailable
 * - c: challenge required
 * - timeout: no answer in time
 */
export const AUTHENTICATIONS = ['y', 'n', 'a', 'r', 'u', 'c', 'timeout'] as const;
export type Authentication = (typeof AUTHENTICATIONS)[number];

/** The result of a challenge. */
export const CHALLENGE_RESULTS = ['y', 'n', 'timeout'] as const;
export type ChallengeResult = (typeof CHALLENGE_RESULTS)[number];

/** The course of a 3-D Secure authentication. */
export type ThreeDSOutcome = {
  readonly enrollment: Enrollment;
  /** The version of the protocol, `^[12](\.\d+){0,2}$`. */
  readonly version: string;
  readonly authentication: Authentication;
  /** Null without a challenge, and when the buyer chooses the result on the challenge page. */
  readonly challengeResult: ChallengeResult | null;
};

/** The version used when none is given. */
export const VERSION_DEFAULT = '2.2.0';

/** The authentications possible for each enrolment. Only a participating issuer can authenticate or challenge. */
export const POSSIBLE = {
  enrolled: AUTHENTICATIONS,
  not_enrolled: ['n', 'a', 'r', 'u'],
  unavailable: ['a', 'u', 'timeout'],
} as const satisfies Record<Enrollment, readonly Authentication[]>;

/**
 * The status that a transaction shows. `cancelled`: the buyer left the challenge. No rule has
 * that outcome.
 */
export type ThreeDSStatus = 'setup_error' | 'error' | 'declined' | 'cancelled' | 'complete';
export type ThreeDSMethod = 'frictionless' | 'challenge';

/** The authentication that an outcome gives a card of a scheme. */
export type Authenticated = {
  readonly method: ThreeDSMethod;
  /** The result. Null while a challenge waits for the buyer, and then the fields below are null too. */
  readonly result: FinalResult | null;
  readonly status: ThreeDSStatus | null;
  /** Electronic commerce indicator, two digits. Null without an answer. */
  readonly eci: string | null;
  /** True when there is a proof of authentication, see `cavvOf`. */
  readonly proven: boolean;
};

export type FinalResult = Exclude<Authentication, 'c'>;

/** Looks up the authentication in the table below. A null scheme is unknown. */
export function authenticationOf(
  { authentication, challengeResult }: ThreeDSOutcome,
  scheme: string | null,
): Authenticated {
  const challenged = authentication === 'c';
  const method = challenged ? 'challenge' : 'frictionless';
  const result = challenged ? challengeResult : authentication;
  if (result === null) return { method, result, status: null, eci: null, proven: false };
  const { eci, proven, ...row } = RESULTS[result];
  const status = challenged && result === 'timeout' ? 'error' : row.status;
  return { method, result, status, eci: eci && eci[isMastercard(scheme) ? 'mastercard' : 'others'], proven };
}

type Row = {
  readonly status: ThreeDSStatus;
  readonly eci: { readonly others: string; readonly mastercard: string } | null;
  readonly proven: boolean;
};

/** The status of each result and the ECI by scheme. `timeout` is the directory's timeout here. */
export const RESULTS = {
  y: { status: 'complete', eci: { others: '05', mastercard: '02' }, proven: true },
  a: { status: 'complete', eci: { others: '06', mastercard: '01' }, proven: true },
  n: { status: 'declined', eci: { others: '07', mastercard: '00' }, proven: false },
  r: { status: 'declined', eci: { others: '07', mastercard: '00' }, proven: false },
  u: { status: 'error', eci: { others: '07', mastercard: '00' }, proven: false },
  timeout: { status: 'setup_error', eci: null, proven: false },
} as const satisfies Record<FinalResult, Row>;

/** Tells whether a card's brand uses Mastercard's indicators, as Maestro and Cirrus do. */
const isMastercard = (scheme: string | null): boolean =>
  scheme === 'mastercard' || scheme === 'maestro' || scheme === 'cirrus';
