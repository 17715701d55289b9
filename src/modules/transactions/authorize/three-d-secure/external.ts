import type { ThreeDSecureData } from '../../../../connectors/three-d-secure.ts';
import type { ThreeDSStatus } from '../../../three-ds/index.ts';
import type { ExternalData, ThreeDSecure } from '../../model/three-d-secure.ts';

/** What is kept of it: all of it, and what it says in the words of a summary. It is not judged here. */
export function externalThreeDSecure({ dataV1, dataV2 }: ExternalData, amount: number): ThreeDSecure {
  const data: ThreeDSecureData = { ...NOTHING, ...(dataV1 ?? dataV2) };
  const said = data.authenticationResponse ?? data.directoryResponse ?? '';
  return {
    source: 'external',
    amount,
    method: data.authenticationResponse === null ? 'frictionless' : 'challenge',
    enrollment: null,
    result: null,
    status: STATUSES[said] ?? null,
    challengeResult: null,
    fallback: 'continue',
    data,
  };
}

const NOTHING = {
  authenticationResponse: null,
  directoryTransactionId: null,
  xid: null,
  cavvAlgorithm: null,
} as const;

/** By EMV 3-D Secure's letters. */
const STATUSES: Readonly<Record<string, ThreeDSStatus>> = {
  Y: 'complete',
  A: 'complete',
  N: 'declined',
  R: 'declined',
  U: 'error',
};
