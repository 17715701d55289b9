import type { App } from '../../../app.ts';
import { callReport } from '../../../connectors/anti-fraud/call.ts';
import type { ReportAnswer, ReportRequest } from '../../../connectors/anti-fraud/report.ts';
import type { StoredAntiFraudService } from './anti-fraud-service.ts';
import { findDecided } from './checks.sql.ts';
import { openContext } from './context.ts';
import { findAntiFraudJudge, listAntiFraudDefinitions } from './definitions.ts';

/** An event of a checked payment. The third party's own id of the check is read at the report. */
export type FraudReport = Omit<ReportRequest, 'reference'>;

/** Lists the ids of the definitions that work here, and whose connectors take reports. */
export const reportingDefinitions = (app: App): readonly string[] =>
  listAntiFraudDefinitions(app)
    .map(({ id }) => id)
    .filter((id) => findAntiFraudJudge(app, id)?.connector.report !== undefined);

/**
 * Reports an event to the service that has checked the payment. Throws for a definition outside of `reportingDefinitions`. Must
 * not run inside a database transaction.
 */
export async function reportFraud(
  app: App,
  service: StoredAntiFraudService,
  report: FraudReport,
): Promise<ReportAnswer> {
  const { merchantAccountId, definitionId } = service;
  const provider = findAntiFraudJudge(app, definitionId);
  if (!provider) throw new Error(`The definition ${definitionId} does not work here.`);
  const check = await findDecided(app.db, { merchantAccountId, transactionId: report.checkKey });
  const context = await openContext(app, service, provider);
  return callReport(provider.connector, context, app.log, { ...report, reference: check?.reference ?? null });
}
