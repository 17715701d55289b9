import type { App } from '../../../../app.ts';
import { revokeMandate } from '../../../../connectors/calls/call-mandate.ts';
import type { Revocation } from '../../../../connectors/interface/mandates.ts';
import type { Tx } from '../../../../platform/database/db.ts';
import { openCall } from '../../../payment-services/index.ts';
import { endRevocation, forgetToken, type RevokingToken } from '../../store/payment-method-tokens.ts';
import { unsealToken } from '../instrument.ts';

/** Asks a provider to revoke a mandate, under the claimed key. Call outside a transaction. */
export async function revoke(app: App, token: RevokingToken): Promise<Revocation> {
  const { merchantAccountId, revocationKey: key, connection } = token;
  const { connector, context } = await openCall(app, merchantAccountId, connection);
  const mandate = await unsealToken(app.vault, token, token.sealedToken);
  return await revokeMandate(connector, context, app.log, { key, mandate });
}

/**
 * Records the provider's answer. The payment method must be locked.
 *
 * - Revoked: the token is deleted.
 * - Refused: the attempt ends, and the next attempt uses a new key.
 * - Outcome unknown: the token keeps its key, because the provider may have revoked the mandate.
 */
export async function recordRevocation(
  app: App,
  tx: Tx,
  token: RevokingToken,
  { kind }: Revocation,
): Promise<void> {
  if (kind === 'revoked') await forgetToken(tx, token);
  if (kind === 'refused') await endRevocation(tx, token, app.clock.now());
}
