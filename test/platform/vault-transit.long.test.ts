import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startProcess } from '../support/process.ts';
import { startTransitServer, type TransitServer } from '../support/transit-server.ts';
import { startVaultHarness, type VaultHarness } from './vault-harness.ts';

const KEY = 'transit/paygraph';

let harness: VaultHarness;
let service: TransitServer;
let folder: string;
beforeAll(async () => {
  harness = await startVaultHarness();
  folder = await mkdtemp(join(tmpdir(), 'vault-transit-'));
});
afterAll(() => Promise.all([harness.stop(), rm(folder, { recursive: true })]));
beforeEach(async () => {
  service = await startTransitServer(KEY, 'secret/engine/other');
});
afterEach(() => service.close());

test('a server works with a key service and no master key', async () => {
  const server = await startProcess({
    DATABASE_URL: harness.url,
    PAYGRAPH_KEY_PROVIDER: 'transit',
    PAYGRAPH_TRANSIT_URL: service.url,
    PAYGRAPH_TRANSIT_TOKEN: service.token,
  });
  const { body } = await server.graphql(
    `mutation { createWebhookEndpoint(input: { url: "http://127.0.0.1:9/" }) { secret userErrors { message } } }`,
  );
  await server.stop();

  expect(body).toEqual({
    data: { createWebhookEndpoint: { secret: expect.stringMatching(/^whsec_/), userErrors: [] } },
  });
  expect(service.requests.map(([path]) => path)).toContain('/v1/transit/encrypt/paygraph');
  expect(server.output()).not.toContain(service.token);
});
