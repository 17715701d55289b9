import type { Log } from '../../platform/log.ts';
import { answerOrUnknown, secretsOf } from './call.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { Connector } from '../interface/connector.ts';
import type { DisputeAnswer, DisputeRequest, Evidence } from '../interface/dispute-responses.ts';
import { cleanText } from '../reading/words.ts';

/** A response to a dispute. `evidence` is null to accept the dispute. */
export type DisputeCall = DisputeRequest & { readonly evidence: Evidence | null };

/**
 * Responds to a dispute, under the rules of `callConnector`.
 *
 * - Never throws.
 * - Returns `unknown` without an explicit answer before the deadline.
 * - Removes the credentials from the provider's words.
 */
export async function respondToDispute(
  connector: Connector,
  context: CallContext,
  log: Log,
  call: DisputeCall,
): Promise<DisputeAnswer> {
  const { evidence, ...request } = call;
  const verb = evidence === null ? 'accept_dispute' : 'submit_evidence';
  const { key } = request;
  const answer = await answerOrUnknown(connector, context, log, { verb, key }, async () =>
    perform(connector, context, call),
  );
  if (answer.kind === 'done') return answer;
  if (answer.kind === 'unknown') {
    log.warn({ connector: connector.id, verb, key, cause: answer.cause }, 'The outcome is unknown.');
    return answer;
  }
  const errorCode = cleanText(answer.errorCode, secretsOf(connector, context, {}));
  log.warn(
    { connector: connector.id, verb, key, errorCode },
    'The provider refused a response to a dispute.',
  );
  return { kind: 'refused', errorCode };
}

function perform(
  { id, disputes }: Connector,
  context: CallContext,
  { evidence, ...request }: DisputeCall,
): Promise<DisputeAnswer> {
  const answer =
    evidence === null
      ? disputes?.accept?.(context, request)
      : disputes?.submitEvidence?.(context, { ...request, evidence });
  if (!answer) throw new Error(`The connector ${id} cannot respond to disputes so.`);
  return answer;
}
