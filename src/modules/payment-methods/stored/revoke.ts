import type { App } from '../../../app.ts';
import { revokeMandate } from '../../../connectors/call-mandate.ts';
import type { Revocation } from '../../../connectors/mandates.ts';
import type { Tx } from '../../../platform/db.ts';
import { connectionOf } from '../../payment-services/index.ts';
import { endRevocation, forgetToken, type RevokingToken } from '../store/payment-method-tokens.ts';
import { unsealToken } from './instrument.ts';

/** Calls the provider of a mandate to revoke it, under the key that was claimed for it. No transaction may be open. */
export async function revoke(app: App, token: RevokingToken): Promise<Revocation> {
  const { merchantAccountId, revocationKey: key, connection } = token;
  const { connector, definition, credentials } = await connectionOf(app, merchantAccountId, connection);
  const deadlineMs = app.config.PAYGRAPH_PROVIDER_DEADLINE_MS;
  const context = { definition, credentials, http: app.http, deadlineMs };
  const mandate = await unsealToken(app.vault, token, token.sealedToken);
  return await revokeMandate(connector, context, app.log, { key, mandate });
}

/**
 * Writes down what the provider said, of a payment method that is locked: a revoked mandate is forgotten, a refused attempt is
 * over, and one of unknown outcome keeps its key, for it may have been carried out.
 */
export async function noteRevocation(
  app: App,
  tx: Tx,
  token: RevokingToken,
  { kind }: Revocation,
): Promise<void> {
  if (kind === 'revoked') await forgetToken(tx, token);
  if (kind === 'refused') await endRevocation(tx, token, app.clock.now());
}
