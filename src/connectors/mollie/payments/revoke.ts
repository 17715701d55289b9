import type { Revocation, RevocationRequest } from '../../door.ts';
import { isMissing } from '../errors.ts';
import type { Api } from '../exchange.ts';
import { mandateOf } from '../stored-token.ts';

/** Revokes a mandate. A mandate that Mollie does not have is not in force. */
export async function revokeMandate(
  api: Api,
  { key, mandate: token }: RevocationRequest,
): Promise<Revocation> {
  const mandate = mandateOf(token);
  if (!mandate) return { kind: 'refused', errorCode: 'unknown_payment_method' };
  const answer = await api.delete(`/v2/customers/${mandate.customerId}/mandates/${mandate.mandateId}`, key);
  if (answer.kind === 'answered') return { kind: 'revoked' };
  if (answer.kind === 'unknown') return { kind: 'unknown', cause: answer.unknown.cause };
  const { error } = answer;
  return isMissing(error) ? { kind: 'revoked' } : { kind: 'refused', errorCode: String(error.status) };
}
