import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findLinkMethods } from '../../src/modules/payment-links/index.ts';
import { withSaleOnly } from '../transactions/fraud-harness.ts';
import { createService } from '../transactions/harness.ts';
import { startLinks, type LinksHarness } from './harness.ts';

let harness: LinksHarness;
beforeAll(async () => {
  harness = await startLinks();
  await createService(harness.server, harness.provider.url, { definitionId: 'mock-push' });
});
afterAll(() => harness.stop());

it.each([
  ['CAPTURE', { card: true, redirects: ['oxxo'] }],
  ['AUTHORIZE', { card: false, redirects: [] }],
])(
  'a link with the intent %s offers suitable methods when no service captures later',
  async (intent, offered) => {
    const app = { ...harness.server.app, connectors: withSaleOnly };
    const link = await harness.found(await harness.made({ intent }));

    expect(await findLinkMethods(app, link)).toMatchObject(offered);
  },
);
