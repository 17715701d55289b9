import { unreadOf, type Revocation, type RevocationRequest } from '../../door.ts';
import { isMissing, wordOf } from '../errors.ts';
import type { Api } from '../exchange.ts';

/** Deletes a stored payment method. One that Braintree does not have is deleted already. */
export async function revokeMandate(api: Api, { key, mandate }: RevocationRequest): Promise<Revocation> {
  const input = { paymentMethodId: mandate, clientMutationId: key };
  const answer = await api.read('deletePaymentMethodFromVault', { input });
  if (answer.kind === 'answered') return { kind: 'revoked' };
  if (answer.kind === 'unknown') return unreadOf(answer);
  return isMissing(answer.error) ? { kind: 'revoked' } : { kind: 'refused', errorCode: wordOf(answer.error) };
}
