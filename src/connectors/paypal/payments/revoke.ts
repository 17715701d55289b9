import type { Revocation, RevocationRequest } from '../../door.ts';
import { isMissing, issuesOf } from '../errors.ts';
import type { Api } from '../exchange.ts';

/** Deletes a stored method from PayPal's vault. A method that PayPal does not have is not in force. */
export async function revokeToken(api: Api, { mandate }: RevocationRequest): Promise<Revocation> {
  const answer = await api.delete(`/v3/vault/payment-tokens/${encodeURIComponent(mandate)}`);
  if (answer.kind === 'answered') return { kind: 'revoked' };
  if (answer.kind === 'unknown') return { kind: 'unknown', cause: answer.unknown.cause };
  if (isMissing(answer.error)) return { kind: 'revoked' };
  return { kind: 'refused', errorCode: issuesOf(answer.error)[0] ?? answer.error.name };
}
