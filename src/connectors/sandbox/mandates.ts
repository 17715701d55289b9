import { z } from 'zod';
import type { CallContext, Revocation, RevocationRequest } from '../door.ts';
import { exchange } from './exchange.ts';

/** A request to revoke a mandate, in the provider's format. */
export type RevocationQuestion = {
  readonly operation: 'revoke_mandate';
  readonly idempotency_key: string;
  readonly mandate: string;
};

/** An answer to a revocation, in the provider's format. */
export type RevocationAnswer = {
  readonly result: 'revoked' | 'not_found' | 'refused';
  readonly code: string;
};

/** Revokes a mandate at the built-in provider or at the merchant's own simulator at `api_url`. */
export async function revokeSandboxMandate(
  context: CallContext,
  { key, mandate }: RevocationRequest,
): Promise<Revocation> {
  const question: RevocationQuestion = { operation: 'revoke_mandate', idempotency_key: key, mandate };
  const { api_url: url } = context.credentials;
  if (!url) return revocationFromWire(simulateRevocation(question));
  const exchanged = await exchange(context, url, question);
  return 'unknown' in exchanged ? exchanged.unknown : revocationFromWire(exchanged.answer);
}

/** Answers a revocation as the built-in provider. The end of the mandate's name chooses the answer. */
export function simulateRevocation({ mandate }: RevocationQuestion): RevocationAnswer {
  if (mandate.endsWith('_refused')) return { result: 'refused', code: 'invalid_operation' };
  if (mandate.endsWith('_unknown')) return { result: 'not_found', code: '14' };
  return { result: 'revoked', code: '00' };
}

const answer = z.object({ result: z.enum(['revoked', 'not_found', 'refused']), code: z.string() });

/** Maps the provider's answer to a revocation. Returns `unknown` for an undocumented answer, never a refusal. */
export function revocationFromWire(given: unknown): Revocation {
  const parsed = answer.safeParse(given);
  if (!parsed.success) return { kind: 'unknown', cause: 'unreadable' };
  const { result, code } = parsed.data;
  // A mandate that the provider does not have is not in force.
  return result === 'refused' ? { kind: 'refused', errorCode: code } : { kind: 'revoked' };
}
