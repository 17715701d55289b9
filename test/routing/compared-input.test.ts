import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { restClient } from '../rest/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { openShop, type Input, type Shop } from './harness.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await startTestServer();
  shop = await openShop(server);
});
afterAll(() => server.stop());

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

const refusalsOf = async (...actions: readonly Input[]): Promise<readonly string[]> => {
  const { version, userErrors } = await shop.makeVersion(
    actions.map((action, nth) => ({ name: `Rule ${nth}`, action })),
  );
  expect(version).toBeNull();
  return userErrors.map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`);
};

describe('a rule that compares services', () => {
  it('is kept as given, with its defaults', async () => {
    const [first, second] = shop.services;
    const paymentServiceIds = [first, second];
    const price = { paymentServiceId: first, percentage: '1.45' };
    const fixed = { amount: 20, currency: 'EUR' };

    const { version } = await shop.makeVersion([
      { name: 'Success', action: { bySuccess: { paymentServiceIds } } },
      {
        name: 'Cost',
        action: {
          byCost: { paymentServiceIds, onlyThese: true, table: [price, { ...price, scheme: 'VISA', fixed }] },
        },
      },
    ]);

    const defaults = { onlyThese: false, lastHours: 72, keepShare: 5, minimumCases: 100 };
    expect((version?.rules as readonly Input[]).map(({ action }) => action)).toEqual([
      { bySuccess: { paymentServiceIds, ...defaults } },
      {
        byCost: {
          ...{ paymentServiceIds, onlyThese: true },
          table: [
            { ...price, scheme: null, country: null, fixed: null },
            { ...price, scheme: 'VISA', country: null, fixed },
          ],
        },
      },
    ]);
    expect((await shop.makeVersion(version?.rules as readonly Input[])).version?.rules).toEqual(
      version?.rules,
    );
  });

  it('has the same form in REST', async () => {
    const send = restClient(server);
    const paymentServiceIds = shop.services.slice(0, 2);
    const [first] = paymentServiceIds;
    const price = {
      payment_service_id: first,
      scheme: 'visa',
      country: 'US',
      percentage: '0.9',
      fixed: null,
    };
    const actions = [
      {
        by_success: {
          ...{ payment_service_ids: paymentServiceIds, only_these: true },
          ...{ last_hours: 24, keep_share: 0, minimum_cases: 50 },
        },
      },
      { by_cost: { payment_service_ids: paymentServiceIds, only_these: false, table: [price] } },
    ];
    const rules = actions.map((action, nth) => ({ name: `Rule ${nth}`, action }));
    const own = { token: shop.token };

    const made = await send(`POST /routing-rule-sets/${shop.ruleSetId}/versions`, { rules }, own);

    const { body } = await send(`GET /routing-rule-set-versions/${made.body.id}`, undefined, own);
    expect((body['rules'] as readonly Input[]).map(({ action }) => action)).toEqual(actions);
  });

  it('is refused with values outside of the limits', async () => {
    const [first, second] = shop.services;
    const paymentServiceIds = [first, second];
    const many = Array.from({ length: 11 }, (_, nth) => UNKNOWN.replace(/..$/, String(10 + nth)));
    const price = { paymentServiceId: first, percentage: '1' };

    expect(
      await refusalsOf(
        { bySuccess: { paymentServiceIds: [first] } },
        { bySuccess: { paymentServiceIds: [first, first] } },
        { bySuccess: { paymentServiceIds: many } },
        { bySuccess: { paymentServiceIds, lastHours: 721, keepShare: 51, minimumCases: 9 } },
        { byCost: { paymentServiceIds, table: [{ ...price, percentage: '1,5' }] } },
        { byCost: { paymentServiceIds, table: [{ ...price, percentage: '100' }] } },
        { byCost: { paymentServiceIds, table: [{ ...price, percentage: '1.00001' }] } },
        { byCost: { paymentServiceIds, table: [{ ...price, paymentServiceId: shop.services[2] }] } },
        { byCost: { paymentServiceIds, table: Array.from({ length: 101 }, () => price) } },
      ),
    ).toEqual([
      'rules.0.action.bySuccess.paymentServiceIds: Name at least two payment services to compare.',
      'rules.1.action.bySuccess.paymentServiceIds: Name each payment service once.',
      'rules.2.action.bySuccess.paymentServiceIds: Name at most 10 payment services.',
      'rules.3.action.bySuccess.lastHours: Must be at most 720.',
      'rules.3.action.bySuccess.keepShare: Must be at most 50.',
      'rules.3.action.bySuccess.minimumCases: Must be 10 or more.',
      ...[4, 5, 6].map(
        (nth) =>
          `rules.${nth}.action.byCost.table.0.percentage: Must be a number below 100 such as 1.45, with at most four decimals.`,
      ),
      'rules.7.action.byCost.table.0.paymentServiceId: Must be one of the paymentServiceIds of the action.',
      'rules.8.action.byCost.table: Give at most 100 prices.',
    ]);
  });

  it('is refused with an unknown service, and with a sixth period in the version', async () => {
    const [first, second] = shop.services;
    expect(await refusalsOf({ byCost: { paymentServiceIds: [first, UNKNOWN] } })).toEqual([
      'rules.0.action: Must name payment services of the merchant account that are not deleted.',
    ]);

    const periods = [1, 2, 3, 4, 5, 5, 6].map((lastHours) => ({
      bySuccess: { paymentServiceIds: [first, second], lastHours },
    }));
    expect(await refusalsOf(...periods)).toEqual([
      'rules: Give at most 5 different values of lastHours in a version.',
    ]);
  });

  it('comes with a warning about a service that never accepts', async () => {
    const [first, second] = shop.services;
    const { warnings } = await shop.makeVersion([
      {
        name: 'Euros',
        conditions: [{ fact: { currency: ['JPY'] } }],
        action: { bySuccess: { paymentServiceIds: [first, second] } },
      },
    ]);

    expect(warnings.map(({ code }) => code)).toEqual(['SERVICE_NEVER_ACCEPTS', 'SERVICE_NEVER_ACCEPTS']);
  });
});
