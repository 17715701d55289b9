import { z } from 'zod';
import type { CallContext } from '../call-context.ts';
import type { Verification } from '../verification.ts';
import { exchange } from './exchange.ts';

/**
 * Checks the API key at the built-in provider, or at the merchant's own simulator at `api_url`. Null without an API key,
 * because there is nothing to check.
 */
export async function verifySandbox(context: CallContext): Promise<Verification | null> {
  const { api_key: key, api_url: url } = context.credentials;
  if (!key) return null;
  if (!url) return verificationFromWire(simulateVerification(key));
  const exchanged = await exchange(context, url, { operation: 'verify' });
  return 'unknown' in exchanged ? exchanged.unknown : verificationFromWire(exchanged.answer);
}

/** Answers as the built-in provider. A key that begins with `invalid` is refused, and one with `silent` gets no answer. */
export function simulateVerification(key: string): unknown {
  if (key.startsWith('invalid'))
    return { result: 'refused', message: 'Simulated invalid_service_credentials' };
  return key.startsWith('silent') ? null : { result: 'accepted' };
}

const reply = z.discriminatedUnion('result', [
  z.object({ result: z.literal('accepted') }),
  z.object({ result: z.literal('refused'), message: z.string() }),
]);

/** Maps the provider's answer to a verification. Returns `unknown` for an undocumented answer, never a refusal. */
function verificationFromWire(given: unknown): Verification {
  const parsed = reply.safeParse(given);
  if (!parsed.success) return { kind: 'unknown', cause: 'unreadable' };
  return parsed.data.result === 'accepted'
    ? { kind: 'accepted' }
    : { kind: 'refused', reason: parsed.data.message };
}
