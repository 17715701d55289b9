import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findLinkMethods } from '../../src/modules/payment-links/index.ts';
import { withSaleOnly } from '../transactions/fraud-house.ts';
import { createService } from '../transactions/harness.ts';
import { startLinks, type LinksHouse } from './house.ts';

let house: LinksHouse;
beforeAll(async () => {
  house = await startLinks();
  await createService(house.server, house.provider.url, { definitionId: 'mock-push' });
});
afterAll(() => house.stop());

it.each([
  ['CAPTURE', { card: true, redirects: ['oxxo'] }],
  ['AUTHORIZE', { card: false, redirects: [] }],
])(
  'a link with the intent %s offers suitable methods when no service captures later',
  async (intent, offered) => {
    const app = { ...house.server.app, connectors: withSaleOnly };
    const link = await house.found(await house.made({ intent }));

    expect(await findLinkMethods(app, link)).toMatchObject(offered);
  },
);
