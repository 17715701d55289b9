import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectors } from '../../src/connectors/index.ts';
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

/** The sandbox, whose definitions take no cards in clear. */
const withoutCards = connectors.map((connector) => ({
  ...connector,
  definitions: connector.definitions.map((definition) => ({
    ...definition,
    supportedFeatures: { ...definition.supportedFeatures, raw_card_data: false },
  })),
}));

it('a link asks for no card when no service takes cards in clear', async () => {
  const app = { ...harness.server.app, connectors: withoutCards };
  const link = await harness.found(await harness.made({ intent: 'CAPTURE' }));

  expect(await findLinkMethods(app, link)).toMatchObject({ card: false, stored: [], redirects: ['oxxo'] });
});

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
