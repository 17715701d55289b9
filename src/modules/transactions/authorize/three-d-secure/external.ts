import type { ThreeDSecureData } from '../../../../connectors/interface/three-d-secure.ts';
import type { ThreeDSStatus } from '../../../three-ds/index.ts';
import type { ExternalData, ThreeDSecure } from '../../model/three-d-secure.ts';

/** Stores an authentication elsewhere: all of its data, and its summary. Does not judge the data. */
export function externalThreeDSecure({ dataV1, dataV2 }: ExternalData, amount: number): ThreeDSecure {
  const data: ThreeDSecureData = { ...NOTHING, ...(dataV1 ?? dataV2) };
  const reported = data.authenticationResponse ?? data.directoryResponse ?? '';
  return {
    source: 'external',
    amount,
    method: data.authenticationResponse === null ? 'frictionless' : 'challenge',
    enrollment: null,
    result: null,
    status: STATUSES[reported] ?? null,
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

/** The statuses, by the letters of EMV 3-D Secure. */
const STATUSES: Readonly<Record<string, ThreeDSStatus>> = {
  Y: 'complete',
  A: 'complete',
  N: 'declined',
  R: 'declined',
  U: 'error',
};
