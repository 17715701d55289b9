import type { Log } from '../../platform/log.ts';
import { secretsOf, answerOrUnknown } from './call.ts';
import type { Connector } from '../interface/connector.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { Revocation, RevocationRequest } from '../interface/mandates.ts';
import { cleanText } from '../reading/words.ts';

/**
 * Revokes a mandate, under the rules of `callConnector`.
 *
 * - Never throws.
 * - Returns `unknown` without an explicit answer before the deadline.
 * - Removes the mandate and the credentials from the provider's words.
 */
export async function revokeMandate(
  connector: Connector,
  context: CallContext,
  log: Log,
  request: RevocationRequest,
): Promise<Revocation> {
  const verb = 'revoke_mandate';
  const { key } = request;
  const answer = await answerOrUnknown(connector, context, log, { verb, key }, async () =>
    revokerOf(connector)(context, request),
  );
  if (answer.kind === 'revoked') return answer;
  if (answer.kind === 'unknown') {
    log.warn({ connector: connector.id, verb, key, cause: answer.cause }, 'The outcome is unknown.');
    return answer;
  }
  const given = secretsOf(connector, context, {});
  const hidden = { ...given, credentials: [...given.credentials, request.mandate] };
  const errorCode = cleanText(answer.errorCode, hidden);
  log.warn({ connector: connector.id, verb, key, errorCode }, 'The provider refused to revoke a mandate.');
  return { kind: 'refused', errorCode };
}

function revokerOf(connector: Connector): NonNullable<Connector['revokeMandate']> {
  if (!connector.revokeMandate) throw new Error(`The connector ${connector.id} does not support mandates.`);
  return connector.revokeMandate.bind(connector);
}
