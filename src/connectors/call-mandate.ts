import type { Log } from '../platform/log.ts';
import { confidential, undisturbed } from './call.ts';
import type { Connector } from './connector.ts';
import type { CallContext } from './call-context.ts';
import type { Revocation, RevocationRequest } from './mandates.ts';
import { tidyText } from './words.ts';

/**
 * Revokes a mandate under the rules of `callConnector`: never throws, what is not an explicit answer within the deadline is
 * `unknown`, and the provider's words are tidied of the mandate and the credentials.
 */
export async function revokeMandate(
  connector: Connector,
  context: CallContext,
  log: Log,
  request: RevocationRequest,
): Promise<Revocation> {
  const verb = 'revoke_mandate';
  const { key } = request;
  const said = await undisturbed(connector, context, log, { verb, key }, async () =>
    revokerOf(connector)(context, request),
  );
  if (said.kind === 'revoked') return said;
  if (said.kind === 'unknown') {
    log.warn({ connector: connector.id, verb, key, cause: said.cause }, 'Outcome unknown.');
    return said;
  }
  const given = confidential(connector, context, {});
  const hidden = { ...given, credentials: [...given.credentials, request.mandate] };
  const errorCode = tidyText(said.errorCode, hidden);
  log.warn({ connector: connector.id, verb, key, errorCode }, 'A mandate was not revoked.');
  return { kind: 'refused', errorCode };
}

function revokerOf(connector: Connector): NonNullable<Connector['revokeMandate']> {
  if (!connector.revokeMandate) throw new Error(`The connector ${connector.id} keeps no mandates.`);
  return connector.revokeMandate.bind(connector);
}
