import type { ThreeDSecureData } from '../../../../connectors/interface/three-d-secure.ts';
import type { Ids } from '../../../../platform/ids.ts';
import type { ThreeDSecureFallback } from '../../../payment-services/index.ts';
import { VERSION_DEFAULT, type Authenticated, type ThreeDSOutcome } from '../../../three-ds/index.ts';
import type { ThreeDSecure } from '../../model/three-d-secure.ts';

/** The length of a version 1 transaction id, which is written as base64. */
const XID_BYTES = 20;

/** Makes the first answer of the sandbox's directory. The new ids stay. */
export function startedData(
  ids: Ids,
  { version, enrollment, authentication }: ThreeDSOutcome,
): ThreeDSecureData {
  if (isVersion1(version)) {
    const xid = ids.random(XID_BYTES).toString('base64');
    return {
      ...NOTHING,
      version,
      xid,
      directoryTransactionId: null,
      directoryResponse: ENROLLED[enrollment],
    };
  }
  const directoryResponse = authentication === 'timeout' ? null : authentication.toUpperCase();
  return { ...NOTHING, version, xid: null, directoryTransactionId: ids.uuid(), directoryResponse };
}

/** The data before any answer. */
const NOTHING = {
  eci: null,
  cavv: null,
  authenticationResponse: null,
  cavvAlgorithm: null,
  scheme: null,
} as const;

const ENROLLED = { enrolled: 'Y', not_enrolled: 'N', unavailable: 'U' } as const;

const isVersion1 = (version: string): boolean => /^1(\.|$)/.test(version);

/**
 * Makes an authentication that no service here can carry out. It ends as a technical failure, and no provider gets its
 * data.
 */
export const notMade = (amount: number, fallback: ThreeDSecureFallback): ThreeDSecure => ({
  source: 'none',
  amount,
  method: null,
  enrollment: 'unavailable',
  result: 'u',
  status: 'setup_error',
  challengeResult: null,
  fallback,
  data: {
    ...NOTHING,
    version: VERSION_DEFAULT,
    xid: null,
    directoryTransactionId: null,
    directoryResponse: null,
  },
});

/** Ends an authentication. `cavv` is stored only after a proof. */
export function concluded(started: ThreeDSecure, came: Authenticated, cavv: string): ThreeDSecure {
  const { result, status, eci, proven } = came;
  const version1 = isVersion1(started.data.version);
  const isAnswered = result !== null && result !== 'timeout' && (version1 || started.method === 'challenge');
  const data = {
    ...started.data,
    eci,
    cavv: proven ? cavv : null,
    authenticationResponse: isAnswered ? result.toUpperCase() : null,
    cavvAlgorithm: proven && version1 ? CAVV_ALGORITHM : null,
  };
  return { ...started, result, status, data };
}

/** The CAVV algorithm of version 1: a CVV with an authentication transaction number. */
const CAVV_ALGORITHM = '2';

/** Makes the authentication of an abandoned challenge. */
export const left = (started: ThreeDSecure): ThreeDSecure => ({ ...started, status: 'cancelled' });
