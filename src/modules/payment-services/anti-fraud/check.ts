import type { App } from '../../../app.ts';
import { callAntiFraud, type Checked } from '../../../connectors/anti-fraud/call.ts';
import type { CheckRequest } from '../../../connectors/anti-fraud/connector.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { openCredentials } from '../credentials.ts';
import { beginCheck, decideCheck, findDecided } from '../store/anti-fraud-checks.ts';
import { interfaceVersionOf, ownerOf, type StoredAntiFraudService } from './anti-fraud-service.ts';
import { findAntiFraudJudge, type AntiFraudProvider } from './definitions.ts';
import type { FraudDecision } from './fraud-decision.ts';

/** The payment to judge. Of a card there is never the number. */
export type FraudFacts = Omit<CheckRequest, 'key'> & { readonly transactionId: string };

/**
 * Lets an anti-fraud service judge a transaction, which must be committed. A transaction is judged once: asked again, this
 * answers the decision that is kept, an `error` too, and asks nobody; an `error` as well when the service's definition does not
 * work here. Commits twice: the check before the third party is called, its decision after. A crash between leaves it pending,
 * and the same question asks again under the same key; of two at once the first decision stands for both. Not inside a database
 * transaction.
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
  const said = provider ? await ask(app, service, provider, request) : nobodyToAsk(app, service);
  await failpoint('anti_fraud_check.called');
  const decision = { ...said, antiFraudServiceId };
  if (await decideCheck(app.db, check, decision, app.clock.now())) return decision;
  const first = await findDecided(app.db, check);
  if (!first) throw new Error(`The check of transaction ${transactionId} is gone.`);
  return first;
}

async function ask(
  app: App,
  service: StoredAntiFraudService,
  { connector, definition }: AntiFraudProvider,
  request: CheckRequest,
): Promise<Checked> {
  const context = {
    ...{ definition, interfaceVersion: interfaceVersionOf(definition, service), http: app.http },
    credentials: await openCredentials(app.vault, ownerOf(service), service),
    deadlineMs: app.config.PAYGRAPH_PROVIDER_DEADLINE_MS,
  };
  return callAntiFraud(connector, context, app.log, request);
}

const NO_VERSION = 'none';

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
