import type { CallContext, Verification } from '../door.ts';
import { loadToken, type PayPalHosts } from './exchange.ts';

/**
 * Asks PayPal for an access token, which needs a valid client id and secret. A token in memory would say nothing about the
 * present, so a new one is asked for. Moves no money.
 */
export async function verifyPayPal(hosts: PayPalHosts, context: CallContext): Promise<Verification> {
  const loaded = await loadToken(context, hosts[context.environment]);
  if ('token' in loaded) return { kind: 'accepted' };
  return 'refused' in loaded
    ? { kind: 'refused', reason: REFUSED[context.environment] }
    : { kind: 'unknown', cause: loaded.unknown.cause };
}

const REFUSED = {
  production: 'PayPal refuses client_id or client_secret. Give those of a live app.',
  sandbox: 'PayPal refuses client_id or client_secret. Give those of a sandbox app.',
} as const;
