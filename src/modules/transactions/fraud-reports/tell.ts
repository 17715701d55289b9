import type { App } from '../../../app.ts';
import type { UnknownCause } from '../../../connectors/interface/outcome.ts';
import { reportFraud, type StoredAntiFraudService } from '../../payment-services/index.ts';
import { reportOf, type DueReport } from './report-of.ts';

/**
 * Sends a report. Returns null if the third party has heard of the event, or else the cause for another attempt.
 * Never throws. A refused report is logged, and counts as heard.
 */
export async function tell(
  app: App,
  service: StoredAntiFraudService,
  due: DueReport,
): Promise<UnknownCause | null> {
  try {
    const answer = await reportFraud(app, service, reportOf(due));
    if (answer.kind === 'refused') {
      const { reason } = answer;
      app.log.warn({ ...namesOf(service, due), reason }, 'An anti-fraud service refused a report.');
    }
    return answer.kind === 'unknown' ? answer.cause : null;
  } catch (error) {
    app.log.error({ ...namesOf(service, due), err: error }, 'A report could not be sent.');
    return 'unreadable';
  }
}

/** Names a report in the log. */
export const namesOf = (
  { merchantAccountId, id: antiFraudServiceId }: StoredAntiFraudService,
  { event, transaction }: DueReport,
) => ({ merchantAccountId, antiFraudServiceId, transactionId: transaction.id, event: event.id });
