import type { App } from '../../../app.ts';
import { callAntiFraud, type Checked } from '../../../connectors/anti-fraud/call.ts';
import type { CheckRequest } from '../../../connectors/anti-fraud/connector.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { openCredentials } from '../credentials.ts';
import { beginCheck, decideCheck, findDecided } from '../store/anti-fraud-checks.ts';
import { interfaceVersionOf, ownerOf, type StoredAntiFraudService } from './anti-fraud-service.ts';
import { findAntiFraudProvider } from './definitions.ts';

/** The payment to judge. Of a card there is never the number. */
export type FraudFacts = Omit<CheckRequest, 'key'> & { readonly transactionId: string };

/** What became of the check of a transaction, and who was asked. */
export type FraudDecision = Checked & { readonly antiFraudServiceId: string };

/**
 * Lets an anti-fraud service judge a transaction, which must be committed. A transaction is judged once: asked again, this
 * answers the decision that is kept, an `error` too, and asks nobody. Commits twice: the check before the third party is
 * called, its decision after. A crash between leaves it pending, and the same question asks again under the same key; of two
 * at once the first decision stands for both. Not inside a database transaction.
 */
export async function checkFraud(
  app: App,
  service: StoredAntiFraudService,
  { transactionId, ...facts }: FraudFacts,
): Promise<FraudDecision> {
  const provider = findAntiFraudProvider(app, service.definitionId);
  if (!provider) throw new Error(`No connector has the definition ${service.definitionId}.`);
  const { connector, definition } = provider;
  const { merchantAccountId, id: antiFraudServiceId } = service;
  const interfaceVersion = interfaceVersionOf(definition, service);
  const check = { merchantAccountId, transactionId };
  const now = app.clock.now();
  const decided = await beginCheck(app.db, check, { antiFraudServiceId, interfaceVersion, now });
  if (decided) return decided;
  await failpoint('anti_fraud_check.claimed');
  const context = {
    ...{ definition, interfaceVersion, http: app.http },
    credentials: await openCredentials(app.vault, ownerOf(service), service),
    deadlineMs: app.config.PAYGRAPH_PROVIDER_DEADLINE_MS,
  };
  const said = await callAntiFraud(connector, context, app.log, { ...facts, key: transactionId });
  await failpoint('anti_fraud_check.called');
  const decision = { ...said, antiFraudServiceId };
  if (await decideCheck(app.db, check, decision, app.clock.now())) return decision;
  const first = await findDecided(app.db, check);
  if (!first) throw new Error(`The check of transaction ${transactionId} is gone.`);
  return first;
}
