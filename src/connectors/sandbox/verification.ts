import { z } from 'zod';
import type { CallContext, Verification } from '../door.ts';
import { exchange } from './exchange.ts';
import { faultOfKey } from './faults.ts';

/**
 * Checks the API key or the client secret at the built-in provider, or at the merchant's own simulator at `api_url`. Null
 * without both, because there is nothing to check.
 */
export async function verifySandbox(context: CallContext): Promise<Verification | null> {
  const { api_key: key, client_id: clientId, client_secret: secret, api_url: url } = context.credentials;
  if (Boolean(clientId) !== Boolean(secret)) return HALF_CLIENT;
  const given = key || secret;
  if (!given) return null;
  if (!url) return verificationFromWire(simulateVerification(given));
  const exchanged = await exchange(context, url, { operation: 'verify' });
  if ('answer' in exchanged) return verificationFromWire(exchanged.answer);
  return exchanged.refused ? REFUSED_CLIENT : exchanged.unknown;
}

const HALF_CLIENT: Verification = {
  kind: 'refused',
  reason: 'Give the client id and the client secret together.',
};

const REFUSED_CLIENT: Verification = {
  kind: 'refused',
  reason: 'The provider refuses the client id or the client secret.',
};

/** Answers as the built-in provider. A key that begins with `invalid` is refused, and one with `silent` gets no answer. */
export function simulateVerification(key: string): unknown {
  if (key.startsWith('invalid'))
    return { result: 'refused', message: 'Simulated invalid_service_credentials' };
  return faultOfKey(key) === 'silent' ? null : { result: 'accepted' };
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
