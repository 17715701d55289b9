import type { Log } from '../platform/log.ts';
import { answerOrUnknown, secretsOf } from './call.ts';
import type { CallContext } from './call-context.ts';
import type { Connector } from './connector.ts';
import { faultOf, tidyEntries } from './read-settlements.ts';
import type { SettlementAnswer, SettlementRequest } from './settlements.ts';
import { cleanText } from './words.ts';

/**
 * Fetches a page of settlements, under the rules of `callConnector`.
 *
 * - Never throws. Without an answer before the deadline, the result is `unknown`.
 * - A page with an entry that cannot be stored is `unknown` as a whole.
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
  const fault = faultOf(answer, request.cursor);
  if (fault === null) return { ...answer, entries: tidyEntries(answer.entries) };
  log.error({ connector: connector.id, verb, fault }, 'A page of settlements cannot be read.');
  return { kind: 'unknown', cause: 'unreadable' };
}

function fetcherOf({ id, settlements }: Connector): NonNullable<Connector['settlements']>['fetch'] {
  if (!settlements) throw new Error(`The connector ${id} reports no settlements.`);
  return settlements.fetch;
}
