import type { App } from '../../../app.ts';
import { callReport } from '../../../connectors/anti-fraud/call.ts';
import type { ReportAnswer, ReportRequest } from '../../../connectors/anti-fraud/report.ts';
import type { StoredAntiFraudService } from './anti-fraud-service.ts';
import { openContext } from './context.ts';
import { findAntiFraudJudge, listAntiFraudDefinitions } from './definitions.ts';

/** Lists the ids of the definitions that work here, and whose connectors take reports. */
export const reportingDefinitions = (app: Pick<App, 'antiFraudConnectors' | 'config'>): readonly string[] =>
  listAntiFraudDefinitions(app)
    .map(({ id }) => id)
    .filter((id) => findAntiFraudJudge(app, id)?.connector.report !== undefined);

/**
 * Reports an event to the service that has checked the payment. Throws for a definition outside of `reportingDefinitions`.
 * Must not run inside a database transaction.
 */
export async function reportFraud(
  app: App,
  service: StoredAntiFraudService,
  report: ReportRequest,
): Promise<ReportAnswer> {
  const provider = findAntiFraudJudge(app, service.definitionId);
  if (!provider) throw new Error(`The definition ${service.definitionId} does not work here.`);
  return callReport(provider.connector, await openContext(app, service, provider), app.log, report);
}
