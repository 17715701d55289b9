import type { Log } from '../../platform/log.ts';
import { undisturbed } from '../call.ts';
import type { UnknownCause } from '../outcome.ts';
import { isStorable } from '../words.ts';
import type {
  AntiFraudConnector,
  AntiFraudDecision,
  CheckAnswer,
  CheckContext,
  CheckRequest,
} from './connector.ts';
import { tidierOf } from './words.ts';

/** What became of a check. */
export type Checked = {
  readonly decision: AntiFraudDecision;
  /** The version of the third party's interface in which it was asked and, when there is no cause, has answered. */
  readonly interfaceVersion: string;
  /** Why there was no answer, of an `error` that the third party did not state itself. */
  readonly cause: UnknownCause | null;
  /** The third party's own id of the check. */
  readonly reference: string | null;
  readonly rawResponseCode: string | null;
  readonly rawResponseDescription: string | null;
};

/**
 * The one caller of third parties that judge payments. Never throws: what a connector throws, an answer that does not come
 * within the deadline and one that cannot be read is `error`, never `reject`. The third party's words are tidied.
 */
export async function callAntiFraud(
  connector: AntiFraudConnector,
  context: CheckContext,
  log: Log,
  request: CheckRequest,
): Promise<Checked> {
  const { interfaceVersion } = context;
  const asked = { verb: 'check', key: request.key };
  const said = await undisturbed(connector, context, log, asked, async (): Promise<CheckAnswer> =>
    connector.check(context, request),
  );
  if (said.kind === 'unknown') {
    const { cause } = said;
    log.warn({ connector: connector.id, ...asked, interfaceVersion, cause }, 'A payment was not judged.');
    const none = { reference: null, rawResponseCode: null, rawResponseDescription: null };
    return { decision: 'error', interfaceVersion, cause, ...none };
  }
  const tidy = tidierOf(connector, context);
  const { decision, reference } = said;
  return {
    decision,
    interfaceVersion,
    cause: null,
    reference: reference !== null && isStorable(reference) ? reference : null,
    rawResponseCode: tidy(said.rawResponseCode),
    rawResponseDescription: tidy(said.rawResponseDescription),
  };
}
