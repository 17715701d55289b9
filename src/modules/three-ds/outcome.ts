/** What the directory server says of the card. */
export const ENROLLMENTS = ['enrolled', 'not_enrolled', 'unavailable'] as const;
export type Enrollment = (typeof ENROLLMENTS)[number];

/**
 * What the authentication request answers, by EMV 3-D Secure's letter: y authenticated, n not authenticated, a attempted,
 * r rejected by the issuer, u could not be authenticated, c a challenge is required. Or nothing comes back in time.
 */
export const AUTHENTICATIONS = ['y', 'n', 'a', 'r', 'u', 'c', 'timeout'] as const;
export type Authentication = (typeof AUTHENTICATIONS)[number];

/** How a challenge ends. */
export const CHALLENGE_RESULTS = ['y', 'n', 'timeout'] as const;
export type ChallengeResult = (typeof CHALLENGE_RESULTS)[number];

/** How a 3-D Secure authentication goes. */
export type ThreeDSOutcome = {
  readonly enrollment: Enrollment;
  /** Of the protocol, `^[12](\.\d+){0,2}$`. */
  readonly version: string;
  readonly authentication: Authentication;
  /** Null without a challenge, and when the buyer is to choose it on the page of the challenge. */
  readonly challengeResult: ChallengeResult | null;
};

/** The version when nothing says another. */
export const VERSION_DEFAULT = '2.2.0';

/** What the directory's word on a card leaves possible: only an issuer that takes part can authenticate or challenge. */
export const POSSIBLE = {
  enrolled: AUTHENTICATIONS,
  not_enrolled: ['n', 'a', 'r', 'u'],
  unavailable: ['a', 'u', 'timeout'],
} as const satisfies Record<Enrollment, readonly Authentication[]>;

/** As a transaction shows it (facts 1.11); cancelled is a buyer who leaves the challenge, which is no outcome of a rule. */
export type ThreeDSStatus = 'setup_error' | 'error' | 'declined' | 'cancelled' | 'complete';
export type ThreeDSMethod = 'frictionless' | 'challenge';

/** What an outcome comes to for a card of a scheme. */
export type Authenticated = {
  readonly method: ThreeDSMethod;
  /** How it ended; null while a challenge waits for the buyer. The fields below are null then, too. */
  readonly result: FinalResult | null;
  readonly status: ThreeDSStatus | null;
  /** Electronic commerce indicator, two digits; null when nothing was answered. */
  readonly eci: string | null;
  /** Whether there is a proof of authentication, see `cavvOf`. */
  readonly proven: boolean;
};

export type FinalResult = Exclude<Authentication, 'c'>;

/** Reads the table below; scheme null: not known. */
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

/** What each result means, and the ECI that the schemes give it (facts 8.3). A time-out is of the directory here. */
export const RESULTS = {
  y: { status: 'complete', eci: { others: '05', mastercard: '02' }, proven: true },
  a: { status: 'complete', eci: { others: '06', mastercard: '01' }, proven: true },
  n: { status: 'declined', eci: { others: '07', mastercard: '00' }, proven: false },
  r: { status: 'declined', eci: { others: '07', mastercard: '00' }, proven: false },
  u: { status: 'error', eci: { others: '07', mastercard: '00' }, proven: false },
  timeout: { status: 'setup_error', eci: null, proven: false },
} as const satisfies Record<FinalResult, Row>;

/** Mastercard's own indicators are those of its other brands, too. */
const isMastercard = (scheme: string | null): boolean =>
  scheme === 'mastercard' || scheme === 'maestro' || scheme === 'cirrus';
