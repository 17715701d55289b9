import type { Log } from '../../platform/log.ts';
import { answerOrUnknown } from '../calls/call.ts';
import type { UnknownCause } from '../interface/outcome.ts';
import { storableOrNull } from '../reading/words.ts';
import type { CheckRequest } from './check-request.ts';
import type { AntiFraudConnector, AntiFraudDecision, CheckAnswer, CheckContext } from './connector.ts';
import type { ReportAnswer, ReportRequest } from './report.ts';
import { cleanerOf } from './words.ts';

/** The result of a check. */
export type Checked = {
  readonly decision: AntiFraudDecision;
  /** The version of the third party's interface that the check used. */
  readonly interfaceVersion: string;
  /** The cause of an `error` that the third party did not report itself. */
  readonly cause: UnknownCause | null;
  /** The third party's own id of the check. */
  readonly reference: string | null;
  readonly rawResponseCode: string | null;
  readonly rawResponseDescription: string | null;
};

/**
 * Calls a third party to check a payment. All checks go through this function. Never throws.
 *
 * A connector that throws, misses the deadline or answers unreadably gives `error`, never `reject`. The third
 * party's words are cleaned of secrets.
 */
export async function callAntiFraud(
  connector: AntiFraudConnector,
  context: CheckContext,
  log: Log,
  request: CheckRequest,
): Promise<Checked> {
  const { interfaceVersion } = context;
  const requested = { verb: 'check', key: request.key };
  const answer = await answerOrUnknown(connector, context, log, requested, async (): Promise<CheckAnswer> =>
    connector.check(context, request),
  );
  if (answer.kind === 'unknown') {
    const { cause } = answer;
    log.warn(
      { connector: connector.id, ...requested, interfaceVersion, cause },
      'The anti-fraud check gave no decision.',
    );
    const none = { reference: null, rawResponseCode: null, rawResponseDescription: null };
    return { decision: 'error', interfaceVersion, cause, ...none };
  }
  const tidy = cleanerOf(connector, context);
  const { decision, reference } = answer;
  return {
    decision,
    interfaceVersion,
    cause: null,
    reference: storableOrNull(reference),
    rawResponseCode: tidy(answer.rawResponseCode),
    rawResponseDescription: tidy(answer.rawResponseDescription),
  };
}

/**
 * Reports an event of a checked payment to a third party. All reports go through this function. Never throws.
 *
 * A connector that throws or misses the deadline gives `unknown`. The words of a refusal are cleaned as those of a check.
 */
export async function callReport(
  connector: AntiFraudConnector,
  context: CheckContext,
  log: Log,
  request: ReportRequest,
): Promise<ReportAnswer> {
  const requested = { verb: 'report', key: request.key };
  const answer = await answerOrUnknown(
    connector,
    context,
    log,
    requested,
    async (): Promise<ReportAnswer> => {
      if (!connector.report) throw new Error(`The connector ${connector.id} takes no reports.`);
      return connector.report(context, request);
    },
  );
  if (answer.kind !== 'refused') return answer;
  return { kind: 'refused', reason: cleanerOf(connector, context)(answer.reason) ?? '' };
}
