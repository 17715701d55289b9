import { z } from 'zod';
import type { CallContext } from '../call-context.ts';
import type { Revocation, RevocationRequest } from '../mandates.ts';
import { exchange } from './exchange.ts';

/** What the sandbox provider is asked to revoke, in its own words. */
export type RevocationQuestion = {
  readonly operation: 'revoke_mandate';
  readonly idempotency_key: string;
  readonly mandate: string;
};

/** What it answers, in its own words. */
export type RevocationAnswer = {
  readonly result: 'revoked' | 'not_found' | 'refused';
  readonly code: string;
};

/** Revokes a mandate at the sandbox provider: built in, or a simulator of the merchant's own at the `api_url` of the service. */
export async function revokeSandboxMandate(
  context: CallContext,
  { key, mandate }: RevocationRequest,
): Promise<Revocation> {
  const question: RevocationQuestion = { operation: 'revoke_mandate', idempotency_key: key, mandate };
  const { api_url: url } = context.credentials;
  if (!url) return revocationFromWire(simulateRevocation(question));
  const said = await exchange(context, url, question);
  return 'unknown' in said ? said.unknown : revocationFromWire(said.answer);
}

/** The built-in provider: the end of the mandate's name chooses, so the same question always gets the same answer. */
export function simulateRevocation({ mandate }: RevocationQuestion): RevocationAnswer {
  if (mandate.endsWith('_refused')) return { result: 'refused', code: 'invalid_operation' };
  if (mandate.endsWith('_unknown')) return { result: 'not_found', code: '14' };
  return { result: 'revoked', code: '00' };
}

const answer = z.object({ result: z.enum(['revoked', 'not_found', 'refused']), code: z.string() });

/** The provider's answer in our words; anything that it has not promised to say is `unknown`, never a refusal. */
export function revocationFromWire(given: unknown): Revocation {
  const parsed = answer.safeParse(given);
  if (!parsed.success) return { kind: 'unknown', cause: 'unreadable' };
  const { result, code } = parsed.data;
  // What it does not have is not in force.
  return result === 'refused' ? { kind: 'refused', errorCode: code } : { kind: 'revoked' };
}
