import type { Log } from '../platform/log.ts';
import { ask, confidential, undisturbed } from './call.ts';
import type { Connector } from './connector.ts';
import type { CallContext } from './call-context.ts';
import type { Outcome } from './outcome.ts';
import type { CompletionRequest, OpenedSession, SessionRequest, Sessions } from './sessions.ts';
import { isStorable, tidyText } from './words.ts';

/**
 * Asks a provider for what the buyer's client works with. Never throws. What cannot be stored as it is, or holds a secret of
 * the service, is `unknown`: changed, it would be of no use, and the client's owner must not see the other.
 */
export async function openSession(
  connector: Connector,
  context: CallContext,
  log: Log,
  request: SessionRequest,
): Promise<OpenedSession> {
  const verb = 'session';
  const { key } = request;
  const said = await undisturbed(connector, context, log, { verb, key }, async () =>
    sessionsOf(connector).open(context, request),
  );
  const given = confidential(connector, context, {});
  const isFit = (text: string): boolean => isStorable(text) && tidyText(text, given) === text;
  const opened =
    said.kind === 'opened' && !Object.values(said.data).every(isFit)
      ? ({ kind: 'unknown', cause: 'unreadable' } as const)
      : said;
  if (opened.kind === 'unknown')
    log.warn({ connector: connector.id, verb, key, cause: opened.cause }, 'No session.');
  return opened;
}

/** Has a provider carry out what the buyer has approved, under the rules of `callConnector`. */
export const completeSession = (
  connector: Connector,
  context: CallContext,
  log: Log,
  request: CompletionRequest,
): Promise<Outcome> =>
  ask(connector, context, log, { verb: 'complete', key: request.key, money: request.money }, async () =>
    sessionsOf(connector).complete(context, request),
  );

function sessionsOf({ id, sessions }: Connector): Sessions {
  if (!sessions) throw new Error(`The connector ${id} has no sessions.`);
  return sessions;
}
