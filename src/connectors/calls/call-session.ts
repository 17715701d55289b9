import type { Log } from '../../platform/log.ts';
import { secretsOf, answerOrUnknown } from './call.ts';
import type { Connector } from '../interface/connector.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { OpenedSession, SessionRequest, Sessions } from '../interface/sessions.ts';
import { holdsSecret, isStorable } from '../reading/words.ts';

/**
 * Asks a provider for the data with which the buyer's client opens the provider's software. Never throws.
 *
 * Returns `unknown` if the data cannot be stored unchanged or holds a secret of the service. The buyer's client
 * would see the secret, and changed data would not work. A reference that looks like an IBAN stays, because references of 16 signs
 * do by chance.
 */
export async function openSession(
  connector: Connector,
  context: CallContext,
  log: Log,
  request: SessionRequest,
): Promise<OpenedSession> {
  const verb = 'session';
  const { key } = request;
  const answer = await answerOrUnknown(connector, context, log, { verb, key }, async () =>
    sessionsOf(connector).open(context, request),
  );
  const given = secretsOf(connector, context, {});
  const isFit = (text: string): boolean => isStorable(text) && !holdsSecret(text, given);
  const opened =
    answer.kind === 'opened' && !Object.values(answer.data).every(isFit)
      ? ({ kind: 'unknown', cause: 'unreadable' } as const)
      : answer;
  if (opened.kind === 'unknown')
    log.warn({ connector: connector.id, verb, key, cause: opened.cause }, 'The provider opened no session.');
  return opened;
}

function sessionsOf({ id, sessions }: Connector): Sessions {
  if (!sessions) throw new Error(`The connector ${id} does not support sessions.`);
  return sessions;
}
