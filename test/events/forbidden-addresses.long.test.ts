import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHttpClient } from '../../src/platform/http/http-client.ts';
import { FORBIDDEN_URLS } from '../support/forbidden-urls.ts';
import { startWebhooks, type WebhookHarness } from './webhook-harness.ts';

const requested: string[] = [];
const production = createHttpClient({
  allowedNetworks: [],
  allowInsecureHttp: false,
  resolve: (hostname) => {
    requested.push(hostname);
    return Promise.resolve([]);
  },
});

const MERCHANT = 'https://merchant.example/hooks';

let harness: WebhookHarness;
beforeAll(async () => {
  harness = await startWebhooks({ http: production });
});
afterAll(() => harness.stop());

describe('addresses of private and reserved networks', () => {
  it.each(FORBIDDEN_URLS)('%s is refused at the creation and at the update of an endpoint', async (url) => {
    const path = ['input', 'url'];
    const message = 'Must not be an address of a private or reserved network.';
    const tenant = await harness.tenant();
    const { id } = await tenant.endpoint(MERCHANT);

    const created = await tenant.run('createWebhookEndpoint', { input: { url } });
    const updated = await tenant.run('updateWebhookEndpoint', { id, input: { url } });

    for (const refused of [created, updated])
      expect(refused).toMatchObject({
        webhookEndpoint: null,
        userErrors: [{ code: 'INVALID_INPUT', path, message }],
      });
    const stored = await harness.server.app.db.prisma.webhookEndpoint.findMany({
      where: { merchantAccountId: tenant.id },
      select: { url: true },
    });
    expect(stored).toEqual([{ url: MERCHANT }]);
    expect(requested).toEqual([]);
  });
});
