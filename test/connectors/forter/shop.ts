import { createForter } from '../../../src/connectors/forter/index.ts';
import { startHarness, type Harness, type HarnessOptions } from '../../transactions/harness.ts';
import { API_KEY, SITE_ID, startForter, type ForterDouble } from './double.ts';

/** A running service with an anti-fraud service at a double of Forter. */
export type ForterShop = {
  readonly harness: Harness;
  readonly double: ForterDouble;
  readonly service: ForterService;
  close(): Promise<void>;
};

export type ForterService = { readonly id: string; readonly webhookUrl: string };

/** A site at which nobody answers. */
export const DEAD_SITE = 'dead-site';

export async function openForterShop(options: HarnessOptions = {}): Promise<ForterShop> {
  const double = await startForter();
  const forter = createForter((siteId) => (siteId === DEAD_SITE ? 'http://127.0.0.1:9' : double.url));
  const harness = await startHarness('mock-acquirer', { antiFraudConnectors: [forter], ...options });
  return {
    ...{ harness, double, service: await connectForter(harness) },
    close: async () => {
      await harness.stop();
      await double.close();
    },
  };
}

/** Creates an anti-fraud service at Forter. */
export async function connectForter({ ask }: Pick<Harness, 'ask'>, siteId = SITE_ID): Promise<ForterService> {
  const { made } = await ask<{ made: { antiFraudService: ForterService | null; userErrors: unknown } }>(
    `mutation ($input: CreateAntiFraudServiceInput!) { made: createAntiFraudService(input: $input) {
      antiFraudService { id webhookUrl } userErrors { message } } }`,
    {
      input: {
        ...{ displayName: 'Forter', antiFraudServiceDefinitionId: 'forter-anti-fraud' },
        fields: [
          { key: 'site_id', value: siteId },
          { key: 'api_key', value: API_KEY },
        ],
      },
    },
  );
  if (!made.antiFraudService) throw new Error(JSON.stringify(made.userErrors));
  return made.antiFraudService;
}
