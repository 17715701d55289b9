import type { App } from '../../../app.ts';
import { assignWork } from '../../../platform/fairness/owner.ts';
import type { AntiFraudConnector, AntiFraudDefinition } from '../../../connectors/anti-fraud/connector.ts';
import type { Credentials } from '../../../connectors/interface/call-context.ts';
import { openCredentials } from '../credentials/credentials.ts';
import { findAntiFraudByWebhookToken } from './anti-fraud-services.sql.ts';
import { ownerOf } from './anti-fraud-service.ts';
import { findAntiFraudProvider } from './definitions.ts';

/** The anti-fraud service that a webhook is for, with its credentials in clear. */
export type ReviewReceiver = {
  readonly merchantAccountId: string;
  readonly antiFraudServiceId: string;
  readonly connector: AntiFraudConnector;
  readonly definition: AntiFraudDefinition;
  readonly credentials: Credentials;
};

/**
 * Finds the anti-fraud service of a webhook address. Includes deleted services, because their reviews still end. Null
 * when there is no such service. The answer `unserved` means that this process lacks the connector of its definition.
 */
export async function findReviewReceiver(
  app: App,
  token: string,
): Promise<ReviewReceiver | 'unserved' | null> {
  // Keep other texts from the database, which does not take every character.
  if (!/^[\w-]+$/.test(token)) return null;
  const stored = await findAntiFraudByWebhookToken(app.db, token);
  if (!stored) return null;
  const provider = findAntiFraudProvider(app, stored.definitionId);
  if (!provider) return 'unserved';
  const { merchantAccountId, id: antiFraudServiceId } = stored;
  assignWork(merchantAccountId);
  const credentials = await openCredentials(app.vault, ownerOf(stored), stored);
  return { merchantAccountId, antiFraudServiceId, ...provider, credentials };
}
