import type { Log } from '../../platform/log.ts';
import { answerOrUnknown } from './call.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { Connector } from '../interface/connector.ts';
import type { StoredMethodAnswer } from '../notices/stored-methods.ts';
import { cleanCard } from '../reading/words.ts';

/**
 * Asks a provider for the card behind its token, under the rules of `callConnector`. Moves no money.
 *
 * - Never throws.
 * - Returns `unknown` without an explicit answer before the deadline.
 * - Keeps only facts of the card in the API's own form.
 */
export async function readStoredMethod(
  connector: Connector,
  context: CallContext,
  log: Log,
  token: string,
): Promise<StoredMethodAnswer> {
  const verb = 'read_stored_method';
  const answer = await answerOrUnknown(connector, context, log, { verb }, async () =>
    readerOf(connector)(context, token),
  );
  if (answer.kind === 'unknown')
    log.warn({ connector: connector.id, verb, cause: answer.cause }, 'The outcome is unknown.');
  return answer.kind === 'found' && answer.card ? { ...answer, card: cleanCard(answer.card) } : answer;
}

function readerOf(connector: Connector): NonNullable<Connector['readStoredMethod']> {
  if (!connector.readStoredMethod)
    throw new Error(`The connector ${connector.id} does not read stored payment methods.`);
  return connector.readStoredMethod.bind(connector);
}
