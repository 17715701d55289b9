import type { Log } from '../../platform/log.ts';
import { answerOrUnknown, secretsOf } from './call.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { Connector } from '../interface/connector.ts';
import { readPage } from '../reading/read-settlements.ts';
import type { SettlementAnswer, SettlementRequest } from '../notices/settlements.ts';
import { cleanText } from '../reading/words.ts';

/**
 * Fetches a page of settlements, under the rules of `callConnector`.
 *
 * - Never throws. Without an answer before the deadline, the result is `unknown`.
 * - An entry that cannot be read becomes an entry of the kind `unreadable`. The page keeps its other entries.
 * - A page that cannot be stored is `unknown` as a whole, and so are several entries without a readable one.
 * - Removes the credentials from the provider's words.
 */
export async function fetchSettlements(
  connector: Connector,
  context: CallContext,
  log: Log,
  request: SettlementRequest,
): Promise<SettlementAnswer> {
  const verb = 'fetch_settlements';
  const answer = await answerOrUnknown(connector, context, log, { verb }, async () =>
    fetcherOf(connector)(context, request),
  );
  if (answer.kind === 'refused') {
    const reason = cleanText(answer.reason, secretsOf(connector, context, {}));
    log.warn({ connector: connector.id, verb, reason }, 'The provider refused to list settlements.');
    return { kind: 'refused', reason };
  }
  if (answer.kind === 'unknown') {
    log.warn({ connector: connector.id, verb, cause: answer.cause }, 'The settlements are not known.');
    return answer;
  }
  const read = readPage(answer, request.cursor, request.now);
  if (typeof read === 'string') {
    log.error({ connector: connector.id, verb, fault: read }, 'A page of settlements cannot be read.');
    return { kind: 'unknown', cause: 'unreadable' };
  }
  if (read.fields.length > 0)
    log.error({ connector: connector.id, verb, fields: read.fields }, 'Entries of a page cannot be read.');
  return read.page;
}

function fetcherOf({ id, settlements }: Connector): NonNullable<Connector['settlements']>['fetch'] {
  if (!settlements) throw new Error(`The connector ${id} reports no settlements.`);
  return settlements.fetch;
}
