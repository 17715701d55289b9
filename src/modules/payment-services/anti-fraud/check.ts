import type { App } from '../../../app.ts';
import { callAntiFraud, type Checked } from '../../../connectors/anti-fraud/call.ts';
import type { CheckRequest } from '../../../connectors/anti-fraud/check-request.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { interfaceVersionOf, type StoredAntiFraudService } from './anti-fraud-service.ts';
import { beginCheck, decideCheck, findDecided, NO_VERSION, type FraudDecision } from './checks.sql.ts';
import { openContext } from './context.ts';
import { findAntiFraudJudge, type AntiFraudProvider } from './definitions.ts';

/** The payment to check. The card number is never included. */
export type FraudFacts = Omit<CheckRequest, 'key'> & { readonly transactionId: string };

/**
 * Asks an anti-fraud service to check a committed transaction, once. A repeated call returns the stored decision, even
 * an `error`, without another call. Returns `error` too when the service's definition does not work here.
 * Commits twice: the check before the call, the decision after it. A crash between the commits leaves the check
 * pending, and the next call repeats it under the same key. The first decision
 * counts for all concurrent calls. Must not run inside a database transaction.
 */
export async function checkFraud(
  app: App,
  service: StoredAntiFraudService,
  { transactionId, ...facts }: FraudFacts,
): Promise<FraudDecision> {
  const provider = findAntiFraudJudge(app, service.definitionId);
  const { merchantAccountId, id: antiFraudServiceId } = service;
  const interfaceVersion = provider ? interfaceVersionOf(provider.definition, service) : NO_VERSION;
  const check = { merchantAccountId, transactionId };
  const now = app.clock.now();
  const decided = await beginCheck(app.db, check, { antiFraudServiceId, interfaceVersion, now });
  if (decided) return decided;
  await failpoint('anti_fraud_check.claimed');
  const request = { ...facts, key: transactionId };
  const reported = provider ? await ask(app, service, provider, request) : nobodyToAsk(app, service);
  await failpoint('anti_fraud_check.called');
  const decision = { ...reported, antiFraudServiceId };
  if (await decideCheck(app.db, check, decision, app.clock.now())) return decision;
  const first = await findDecided(app.db, check);
  if (!first) throw new Error(`The check of transaction ${transactionId} is gone.`);
  return first;
}

const ask = async (
  app: App,
  service: StoredAntiFraudService,
  provider: AntiFraudProvider,
  request: CheckRequest,
): Promise<Checked> =>
  callAntiFraud(provider.connector, await openContext(app, service, provider), app.log, request);

function nobodyToAsk(
  app: App,
  { merchantAccountId, id: antiFraudServiceId, definitionId }: StoredAntiFraudService,
): Omit<FraudDecision, 'antiFraudServiceId'> {
  app.log.warn(
    { merchantAccountId, antiFraudServiceId, definitionId },
    'A payment was not judged: the definition of its anti-fraud service does not work here.',
  );
  const none = { reference: null, rawResponseCode: null, rawResponseDescription: null };
  return { decision: 'error', interfaceVersion: NO_VERSION, cause: 'no_connector', ...none };
}
