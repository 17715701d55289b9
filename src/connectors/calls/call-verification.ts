import type { Log } from '../../platform/log.ts';
import { answerOrUnknown, secretsOf } from './call.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { Connector } from '../interface/connector.ts';
import type { Verification } from '../interface/verification.ts';
import { cleanText } from '../reading/words.ts';

/**
 * Asks a provider whether it accepts the credentials. Moves no money.
 *
 * - Never throws. Without an answer before the deadline, the result is `unknown`.
 * - Removes the credentials from the provider's words.
 * - Returns null if the definition lacks the feature, or if these credentials have nothing to check.
 */
export async function verifyCredentials(
  connector: Connector,
  context: CallContext,
  log: Log,
): Promise<Verification | null> {
  if (!connector.verify || !context.definition.supportedFeatures.verify_credentials) return null;
  const ask = connector.verify.bind(connector);
  const answer = await answerOrUnknown(connector, context, log, { verb: 'verify' }, async () => ask(context));
  if (answer?.kind !== 'refused') return answer;
  return { kind: 'refused', reason: cleanText(answer.reason, secretsOf(connector, context, {})) };
}
