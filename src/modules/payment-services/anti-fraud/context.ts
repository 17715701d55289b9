import type { App } from '../../../app.ts';
import type { CheckContext } from '../../../connectors/anti-fraud/connector.ts';
import { openCredentials } from '../credentials/credentials.ts';
import { interfaceVersionOf, ownerOf, type StoredAntiFraudService } from './anti-fraud-service.ts';
import type { AntiFraudProvider } from './definitions.ts';

/** Time limit of a call of a third party, in milliseconds, unless `PAYGRAPH_PROVIDER_DEADLINE_MS` is set. */
export const ANTI_FRAUD_DEADLINE_MS = 10_000;

/** Returns the context of one call of a third party, with the credentials in clear. */
export const openContext = async (
  app: App,
  service: StoredAntiFraudService,
  { definition }: AntiFraudProvider,
): Promise<CheckContext> => ({
  ...{ definition, interfaceVersion: interfaceVersionOf(definition, service), http: app.http },
  credentials: await openCredentials(app.vault, ownerOf(service), service),
  deadlineMs: app.config.PAYGRAPH_PROVIDER_DEADLINE_MS ?? ANTI_FRAUD_DEADLINE_MS,
  now: app.clock.now(),
});
